import { describe, expect, test } from "vitest";
import { eventDates } from "./dates.js";

const unix = (iso: string): number => Date.parse(iso) / 1000;

describe("eventDates", () => {
  const cases = [
    {
      title: "an end that is not given is one hour after the start",
      given: { start_date: "07/04/2026 01:30 PM" },
      zone: "America/New_York",
      want: { start: "2026-07-04T17:30:00Z", end: "2026-07-04T18:30:00Z", shown: "2026-07-04T13:30:00Z" },
    },
    {
      title: "one hour is an hour of real time, across the end of summer time too",
      given: { start_date: "11/01/2026 01:30" },
      zone: "America/New_York",
      want: { start: "2026-11-01T05:30:00Z", end: "2026-11-01T06:30:00Z", shown: "2026-11-01T01:30:00Z" },
    },
    {
      title: "a start that the clock skips moves forward by the gap",
      given: { start_date: "03/29/2026 02:30", end_date: "03/29/2026 05:00" },
      zone: "Europe/Paris",
      want: { start: "2026-03-29T01:30:00Z", end: "2026-03-29T03:00:00Z", shown: "2026-03-29T03:30:00Z" },
    },
    {
      title: "a start that occurs twice is the first",
      given: { start_date: "10/25/2026 02:30", end_date: "10/25/2026 03:30" },
      zone: "Europe/Paris",
      want: { start: "2026-10-25T00:30:00Z", end: "2026-10-25T02:30:00Z", shown: "2026-10-25T02:30:00Z" },
    },
  ];
  for (const { title, given, zone, want } of cases) {
    test(title, () => {
      const dates = eventDates(given, zone, false);
      expect(dates).toMatchObject({
        start_at: unix(want.start),
        end_at: unix(want.end),
        start_local: unix(want.shown),
      });
    });
  }

  test("an all-day event shows the times as given even where the clock skips them", () => {
    const dates = eventDates(
      { start_date: "04/24/2026 00:00", end_date: "04/25/2026 00:00" },
      "Africa/Cairo",
      true,
    );
    expect(dates).toMatchObject({
      start_local: unix("2026-04-24T00:00:00Z"),
      end_local: unix("2026-04-25T00:00:00Z"),
    });
  });

  test("an end before the start is refused, an equal one is not", () => {
    const start_date = "07/04/2026 13:30";
    expect(eventDates({ start_date, end_date: "07/04/2026 13:29" }, "UTC", false)).toBe("end_before_start");
    expect(eventDates({ start_date, end_date: start_date }, "UTC", false)).toMatchObject({
      end_at: unix("2026-07-04T13:30:00Z"),
    });
  });

  test("an end that comes before a start moved by a gap is refused", () => {
    const given = { start_date: "03/29/2026 02:30", end_date: "03/29/2026 03:10" };
    expect(eventDates(given, "Europe/Paris", false)).toBe("end_before_start");
  });

  test("a default end past the year 9999 is refused", () => {
    expect(eventDates({ start_date: "12/31/9999 23:30" }, "UTC", false)).toBe("end_too_late");
  });
});
