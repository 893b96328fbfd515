import { equal, expect } from "../engine/assert.js";
import { profile } from "../engine/check.js";
import { isItem, type Item, list, member, text } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";
import { fits } from "../engine/shapes.js";

const { required, recommended } = profile("core");
const needs = { writes: false };

const zones = async (kit: Kit): Promise<readonly Item[]> =>
  list((await kit.ok("listTimeZones")).body, "data");

/** Offsets that no law has changed for long: [zone, hours and minutes, without the sign]. */
const knownOffsets = [
  ["Asia/Tokyo", "09:00"],
  ["Asia/Kolkata", "05:30"],
  ["Asia/Kathmandu", "05:45"],
  ["Africa/Johannesburg", "02:00"],
] as const;

export const timeZoneChecks = [
  required(
    "timezones.code-is-an-integer",
    ["4.12 result", "2.1 code"],
    "meta.code of the time zone list is the integer 200",
    async (kit) => {
      equal(member((await kit.ok("listTimeZones")).body, "meta")["code"], 200, "meta.code");
    },
    needs,
  ),
  required(
    "timezones.fields",
    ["4.12 result", "2.6 label", "2.6 offset"],
    "Every entry has a label <Area>/<City> and an offset HH:MM",
    async (kit) => {
      const data = await zones(kit);
      expect(data.length > 0, "data: expected time zones, got none.");
      for (const zone of data) fits(zone, "zone");
    },
    needs,
  ),
  required(
    "timezones.order",
    "4.12 order",
    "The zones are in the order of their names",
    async (kit) => {
      const labels = (await zones(kit)).map((zone) => text(zone, "label"));
      const byCase = (a: string, b: string): number => (a.toLowerCase() < b.toLowerCase() ? -1 : 1);
      const [plain, folded] = [[...labels].sort(), [...labels].sort(byCase)];
      expect(
        [plain, folded].some((order) => order.join() === labels.join()),
        "data: expected the order of the names.",
      );
    },
    needs,
  ),
  required(
    "timezones.unique",
    "4.12 result",
    "No zone is listed twice",
    async (kit) => {
      const labels = (await zones(kit)).map((zone) => text(zone, "label"));
      equal(labels.length, new Set(labels).size, "number of different labels");
    },
    needs,
  ),
  required(
    "timezones.default-is-listed",
    ["4.12 result", "4.2 timezone"],
    "The default zone America/Los_Angeles is in the list",
    async (kit) => {
      expect(
        (await zones(kit)).some(({ label }) => label === "America/Los_Angeles"),
        "data: expected America/Los_Angeles.",
      );
    },
    needs,
  ),
  required(
    "timezones.offsets",
    "2.6 offset",
    "Zones without summer time have their offset from UTC",
    async (kit) => {
      const data = await zones(kit);
      for (const [label, offset] of knownOffsets) {
        const zone = data.find((entry) => entry["label"] === label);
        if (zone !== undefined) equal(text(zone, "offset").replace(/^\+/, ""), offset, `offset of ${label}`);
      }
    },
    needs,
  ),
  required(
    "timezones.version",
    "9.1 version",
    "The time zone list lies under /api/v1/",
    async (kit) => {
      const answer = await kit.raw("/api/v1/timezones");
      equal(answer.status, 200, "HTTP status");
    },
    needs,
  ),
  recommended(
    "timezones.standard-offsets",
    "R4.5",
    "offset is the standard-time offset, with - west of UTC",
    async (kit) => {
      const data = await zones(kit);
      const wanted = [
        ["America/Los_Angeles", "-08:00"],
        ["America/New_York", "-05:00"],
        ["Europe/London", "00:00"],
        ["Europe/Paris", "01:00"],
        ["Australia/Sydney", "10:00"],
        ["America/Sao_Paulo", "-03:00"],
      ] as const;
      for (const [label, offset] of wanted)
        equal(data.find((zone) => zone["label"] === label)?.["offset"], offset, `offset of ${label}`);
    },
    needs,
  ),
  recommended(
    "timezones.complete",
    "R4.5",
    "The list has over 300 zones, Etc/UTC among them",
    async (kit) => {
      const labels = (await zones(kit)).map((zone) => text(zone, "label"));
      expect(
        labels.length > 300 && labels.includes("Etc/UTC"),
        `data: expected over 300 zones with Etc/UTC, got ${labels.length}.`,
      );
      equal(labels, [...labels].sort(), "order by code point");
    },
    needs,
  ),
  recommended(
    "timezones.etag",
    "R2.5",
    "The list has an ETag and answers 304 to it",
    async (kit) => {
      const { headers } = await kit.ok("listTimeZones");
      expect(headers["etag"] !== undefined, "ETag: expected one.");
      const again = await kit.call("listTimeZones", {}, { headers: { "If-None-Match": headers["etag"] } });
      equal(again.status, 304, "status of a second request");
    },
    needs,
  ),
  required(
    "envelope.everywhere",
    ["1.6 meta", "1.2 json"],
    "Every answer of a read is a JSON object with meta",
    async (kit) => {
      for (const operation of [
        "listTimeZones",
        "listCalendars",
        "listEvents",
        "listSubscribers",
        "getSubscriber",
      ] as const) {
        const { body } = await kit.call(operation);
        expect(
          isItem(body) && isItem(body["meta"]) && "code" in body["meta"],
          `${operation}: expected an object meta with code.`,
        );
      }
    },
    needs,
  ),
];
