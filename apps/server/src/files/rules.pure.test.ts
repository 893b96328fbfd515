import { expect, test } from "vitest";
import { parseRule } from "../events/recurrence-rule.js";
import { EventSkipped } from "./moments.js";
import { FileRefused } from "./reader.js";
import { RuleTime } from "./rules.js";
import { DefinedZones } from "./zone-definitions.js";

const all = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index).join(",");
/** Names no date in a hundred years: each day has one time, and none of these positions. */
const slow = `FREQ=DAILY;BYHOUR=1;BYSETPOS=${all(2, 366)}`;
const start = Date.UTC(2026, 6, 1) / 1000;

function followed(rules: RuleTime, text: string): readonly number[] {
  const rule = parseRule(text, { allDay: false, lenient: true });
  if (typeof rule === "string") throw new Error(rule);
  return [...rules.walk(rule, start)];
}

/** A VTIMEZONE with a rule that names no date. */
function slowZone() {
  const line = (name: string, value: string) => [name, [{ name, rest: `:${value}`, isCut: false }]] as const;
  const observance = new Map([
    line("DTSTART", "20200101T000000"),
    line("TZOFFSETFROM", "+0100"),
    line("TZOFFSETTO", "+0200"),
    line("RRULE", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"),
  ]);
  return { location: "", observances: [observance] };
}

test("a rule that takes too long is skipped, and the next one is followed", () => {
  const rules = new RuleTime({ ofOneMs: 2 });
  expect(() => followed(rules, slow)).toThrow(EventSkipped);
  expect(followed(rules, "FREQ=YEARLY;COUNT=3")).toHaveLength(101);
});

test("the rules of a file's series and of its time zones share their time", () => {
  const rules = new RuleTime({ ofAllMs: 30 });
  const zones = new DefinedZones((...rule) => rules.walk(...rule));
  const read = (): void => {
    for (let count = 0; count < 10_000; count++) zones.zoneOf(slowZone(), "UTC", [2026, 2027]);
  };
  try {
    expect(read).toThrow(FileRefused);
    expect(() => followed(rules, "FREQ=YEARLY")).toThrow(/rules that name too few dates/);
  } finally {
    zones.close();
  }
});
