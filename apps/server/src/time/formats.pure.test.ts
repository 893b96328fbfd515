import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatDate,
  formatDateTime,
  formatMeridiem,
  formatTime,
  monthIndex,
  monthOf,
  monthStart,
  isDateAlone,
  parseStartDate,
  parseUpcoming,
} from "./formats.js";

/** The same in each run; KALENDS_SEED sets another one. */
const seed = Number(process.env.KALENDS_SEED ?? 7);

describe("start_date and end_date", () => {
  test.each([
    { title: "24 hours without a marker", given: "03/08/2026 14:30", want: "2026-03-08T14:30:00" },
    { title: "00:00 is the start of the day", given: "03/08/2026 00:00", want: "2026-03-08T00:00:00" },
    { title: "23:59 is its last minute", given: "03/08/2026 23:59", want: "2026-03-08T23:59:00" },
    { title: "AM", given: "03/08/2026 09:05 AM", want: "2026-03-08T09:05:00" },
    { title: "PM", given: "03/08/2026 09:05 PM", want: "2026-03-08T21:05:00" },
    { title: "the marker in lower case", given: "03/08/2026 09:05 pm", want: "2026-03-08T21:05:00" },
    { title: "the marker in mixed case", given: "03/08/2026 09:05 aM", want: "2026-03-08T09:05:00" },
    { title: "12 AM is midnight", given: "03/08/2026 12:30 AM", want: "2026-03-08T00:30:00" },
    { title: "12 PM is noon", given: "03/08/2026 12:30 PM", want: "2026-03-08T12:30:00" },
    { title: "13 PM, as in responses", given: "03/08/2026 13:00 PM", want: "2026-03-08T13:00:00" },
    { title: "23 PM, as in responses", given: "03/08/2026 23:59 PM", want: "2026-03-08T23:59:00" },
    { title: "0 AM, as in responses", given: "03/08/2026 00:30 AM", want: "2026-03-08T00:30:00" },
    { title: "seconds are dropped", given: "03/08/2026 14:30:59", want: "2026-03-08T14:30:00" },
    { title: "seconds before 1970 are dropped", given: "03/08/1926 14:30:59", want: "1926-03-08T14:30:00" },
    { title: "seconds and PM", given: "03/08/2026 02:30:15 PM", want: "2026-03-08T14:30:00" },
    {
      title: "seconds and PM, as in responses",
      given: "03/08/2026 14:30:00 PM",
      want: "2026-03-08T14:30:00",
    },
    { title: "year first", given: "2026-03-08 14:30", want: "2026-03-08T14:30:00" },
    { title: "year first with seconds", given: "2026-03-08 14:30:59", want: "2026-03-08T14:30:00" },
    { title: "year first with T", given: "2026-03-08T14:30", want: "2026-03-08T14:30:00" },
    { title: "year first with T and seconds", given: "2026-03-08T14:30:59", want: "2026-03-08T14:30:00" },
    { title: "a date alone", given: "03/08/2026", want: "2026-03-08T00:00:00" },
    { title: "a date alone, year first", given: "2026-03-08", want: "2026-03-08T00:00:00" },
    { title: "29 February of a leap year", given: "02/29/2028 10:00", want: "2028-02-29T10:00:00" },
    { title: "29 February 2000", given: "02/29/2000 10:00", want: "2000-02-29T10:00:00" },
    { title: "the first year", given: "01/01/1900 00:00", want: "1900-01-01T00:00:00" },
    { title: "the last year", given: "12/31/9999 23:59", want: "9999-12-31T23:59:00" },
  ])("$title: $given is read", ({ given, want }) => {
    expect(parseStartDate(given)).toBe(wall(want));
  });

  test.each([
    { title: "13 AM", given: "03/08/2026 13:00 AM" },
    { title: "0 PM", given: "03/08/2026 00:30 PM" },
    { title: "24 hours", given: "03/08/2026 24:00" },
    { title: "24 PM", given: "03/08/2026 24:00 PM" },
    { title: "60 minutes", given: "03/08/2026 10:60" },
    { title: "30 February", given: "02/30/2026 10:00" },
    { title: "29 February of a common year", given: "02/29/2026 10:00" },
    { title: "29 February 2100", given: "02/29/2100 10:00" },
    { title: "31 April", given: "04/31/2026 10:00" },
    { title: "month 0", given: "00/10/2026 10:00" },
    { title: "month 13", given: "13/01/2026 10:00" },
    { title: "month 25, a day first", given: "25/12/2026 10:00" },
    { title: "day 0", given: "03/00/2026 10:00" },
    { title: "day 32", given: "03/32/2026 10:00" },
    { title: "the year 1899", given: "12/31/1899 23:59" },
    { title: "the year 0", given: "01/01/0000 00:00" },
    { title: "the year 10000", given: "01/01/10000 00:00" },
    { title: "a year of two digits", given: "03/08/26 10:00" },
    { title: "an hour of one digit", given: "03/08/2026 9:00 AM" },
    { title: "a month of one digit", given: "3/08/2026 09:00" },
    { title: "60 seconds", given: "03/08/2026 10:00:60" },
    { title: "60 seconds, year first", given: "2026-03-08 10:00:60" },
    { title: "0 PM with seconds", given: "03/08/2026 00:30:00 PM" },
    { title: "fractions of a second", given: "2026-03-08 10:00:00.000" },
    { title: "a marker, year first", given: "2026-03-08 10:00 AM" },
    { title: "30 February, year first", given: "2026-02-30 10:00" },
    { title: "30 February alone", given: "02/30/2026" },
    { title: "the day before the month, year first", given: "2026-25-12 10:00" },
    { title: "the year 1899, year first", given: "1899-12-31 23:59" },
    { title: "a month of one digit, year first", given: "2026-3-08 09:00" },
    { title: "24 hours, year first", given: "2026-03-08T24:00" },
    { title: "a small t", given: "2026-03-08t10:00" },
    { title: "slashes, year first", given: "2026/03/08 10:00" },
    { title: "dots", given: "08.03.2026 10:00" },
    { title: "an offset", given: "2026-03-08T10:00:00+01:00" },
    { title: "an offset without a colon", given: "2026-03-08T10:00+0100" },
    { title: "an offset of the contract's form", given: "03/08/2026 10:00 +01:00" },
    { title: "Z without seconds", given: "2026-03-08 10:00Z" },
    { title: "a date and T", given: "2026-03-08T" },
    { title: "no blank before the marker", given: "03/08/2026 10:00AM" },
    { title: "two blanks before the marker", given: "03/08/2026 10:00  AM" },
    { title: "two blanks before the time", given: "03/08/2026  10:00" },
    { title: "a blank in front", given: " 03/08/2026 10:00" },
    { title: "a blank behind", given: "03/08/2026 10:00 " },
    { title: "a line break behind", given: "03/08/2026 10:00\n" },
    { title: "a tab", given: "03/08/2026\t10:00" },
    { title: "a T", given: "03/08/2026T10:00" },
    { title: "ISO 8601", given: "2026-03-08T10:00:00Z" },
    { title: "dashes", given: "03-08-2026 10:00" },
    { title: "half a marker", given: "03/08/2026 10:00 A" },
    { title: "Arabic digits", given: "٠٣/٠٨/٢٠٢٦ ١٠:٠٠" },
    { title: "now", given: "now" },
    { title: "nothing", given: "" },
  ])("$title: '$given' is refused", ({ given }) => {
    expect(parseStartDate(given)).toBeUndefined();
  });
});

