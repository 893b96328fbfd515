import { equal, expect } from "../engine/assert.js";
import { reads, recommended, required } from "../engine/check.js";
import { member, text } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";
import { fits } from "../engine/shapes.js";
import { zonesOf } from "../steps/zones.js";

const labels = async (kit: Kit): Promise<readonly string[]> => (await zonesOf(kit)).map((zone) => text(zone, "label"));

/** contract 4.12: the list of time zones. */
export const checks = [
  required("timezones.code-is-an-integer", ["4.12 result", "2.1 code"], "meta.code of the time zone list is the integer 200", reads, async (kit) => {
    equal(member((await kit.ok("listTimeZones")).body, "meta")["code"], 200, "meta.code");
  }),
  required(
    "timezones.fields",
    ["4.12 result", "2.6 label", "2.6 offset"],
    "Every entry has a label <Area>/<City> and an offset HH:MM",
    reads,
    async (kit) => {
      const data = await zonesOf(kit);
      expect(data.length > 0, "data: expected time zones, got none.");
      for (const zone of data) fits(zone, "zone");
    },
  ),
  required("timezones.order", "4.12 order", "The zones are in the order of their names", reads, async (kit) => {
    const sent = await labels(kit);
    const byCase = (a: string, b: string): number => (a.toLowerCase() < b.toLowerCase() ? -1 : 1);
    const orders = [[...sent].sort(), [...sent].sort(byCase)];
    expect(
      orders.some((order) => order.join() === sent.join()),
      "data: expected the order of the names.",
    );
  }),
  recommended("timezones.unique", ["R4.5", "4.12 result"], "No zone is listed twice", reads, async (kit) => {
    const sent = await labels(kit);
    equal(sent.length, new Set(sent).size, "number of different labels");
  }),
  recommended("timezones.default-is-listed", ["R4.5", "4.12 result"], "The default zone America/Los_Angeles is in the list", reads, async (kit) => {
    expect((await labels(kit)).includes("America/Los_Angeles"), "data: expected America/Los_Angeles.");
  }),
];
