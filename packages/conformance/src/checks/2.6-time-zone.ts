import { equal, expect } from "../engine/assert.js";
import { observed, reads, required } from "../engine/check.js";
import { text } from "../engine/json.js";
import { show } from "../steps/observations.js";
import { knownOffsets, offsetsOf, zonesOf } from "../steps/zones.js";

/** contract 2.6: the entries of the list of time zones. */
export const checks = [
  required("timezones.offsets", "2.6 offset", "Zones without summer time have their offset from UTC", reads, async (kit) => {
    const zones = await zonesOf(kit);
    for (const [label, offset] of knownOffsets) {
      const zone = zones.find((entry) => entry["label"] === label);
      // The sign is for rulings to decide.
      if (zone !== undefined) equal(text(zone, "offset").replace(/^[+-]/, ""), offset.replace(/^-/, ""), `offset of ${label}`);
    }
  }),
  required("timezones.offsets-of-all", "2.6 offset", "The offset of each zone is one that its clocks have in the year", reads, async (kit) => {
    for (const zone of await zonesOf(kit)) {
      const [label, offset] = [text(zone, "label"), text(zone, "offset")];
      const known = offsetsOf(label);
      const [hours = "0", minutes = "0"] = offset.replace(/^[+-]/, "").split(":");
      const sent = Number(hours) * 60 + Number(minutes);
      // These offsets may be a year old: a law changes one by an hour at most.
      const isNear = known === undefined || known.some((minute) => Math.abs(Math.abs(minute) - sent) <= 60);
      expect(isNear, `offset of ${label}: got ${offset}, expected near ${known?.join(" or ") ?? ""} minutes.`);
    }
  }),
  observed("timezones.observed.offset-sign", "2.6 offset", "How offsets west and east of UTC are written", reads, async (kit) => {
    const zones = await zonesOf(kit);
    for (const name of ["America/Los_Angeles", "Asia/Tokyo"])
      kit.observe(
        `${name}: ${show(
          zones.find(({ label }) => label === name),
          "offset",
        )}`,
      );
  }),
];
