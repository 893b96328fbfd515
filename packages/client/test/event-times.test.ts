import { describe, expect, test } from "vitest";
import { eventTimes, formatStartDate } from "../src/index.js";

const minuteMs = 60_000;

describe("eventTimes", () => {
  test("gives the parameters of create and save, the end only when it is given", () => {
    const start = new Date("2026-07-04T11:30:59Z");
    const zone = "Europe/Paris";
    expect(eventTimes({ start, zone })).toEqual({ start_date: "07/04/2026 13:30", timezone: zone });
    expect(eventTimes({ start, end: new Date("2026-07-05T00:00:00Z"), zone })).toEqual({
      start_date: "07/04/2026 13:30",
      end_date: "07/05/2026 02:00",
      timezone: zone,
    });
  });

  test.each([
    ["the second 02:30 of the night", "2026-10-25T01:30:00Z", "Europe/Paris"],
    ["its first minute", "2026-10-25T01:00:00Z", "Europe/Paris"],
    ["its last minute", "2026-10-25T01:59:59Z", "Europe/Paris"],
    ["half an hour", "2026-04-04T15:15:00Z", "Australia/Lord_Howe"],
    ["half an hour, for good", "2015-08-14T15:15:00Z", "Asia/Pyongyang"],
    ["a day", "1969-09-30T13:30:00Z", "Pacific/Kwajalein"],
  ])("refuses %s, which a clock shows again", (_title, instant, zone) => {
    expect(() => eventTimes({ start: new Date(instant), zone })).toThrow(/exists twice in .*Etc\/UTC/);
    const end = new Date(instant);
    expect(() => eventTimes({ start: new Date(0), end, zone })).toThrow(RangeError);
    expect(eventTimes({ start: new Date(instant), zone: "Etc/UTC" })).toHaveProperty("timezone", "Etc/UTC");
  });

  test.each([
    ["no date", new Date(Number.NaN), "Etc/UTC"],
    ["the year 1899", new Date("1899-12-31T23:59:00Z"), "Etc/UTC"],
    ["the year 10000", new Date("+010000-01-01T00:00:00Z"), "Etc/UTC"],
    ["an unknown zone", new Date(0), "Mars/Olympus"],
  ])("refuses %s", (_title, start, zone) => {
    expect(() => eventTimes({ start, zone })).toThrow(RangeError);
  });

  // The clocks are changed in the middle of each range: forward, back, by half an hour, by two, over a day.
  test.each([
    ["Europe/Paris", "2026-03-29T01:00:00Z"],
    ["Europe/Paris", "2026-10-25T01:00:00Z"],
    ["America/New_York", "2026-11-01T06:00:00Z"],
    ["America/St_Johns", "2006-10-29T02:31:00Z"],
    ["Australia/Lord_Howe", "2026-04-04T15:00:00Z"],
    ["Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
    ["Antarctica/Troll", "2026-10-25T01:00:00Z"],
    ["Africa/Casablanca", "2026-02-15T02:00:00Z"],
    ["Asia/Pyongyang", "2015-08-14T15:00:00Z"],
    ["Pacific/Apia", "2011-12-30T10:00:00Z"],
    ["Etc/UTC", "2026-10-25T01:00:00Z"],
  ])("refuses in %s around %s what another instant was before, and nothing else", (zone, change) => {
    const seen = new Set<string>();
    for (let minutes = -26 * 60; minutes <= 26 * 60; minutes += 10) {
      const start = new Date(Date.parse(change) + minutes * minuteMs);
      const text = formatStartDate(start, zone);
      if (seen.has(text)) expect(() => eventTimes({ start, zone }), text).toThrow(RangeError);
      else expect(eventTimes({ start, zone }).start_date).toBe(text);
      seen.add(text);
    }
  });
});
