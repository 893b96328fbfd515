import { expect, test, vi } from "vitest";
import type * as zones from "./zones.js";

/** Loads the module again, with no zone unpacked. */
async function loadModule(): Promise<Zones> {
  vi.resetModules();
  return import("./zones.js");
}

/** Unix seconds around the dates at which more of a zone is unpacked, and some in between, in the order of the calls. */
const dates = [
  "2026-11-21",
  "1900-01-01",
  "2059-06-01",
  "2060-01-01",
  "2060-03-28",
  "2061-01-01",
  "2498-12-31",
];
const seconds = [...dates, "2026-07-01", "9999-12-31"].flatMap((date) =>
  [-3, -1, 0, 1, 3].map((days) => Date.parse(date) / 1000 + days * 43_200 - 1),
);

type Zones = typeof zones;
const readings: readonly (readonly [string, (zones: Zones, zone: string, at: number) => number])[] = [
  ["the local time", ({ toLocal }, zone, at) => toLocal(at, zone)],
  ["the Unix time", ({ toUnix }, zone, at) => toUnix(at, zone)],
  ["the standard offset", ({ standardOffset }, zone, at) => standardOffset(zone, at)],
];

test.each(readings)("%s is the same for a zone unpacked in part and one unpacked whole", async (_, read) => {
  const [whole, near] = [await loadModule(), await loadModule()];
  expect(near).not.toBe(whole);
  for (const zone of whole.listedZones()) {
    whole.zonePeriods(zone);
    const of = (zones: Zones) => seconds.map((at) => read(zones, zone, at));
    expect(of(near)).toEqual(of(whole));
    expect(near.zonePeriods(zone)).toEqual(whole.zonePeriods(zone));
  }
});
