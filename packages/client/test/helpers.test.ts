import { describe, expect, test } from "vitest";
import { formatStartDate, isTrue, toDate } from "../src/index.js";

describe("formatStartDate", () => {
  test.each([
    [{ year: 2026, month: 7, day: 4, hour: 13, minute: 30 }, "07/04/2026 13:30"],
    [{ year: 2028, month: 2, day: 29 }, "02/29/2028 00:00"],
    [{ year: 1900, month: 1, day: 1 }, "01/01/1900 00:00"],
    [{ year: 9999, month: 12, day: 31, hour: 23, minute: 59 }, "12/31/9999 23:59"],
  ])("writes %j as %s", (parts, written) => {
    expect(formatStartDate(parts)).toBe(written);
  });

  test.each([
    ["2026-07-04T11:30:00Z", "Europe/Paris", "07/04/2026 13:30"],
    ["2026-01-01T00:00:59Z", "America/Los_Angeles", "12/31/2025 16:00"],
    ["2026-07-04T00:00:00Z", "Etc/UTC", "07/04/2026 00:00"],
    ["2026-07-04T18:30:00Z", "Asia/Kolkata", "07/05/2026 00:00"],
  ])("writes %s in %s as %s", (instant, timezone, written) => {
    expect(formatStartDate(new Date(instant), timezone)).toBe(written);
  });

  test.each([
    { year: 2026, month: 2, day: 30 },
    { year: 2026, month: 13, day: 1 },
    { year: 2026, month: 0, day: 1 },
    { year: 2026, month: 1, day: 1, hour: 24 },
    { year: 2026, month: 1, day: 1, minute: 60 },
    { year: 2026, month: 1.5, day: 1 },
    { year: 1899, month: 12, day: 31 },
    { year: 10_000, month: 1, day: 1 },
    { year: 26, month: 1, day: 1 },
    { year: Number.NaN, month: 1, day: 1 },
  ])("refuses %j", (parts) => {
    expect(() => formatStartDate(parts)).toThrow(RangeError);
  });

  test.each([
    [new Date(Number.NaN), "Etc/UTC"],
    [new Date("0044-03-15T12:00:00Z"), "Etc/UTC"],
    [new Date("+010000-01-01T00:00:00Z"), "Etc/UTC"],
    [new Date(0), "Mars/Olympus"],
  ])("refuses %s in %s", (date, timezone) => {
    expect(() => formatStartDate(date, timezone)).toThrow(RangeError);
  });
});

test.each([
  ["true", true],
  ["TRUE", true],
  ["1", true],
  ["false", false],
  ["0", false],
  ["", false],
  ["truely", false],
])("isTrue(%j) is %s", (flag, expected) => {
  expect(isTrue(flag)).toBe(expected);
});

test("toDate takes Unix seconds", () => {
  expect(toDate(1_782_993_600).toISOString()).toBe("2026-07-02T12:00:00.000Z");
  expect(toDate(-1).toISOString()).toBe("1969-12-31T23:59:59.000Z");
});
