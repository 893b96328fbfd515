import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isZone, listedZones, toLocal, toUnix, tzdataVersion, zonePeriods } from "./zones.js";

describe("data", () => {
  test("the ends of a zone's periods strictly ascend, as the binary search needs", () => {
    const wrong = fixtureNames().filter((name) => {
      const periods = zonePeriods(name);
      return periods.some((period, i) => {
        const before = periods[i - 1];
        return before && !(before.until < period.until && before.wallUntil < period.wallUntil);
      });
    });
    expect(wrong).toEqual([]);
  });

  test("zones with recurring changes have data through 2499, with the same rules 400 years apart", () => {
    const cycle = 146_097 * 86_400;
    const wrong = fixtureNames().filter((name) => {
      const between = (from: number, to: number) =>
        zonePeriods(name)
          .filter(({ until }) => until >= Date.UTC(from, 0, 1) / 1000 && until < Date.UTC(to, 0, 1) / 1000)
          .map(({ until, offset }) => `${until - (from > 2400 ? cycle : 0)} ${offset}`);
      return between(2087, 2099).join() !== between(2487, 2499).join();
    });
    expect(wrong).toEqual([]);
  });

  // An independent source: the TZif files of an operating system.
  test("the fixture has the same tzdata release as the package", () => {
    expect(
      fixture.version,
      `test/fixtures/zoneinfo.json has tzdata ${fixture.version}, moment-timezone has ${tzdataVersion}. ` +
        "Bring /usr/share/zoneinfo to that release (apt-get install --only-upgrade tzdata), then run " +
        "node apps/server/scripts/zoneinfo-fixture.mjs",
    ).toBe(tzdataVersion);
  });

  test("the list equals zone.tab, and every name of the operating system is a zone", () => {
    const names = fixture.groups.flatMap((group) => splitWords(group.zones));
    expect(names.sort()).toEqual(listedZones());
    expect(fixtureNames().filter((name) => !isZone(name))).toEqual([]);
  });

  // Debian builds these two as separate zones (backzone); tzdata links them to Athens and Lisbon.
  const differing = ["EET", "WET"];

  test("every zone and alias has exactly the operating system's changes from 1970 to 2037", () => {
    const wrong: string[] = [];
    let changeCount = 0;
    for (const group of fixture.groups) {
      const changes = decode(group.history);
      for (const name of [...splitWords(group.zones), ...splitWords(group.aliases)]) {
        if (differing.includes(name)) continue;
        changeCount += changes.length;
        wrong.push(...mismatches(name, changes, Number(splitWords(group.history)[0])));
      }
    }
    expect(wrong).toEqual([]);
    expect(changeCount).toBeGreaterThan(25_000);
  });
});

type Change = { at: number; before: number; after: number };

const fixture: {
  version: string;
  lastYear: number;
  groups: { zones: string; aliases: string; history: string }[];
} = JSON.parse(readFileSync(new URL("../../test/fixtures/zoneinfo.json", import.meta.url), "utf8"));

function fixtureNames(): string[] {
  return fixture.groups.flatMap((group) => [...splitWords(group.zones), ...splitWords(group.aliases)]);
}

function splitWords(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}

// The format is described in scripts/zoneinfo-fixture.mjs.
function decode(history: string): Change[] {
  const [first, ...rest] = history.split(" ");
  const changes: Change[] = [];
  let at = 0;
  let before = Number(first);
  for (const entry of rest) {
    const [time = "", offset] = entry.split(":");
    const [quarters = "", seconds = "0"] = time.split(".");
    at += parseInt(quarters, 36) * 900 + Number(seconds);
    const after = offset === undefined ? (changes.at(-1)?.before ?? NaN) : Number(offset);
    changes.push({ at, before, after });
    before = after;
  }
  return changes;
}

function mismatches(name: string, changes: Change[], initial: number): string[] {
  const end = Date.UTC(fixture.lastYear + 1, 0, 1) / 1000;
  const ours = zonePeriods(name).filter(({ until }) => until >= 0 && until < end);
  const wrong =
    ours.length === changes.length ? [] : [`${name}: ${ours.length} changes, not ${changes.length}`];
  const check = (got: number, want: number, what: string) => {
    if (got !== want) wrong.push(`${name}: ${what} gives ${got}, not ${want}`);
  };
  check(toLocal(0, name), changes[0]?.at === 0 ? changes[0].after : initial, "toLocal(0)");
  changes.forEach(({ at, before, after }, i) => {
    check(toLocal(at - 1, name), at - 1 + before, `toLocal(${at - 1})`);
    check(toLocal(at, name), at + after, `toLocal(${at})`);
    const near = changes.slice(Math.max(0, i - 3), i + 4);
    const [low, high] = [at + Math.min(before, after), at + Math.max(before, after)];
    for (const local of [low - 1, low, Math.floor((low + high) / 2), high - 1, high]) {
      check(toUnix(local, name), expectedUnix(local, near), `toUnix(${local})`);
    }
  });
  return wrong;
}

// RFC 5545 3.3.5, computed from the nearby changes: the first instant with that clock, otherwise the offset before the gap.
function expectedUnix(local: number, near: Change[]): number {
  const ranges = [
    { from: -Infinity, to: near[0]?.at ?? Infinity, offset: near[0]?.before ?? NaN },
    ...near.map(({ at, after }, i) => ({ from: at, to: near[i + 1]?.at ?? Infinity, offset: after })),
  ];
  const instants = ranges.flatMap(({ from, to, offset }) => {
    const instant = local - offset;
    return instant >= from && instant < to ? [instant] : [];
  });
  const gap = near.find(({ at, before, after }) => at + before <= local && local < at + after);
  return instants.length > 0 ? Math.min(...instants) : local - (gap?.before ?? NaN);
}
