import fc from "fast-check";
import { describe, test } from "vitest";
import { listedZones, toLocal, toUnix, zonePeriods } from "./zones.js";

/** The same in each run; KALENDS_SEED sets another one. */
const seed = Number(process.env.KALENDS_SEED ?? 7);

describe("any wall clock of the years 1900 to 9999 in any zone", () => {
  const year = fc.integer({ min: 1900, max: 9999 });
  const anywhere = fc
    .tuple(year, fc.integer({ min: 0, max: 366 * 86_400 - 1 }))
    .map(([y, second]) => Math.min(Date.UTC(y, 0, 1) / 1000 + second, wall("9999-12-31T23:59:59")));
  // Half of the wall clocks are close to a change of offset, where errors are likely.
  const zoneAndClock = fc.constantFrom(...listedZones()).chain((name) => {
    const changes = zonePeriods(name).flatMap(({ wallUntil }) => (wallUntil < Infinity ? [wallUntil] : []));
    if (changes.length === 0) return fc.tuple(fc.constant(name), anywhere);
    const near = fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -7_200, max: 7_200 }))
      .map(([at, seconds]) => Math.max(at + seconds, wall("1900-01-01T00:00:00")));
    return fc.tuple(fc.constant(name), fc.oneof(anywhere, near));
  });

  test("an existing wall clock converts back to itself; any other lies in a gap and becomes later", () => {
    fc.assert(
      fc.property(zoneAndClock, ([name, x]) => {
        const shown = toLocal(toUnix(x, name), name);
        return shown === x || (shown > x && !isShown(x, name));
      }),
      { numRuns: 5_000, seed },
    );
  });

  test("of two existing wall clocks, the later one is not the earlier instant", () => {
    const step = fc.integer({ min: 0, max: 14_400 });
    fc.assert(
      fc.property(zoneAndClock, step, ([name, x], seconds) => {
        fc.pre(isShown(x, name) && isShown(x + seconds, name));
        return toUnix(x, name) <= toUnix(x + seconds, name);
      }),
      { numRuns: 5_000, seed },
    );
  });
});

// Tries every offset that the zone ever had.
function isShown(local: number, zone: string): boolean {
  const offsets = new Set(zonePeriods(zone).map((period) => period.offset));
  return [...offsets].some((offset) => toLocal(local - offset, zone) === local);
}

function wall(text: string): number {
  return Date.parse(`${text}Z`) / 1000;
}
