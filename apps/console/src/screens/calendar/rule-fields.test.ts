import { expect, test } from "vitest";
import { exceptOf, mistakeOf, once, readRule, readSeries, ruleOf } from "./rule-fields.js";

const start = "2027-03-12T19:00"; // the second Friday
const timezone = "America/New_York";

test.each([
  "FREQ=DAILY;UNTIL=20271231T235959",
  "FREQ=DAILY;COUNT=10",
  "FREQ=WEEKLY;INTERVAL=2",
  "FREQ=WEEKLY;BYDAY=MO,FR;COUNT=5",
  "FREQ=MONTHLY;BYDAY=2FR;UNTIL=20271231T235959",
  "FREQ=YEARLY;COUNT=3",
  "FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=4",
  "FREQ=MONTHLY;BYDAY=1MO;COUNT=4", // of another day than the event's: it was moved by itself
])("%s is the rule of its fields", (rrule) => {
  const fields = readRule({ rrule, shift_minutes: 0, timezone }, start);
  expect(ruleOf({ ...fields, startDay: "2027-03-12", allDay: "false" })).toBe(rrule);
});

test("the end of whole days is a date, that of others the last second of one (RFC 5545 3.3.10)", () => {
  const fields = { ...once, freq: "DAILY", ends: "until", until: "2027-12-31", startDay: "2027-03-12" };
  expect(ruleOf({ ...fields, allDay: "true" })).toBe("FREQ=DAILY;UNTIL=20271231");
  expect(ruleOf({ ...fields, allDay: "false" })).toBe("FREQ=DAILY;UNTIL=20271231T235959");
});

test("a rule that has no fields is kept as it is", () => {
  const rrule = "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1";
  expect(readRule({ rrule, shift_minutes: 0, timezone }, start)).toEqual({
    ...once,
    freq: "CUSTOM",
    rule: rrule,
  });
});

test("weekdays are those on which the events are, also after they were moved over midnight or by days", () => {
  const daysAfter = (shift_minutes: number, begin: string): string =>
    readRule({ rrule: "FREQ=WEEKLY;BYDAY=SA,SU", shift_minutes, timezone }, begin).days;
  expect(daysAfter(0, "2027-03-13T19:00")).toBe("SA,SU");
  expect(daysAfter(1440, "2027-03-14T19:00")).toBe("MO,SU");
  expect(daysAfter(120, "2027-03-14T01:00")).toBe("MO,SU");
  expect(daysAfter(120, "2027-03-13T21:00")).toBe("SA,SU");
  expect(daysAfter(-120, "2027-03-12T23:00")).toBe("FR,SA");
});

test.each([
  ["20270401T170000Z", timezone, "2027-04-01"],
  ["20270402T035959Z", timezone, "2027-04-01"],
  ["20270401T230000Z", "Europe/Berlin", "2027-04-02"],
  ["20270401T230000Z", "X-Own/Zone", "2027-04-01"],
  ["20270401T230000", "Europe/Berlin", "2027-04-01"],
])("the end %s is a day in %s", (until, zone, day) => {
  const rule = { rrule: `FREQ=DAILY;UNTIL=${until}`, shift_minutes: 0, timezone: zone };
  expect(readRule(rule, start)).toMatchObject({ ends: "until", until: day });
});

test.each([
  [{ interval: "0" }, ["interval", 9999]],
  [{ interval: "1.5" }, ["interval", 9999]],
  [{ interval: "" }, ["interval", 9999]],
  [{ interval: "10000" }, ["interval", 9999]],
  [{ count: "-3" }, ["count", 366]],
  [{ count: "1e3" }, ["count", 366]],
  [{ count: "367" }, ["count", 366]],
  [{ ends: "until", until: "" }, ["until", "missing"]],
  [{ ends: "until", until: "12027-01-01" }, ["until", "missing"]],
  [{ ends: "until", until: "2027-03-11" }, ["until", "early"]],
  [{ ends: "until", until: "2027-03-12" }, undefined],
  [{ count: "366", interval: "9999" }, undefined],
  [{ ends: "never", count: "0" }, undefined],
  [{ freq: "", count: "0" }, undefined],
  [{ freq: "CUSTOM", count: "0" }, undefined],
] as const)("of a rule with %j the mistake is %j", (fields, mistake) => {
  const weekly = { ...once, freq: "WEEKLY", startDay: "2027-03-12", allDay: "false" };
  expect(mistakeOf({ ...weekly, ...fields })).toEqual(mistake);
});

test("a new series leaves out the chosen days, and never the first", () => {
  expect(exceptOf({ ...once, startDay: "2027-03-12" })).toEqual([]);
  const except = "2027-03-12,2027-03-26";
  expect(exceptOf({ ...once, except, startDay: "2027-03-12" })).toEqual(["2027-03-26"]);
});

test("a series that was divided ends with its own last date, whatever its rule says", () => {
  const read = (rrule: string) =>
    readSeries(
      { series: { rrule, shift_minutes: 0, timezone: "Europe/Berlin" }, ends_on: "2027-03-09" },
      "2027-03-02T18:30",
    );
  for (const end of ["", ";COUNT=17", ";UNTIL=20270330T220000Z"])
    expect(read(`FREQ=WEEKLY${end}`)).toMatchObject({ ends: "until", until: "2027-03-09" });
});