test("a date alone differs from one with a time", () => {
  const isAlone = ["03/08/2026", "2026-03-08", "03/08/2026 10:00", "2026-03-08T10:00:00"].map(isDateAlone);
  expect(isAlone).toEqual([true, true, false, false]);
});

describe("upcoming", () => {
  test.each([
    { title: "year first, dashes", given: "2026-03-08 14:30:15", want: "2026-03-08T14:30:15" },
    { title: "day first, dashes", given: "08-03-2026 14:30:15", want: "2026-03-08T14:30:15" },
    { title: "year first, slashes", given: "2026/03/08 02:30pm", want: "2026-03-08T14:30:00" },
    { title: "month first, slashes", given: "03/08/2026 02:30am", want: "2026-03-08T02:30:00" },
    { title: "a blank before the marker", given: "03/08/2026 02:30 pm", want: "2026-03-08T14:30:00" },
    { title: "the marker in upper case", given: "2026/03/08 02:30 PM", want: "2026-03-08T14:30:00" },
    { title: "12 am is midnight", given: "2026/03/08 12:00am", want: "2026-03-08T00:00:00" },
    { title: "12 pm is noon", given: "2026/03/08 12:00pm", want: "2026-03-08T12:00:00" },
    { title: "0 am", given: "2026/03/08 00:30am", want: "2026-03-08T00:30:00" },
    { title: "13 pm", given: "2026/03/08 13:00pm", want: "2026-03-08T13:00:00" },
    { title: "a date alone, year first, dashes", given: "2026-03-08", want: "2026-03-08T00:00:00" },
    { title: "a date alone, day first", given: "31-12-2026", want: "2026-12-31T00:00:00" },
    { title: "a date alone, year first, slashes", given: "2026/03/08", want: "2026-03-08T00:00:00" },
    { title: "a date alone, month first", given: "12/31/2026", want: "2026-12-31T00:00:00" },
  ])("$title: $given is read", ({ given, want }) => {
    expect(parseUpcoming(given)).toBe(wall(want));
  });

  test.each([
    { title: "24 hours", given: "2026-03-08 24:00:00" },
    { title: "60 seconds", given: "2026-03-08 23:59:60" },
    { title: "30 February", given: "30-02-2026 00:00:00" },
    { title: "month 13, a month first with dashes", given: "03-13-2026 10:00:00" },
    { title: "30 February alone", given: "2026/02/30" },
    { title: "13 am", given: "2026/03/08 13:00am" },
    { title: "0 pm", given: "03/08/2026 00:00pm" },
    { title: "slashes without a marker", given: "2026/03/08 14:30" },
    { title: "dashes with a marker", given: "2026-03-08 02:30pm" },
    { title: "dashes without seconds", given: "2026-03-08 14:30" },
    { title: "two blanks before the marker", given: "03/08/2026 02:30  pm" },
    { title: "an hour of one digit", given: "03/08/2026 2:30pm" },
    { title: "mixed separators", given: "2026-03/08" },
    { title: "the year 1899", given: "1899-12-31" },
    { title: "a blank behind", given: "2026-03-08 " },
    { title: "now, which the caller handles", given: "now" },
    { title: "nothing", given: "" },
  ])("$title: '$given' is refused", ({ given }) => {
    expect(parseUpcoming(given)).toBeUndefined();
  });
});

