import { describe, expect, test } from "vitest";
import { formatOffset, isZone, listedZones, standardOffset, toLocal, toUnix } from "./zones.js";

// `want` is the wall clock at the resulting instant, with its offset.
const cases = {
  "America/New_York": [
    {
      title: "a time in the gap becomes later by the gap",
      given: "2026-03-08T02:30",
      want: "2026-03-08T03:30-04:00",
    },
    {
      title: "a repeated time is the first occurrence",
      given: "2026-11-01T01:30",
      want: "2026-11-01T01:30-04:00",
    },
    { title: "a minute before the gap", given: "2026-03-08T01:59", want: "2026-03-08T01:59-05:00" },
    { title: "the end of the gap", given: "2026-03-08T03:00", want: "2026-03-08T03:00-04:00" },
    { title: "the end of the repeated hour", given: "2026-11-01T02:00", want: "2026-11-01T02:00-05:00" },
    { title: "1900", given: "1900-01-01T00:00", want: "1900-01-01T00:00-05:00" },
    { title: "July 2038", given: "2038-07-01T12:00", want: "2038-07-01T12:00-04:00" },
    { title: "January 2100", given: "2100-01-01T12:00", want: "2100-01-01T12:00-05:00" },
    { title: "July 2100", given: "2100-07-01T12:00", want: "2100-07-01T12:00-04:00" },
    { title: "July 9999", given: "9999-07-01T12:00", want: "9999-07-01T12:00-04:00" },
    { title: "9999's second Sunday of March", given: "9999-03-14T02:30", want: "9999-03-14T03:30-04:00" },
    { title: "9999's first Sunday of November", given: "9999-11-07T02:00", want: "9999-11-07T02:00-05:00" },
  ],
  "Australia/Sydney": [
    { title: "January 2100", given: "2100-01-01T12:00", want: "2100-01-01T12:00+11:00" },
    { title: "July 2100", given: "2100-07-01T12:00", want: "2100-07-01T12:00+10:00" },
    {
      title: "the last minute of the data",
      given: "2498-12-31T23:59",
      want: "2498-12-31T23:59+11:00",
    },
    { title: "the first minute after the data", given: "2499-01-01T00:00", want: "2499-01-01T00:00+11:00" },
    { title: "January 9999", given: "9999-01-01T12:00", want: "9999-01-01T12:00+11:00" },
    { title: "the last minute of 9999", given: "9999-12-31T23:59", want: "9999-12-31T23:59+11:00" },
  ],
  "Australia/Lord_Howe": [
    { title: "a gap of half an hour", given: "2026-10-04T02:15", want: "2026-10-04T02:45+11:00" },
    { title: "a repeated half hour", given: "2026-04-05T01:45", want: "2026-04-05T01:45+11:00" },
    { title: "the end of the second half hour", given: "2026-04-05T02:00", want: "2026-04-05T02:00+10:30" },
  ],
  "Pacific/Apia": [
    {
      title: "a skipped day becomes the next",
      given: "2011-12-30T12:00",
      want: "2011-12-31T12:00+14:00",
    },
    { title: "the day before it", given: "2011-12-29T23:59", want: "2011-12-29T23:59-10:00" },
  ],
  "Asia/Kathmandu": [
    { title: "a quarter hour", given: "2026-01-01T00:00", want: "2026-01-01T00:00+05:45" },
    { title: "half an hour before 1986", given: "1985-12-31T00:00", want: "1985-12-31T00:00+05:30" },
  ],
  "America/Vancouver": [
    { title: "winter of 2026", given: "2026-01-15T12:00", want: "2026-01-15T12:00-08:00" },
    { title: "-07 for good: winter of 2027", given: "2027-01-15T12:00", want: "2027-01-15T12:00-07:00" },
    { title: "-07 for good: summer of 2027", given: "2027-07-15T12:00", want: "2027-07-15T12:00-07:00" },
  ],
  "Africa/Casablanca": [
    { title: "+01 until September 2026", given: "2026-06-15T12:00", want: "2026-06-15T12:00+01:00" },
    { title: "+00 from then on", given: "2027-06-15T12:00", want: "2027-06-15T12:00+00:00" },
  ],
  "Africa/Cairo": [
    { title: "a midnight that does not exist", given: "2026-04-24T00:00", want: "2026-04-24T01:00+03:00" },
  ],
  "Asia/Beirut": [
    { title: "a day that starts at 01:00", given: "2026-03-29T00:30", want: "2026-03-29T01:30+03:00" },
  ],
  "Asia/Gaza": [
    { title: "2050's winter time in June", given: "2050-06-15T12:00", want: "2050-06-15T12:00+02:00" },
    { title: "2050's summer time after it", given: "2050-07-15T12:00", want: "2050-07-15T12:00+03:00" },
  ],
  "Africa/Monrovia": [
    { title: "seconds until 1972", given: "1972-01-06T12:00", want: "1972-01-06T12:00-00:44:30" },
    { title: "a gap with seconds", given: "1972-01-07T00:10:00", want: "1972-01-07T00:54:30+00:00" },
  ],
  "Europe/Paris": [
    { title: "1900, local mean time", given: "1900-01-01T00:00", want: "1900-01-01T00:00+00:09:21" },
  ],
  "US/Pacific": [
    {
      title: "an alias has the rules of its zone",
      given: "2026-07-01T12:00",
      want: "2026-07-01T12:00-07:00",
    },
  ],
};

