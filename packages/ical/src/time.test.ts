import { describe, expect, test } from "vitest";
import { date, dateTime, daysSince1970, duration } from "./time.js";

const day = 86_400;
const earliest = -62_167_219_200; // 0000-01-01
const latest = 253_402_300_799; // 9999-12-31, last second

/** As JavaScript's own calendar has it. */
const byDate = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(/-|:|\.000/g, "");

describe("a date-time", () => {
  test("is that of JavaScript's own calendar, on every day from 1896 to 2104", () => {
    let index = 0;
    for (let at = Date.UTC(1896) / 1000; at < Date.UTC(2105) / 1000; at += day) {
      const seconds = at + ((index++ * 7919) % day);
      if (dateTime(seconds) !== byDate(seconds)) expect(dateTime(seconds)).toBe(byDate(seconds));
    }
  });

  test("is that of JavaScript's own calendar, at the turn of February and of every year from 0000 to 9999", () => {
    for (let year = 0; year <= 9999; year++)
      for (const [month, dayOfMonth] of [
        [0, 1],
        [1, 28],
        [1, 29],
        [2, 1],
        [11, 31],
      ] as const) {
        const seconds = new Date(0).setUTCFullYear(year, month, dayOfMonth) / 1000;
        if (dateTime(seconds) !== byDate(seconds)) expect(dateTime(seconds)).toBe(byDate(seconds));
      }
  });

  test.each([
    [0, "19700101T000000Z"],
    [-1, "19691231T235959Z"],
    [day - 1, "19700101T235959Z"],
    [951_782_399, "20000228T235959Z"],
    [951_782_400, "20000229T000000Z"],
    [4_107_542_399, "21000228T235959Z"],
    [4_107_542_400, "21000301T000000Z"],
    [-2_208_988_800, "19000101T000000Z"],
    [-2_203_891_200, "19000301T000000Z"],
  ])("of %i is %s", (seconds, text) => {
    expect(dateTime(seconds)).toBe(text);
  });

  test.each([latest, latest + 1, latest + day, Number.MAX_SAFE_INTEGER, Infinity])(
    "of %i stays within four digits of a year",
    (seconds) => expect(dateTime(seconds)).toBe("99991231T235959Z"),
  );

  test.each([earliest, earliest - 1, Number.MIN_SAFE_INTEGER, -Infinity, Number.NaN])(
    "of %d is at least the first that can be written",
    (seconds) => expect(dateTime(seconds)).toBe("00000101T000000Z"),
  );

  test("of a fraction is the second it lies in", () => {
    expect([0.9, 59.999, -0.1].map(dateTime)).toEqual([
      "19700101T000000Z",
      "19700101T000059Z",
      "19691231T235959Z",
    ]);
  });
});

test("the days since 1970 are counted as JavaScript's own calendar does, in all months and leap years", () => {
  for (const year of [0, 1, 4, 100, 400, 1582, 1899, 1900, 1970, 1999, 2000, 2024, 2026, 2100, 2400, 9999])
    for (let month = 1; month <= 12; month++)
      for (const dayOfMonth of [1, 28, 29]) {
        const want = new Date(0).setUTCFullYear(year, month - 1, dayOfMonth) / 1000 / day;
        expect(daysSince1970({ year, month, day: dayOfMonth }), `${year}-${month}-${dayOfMonth}`).toBe(want);
      }
});

test("a date stays within four digits of a year", () => {
  expect(date(daysSince1970({ year: 9999, month: 12, day: 31 }) + 1)).toBe("99991231");
  expect(date(daysSince1970({ year: 33, month: 4, day: 3 }))).toBe("00330403");
  expect(date(-1_000_000_000)).toBe("00000101");
});

test.each([
  [3600, "PT1H"],
  [900, "PT15M"],
  [5400, "PT90M"],
  [86_400, "PT24H"],
  [604_800, "PT168H"],
  [59, "PT59S"],
])("a duration of %i seconds is %s", (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});