describe("formatting dates and times", () => {
  test.each([
    { given: "2026-03-08T00:00:00", date: "03/08/2026", time: "00:00:00", meridiem: "AM" },
    { given: "2026-03-08T11:59:59", date: "03/08/2026", time: "11:59:59", meridiem: "AM" },
    { given: "2026-12-31T12:00:00", date: "12/31/2026", time: "12:00:00", meridiem: "PM" },
    { given: "1900-01-01T23:05:09", date: "01/01/1900", time: "23:05:09", meridiem: "PM" },
    { given: "9999-12-31T23:59:59", date: "12/31/9999", time: "23:59:59", meridiem: "PM" },
  ])("$given is $date $time $meridiem", ({ given, date, time, meridiem }) => {
    const local = wall(given);
    expect([formatDate(local), formatTime(local), formatMeridiem(local)]).toEqual([date, time, meridiem]);
    expect(formatDateTime(local)).toBe(`${date} ${time}`);
  });

  test("a formatted time parses to the same time, with the marker and without", () => {
    const minute = fc.integer({
      min: wall("1900-01-01T00:00:00") / 60,
      max: wall("9999-12-31T23:59:00") / 60,
    });
    fc.assert(
      fc.property(minute, (count) => {
        const local = count * 60;
        const withSeconds = formatDateTime(local);
        for (const shown of [withSeconds, withSeconds.slice(0, -3)]) {
          expect(parseStartDate(shown)).toBe(local);
          expect(parseStartDate(`${shown} ${formatMeridiem(local)}`)).toBe(local);
        }
      }),
      { numRuns: 2_000, seed },
    );
  });
});

describe("months", () => {
  test.each([
    { year: "2026", month: "03", first: "2026-03-01T00:00:00", last: "2026-03-31T23:59:59" },
    { year: "2028", month: "02", first: "2028-02-01T00:00:00", last: "2028-02-29T23:59:59" },
    { year: "2026", month: "12", first: "2026-12-01T00:00:00", last: "2026-12-31T23:59:59" },
    { year: "1900", month: "1", first: "1900-01-01T00:00:00", last: "1900-01-31T23:59:59" },
    { year: "9999", month: "12", first: "9999-12-01T00:00:00", last: "9999-12-31T23:59:59" },
  ])("$year-$month goes from $first to $last", ({ year, month, first, last }) => {
    const index = monthOf(year, month);
    expect([monthIndex(wall(first)), monthIndex(wall(last))]).toEqual([index, index]);
    expect(monthStart(index)).toBe(wall(first));
    expect(monthStart(index + 1)).toBe(wall(last) + 1);
  });
});

function wall(text: string): number {
  return Date.parse(`${text}Z`) / 1000;
}