const rows = Object.entries(cases).flatMap(([zone, list]) => list.map((row) => ({ zone, ...row })));

describe("conversion", () => {
  test.each(rows)("$zone, $title: $given is $want", ({ zone, given, want }) => {
    const [, shown = "", sign, offset = ""] = /^(.+)([-+])([\d:]+)$/.exec(want) ?? [];
    const offsetSeconds = (Number(sign + "1") * Date.parse(`1970-01-01T${offset}Z`)) / 1000;
    expect(toUnix(wall(given), zone)).toBe(wall(shown) - offsetSeconds);
    expect(toLocal(wall(shown) - offsetSeconds, zone)).toBe(wall(shown));
  });

  test("both occurrences of a repeated hour have the same wall clock", () => {
    const first = Date.parse("2026-11-01T05:30:00Z") / 1000;
    expect(toLocal(first, "America/New_York")).toBe(toLocal(first + 3600, "America/New_York"));
  });

  test("an unknown zone throws a RangeError", () => {
    expect(() => toUnix(0, "Mars/Olympus")).toThrow(RangeError);
    expect(() => toLocal(0, "__proto__")).toThrow(RangeError);
    expect(() => standardOffset("", 0)).toThrow(RangeError);
  });
});

describe("names", () => {
  test.each([
    "US/Pacific",
    "Asia/Calcutta",
    "UTC",
    "Etc/UTC",
    "GMT",
    "Europe/Kyiv",
    "Europe/Kiev",
    "EST5EDT",
    "Zulu",
  ])("%s is a zone", (name) => expect(isZone(name)).toBe(true));

  test.each([
    "america/los_angeles",
    "",
    " UTC",
    "+05:00",
    "PDT",
    "__proto__",
    "constructor",
    "America",
    "Factory",
  ])("'%s' is no zone", (name) => expect(isZone(name)).toBe(false));

  test("the list is in code point order and has the new names only", () => {
    expect(listedZones()).toEqual([...new Set(listedZones())].sort());
    expect(listedZones()).toContain("Asia/Kolkata");
    expect(listedZones()).not.toContain("Asia/Calcutta");
  });
});

describe("offset", () => {
  const now = Date.parse("2026-11-21T12:00:00Z") / 1000;
  test.each([
    { zone: "America/Los_Angeles", want: "-08:00" },
    { zone: "America/Vancouver", want: "-07:00" },
    { zone: "America/Havana", want: "-05:00" },
    { zone: "America/St_Johns", want: "-03:30" },
    { zone: "America/Nuuk", want: "-02:00" },
    { zone: "Etc/UTC", want: "00:00" },
    { zone: "Europe/London", want: "00:00" },
    { zone: "Europe/Dublin", want: "00:00" },
    { zone: "Africa/Casablanca", want: "00:00" },
    { zone: "Asia/Kolkata", want: "05:30" },
    { zone: "Asia/Kathmandu", want: "05:45" },
    { zone: "Australia/Sydney", want: "10:00" },
    { zone: "Australia/Lord_Howe", want: "10:30" },
    { zone: "Pacific/Chatham", want: "12:45" },
    { zone: "Pacific/Kiritimati", want: "14:00" },
  ])("$zone has $want, winter or summer", ({ zone, want }) => {
    expect(formatOffset(standardOffset(zone, now))).toBe(want);
    expect(formatOffset(standardOffset(zone, now + 182 * 86_400))).toBe(want);
  });

  test("the standard offset is that of the following 365 days, also in the year 9998", () => {
    expect(standardOffset("America/Vancouver", Date.parse("2025-11-21T12:00:00Z") / 1000)).toBe(-480);
    expect(standardOffset("America/New_York", Date.parse("9998-06-01T00:00:00Z") / 1000)).toBe(-300);
  });
});

function wall(text: string): number {
  return Date.parse(`${text}Z`) / 1000;
}
