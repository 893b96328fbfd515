import { expect, test } from "vitest";
import { eventsOfFile, lookAlikes, partsOf, withoutEvents } from "./look-alikes.js";

const file = [
  "BEGIN:VCALENDAR",
  "BEGIN:VEVENT",
  "UID:a@example.com",
  'DTSTART;TZID="Europe: Berlin":20270305T190000',
  "SUMMARY;LANGUAGE=en:Choir\\, and",
  "  more",
  "END:VEVENT",
  "BEGIN:VEVENT",
  "UID:b@exam",
  " ple.com",
  "DTSTART:20270306T180000Z",
  "SUMMARY:Dance",
  "BEGIN:VALARM",
  "UID:alarm",
  "END:VALARM",
  "END:VEVENT",
  "BEGIN:VEVENT",
  "UID:c@example.com",
  "DTSTART;VALUE=DATE:20270307",
  "SUMMARY:Fair",
  "END:VEVENT",
  "END:VCALENDAR",
  "",
].join("\r\n");

test("the events of a file have their UID, title and start, on folded lines too", () => {
  expect(eventsOfFile(file)).toEqual([
    { uid: "a@example.com", title: "Choir, and more", start: "2027-03-05T19:00" },
    { uid: "b@example.com", title: "Dance", start: "2027-03-06T18:00Z" },
    { uid: "c@example.com", title: "Fair", start: "2027-03-07" },
  ]);
});

test("those that are there are found by wall clock, by instant and by day, whatever their case", () => {
  const there = [
    {
      title: "CHOIR, and more ",
      start_date: "2027-03-05T19:00",
      start_at: "2027-03-05T18:00:00Z",
      all_day_event: false,
    },
    {
      title: "Dance",
      start_date: "2027-03-06T19:00",
      start_at: "2027-03-06T18:00:00Z",
      all_day_event: false,
    },
    { title: "Fair", start_date: "2027-03-08", start_at: "2027-03-07T23:00:00Z", all_day_event: true },
  ];
  expect(lookAlikes(eventsOfFile(file), there).map(({ title }) => title)).toEqual([
    "Choir, and more",
    "Dance",
  ]);
});

test("what is not wanted is left out, and the rest stays", () => {
  const rest = withoutEvents(file, new Set(["b@example.com"]));
  expect(eventsOfFile(rest).map(({ title }) => title)).toEqual(["Choir, and more", "Fair"]);
  expect(rest).not.toContain("VALARM");
  expect(withoutEvents(file, new Set())).toBe(file);
});

test("a file is imported in parts, which have each event once and those of one UID together", () => {
  const event = (uid: string): string => `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:20270305\r\nEND:VEVENT`;
  const lines = [
    "BEGIN:VCALENDAR",
    "X-WR-CALNAME:Town",
    ...["a", "b", "a", "c"].map(event),
    "END:VCALENDAR",
    "",
  ];
  const parts = partsOf(lines.join("\r\n"), 2);
  expect(parts.map((part) => eventsOfFile(part).map(({ uid }) => uid))).toEqual([["a", "a", "b"], ["c"]]);
  expect(
    parts.every((part) => /^BEGIN:VCALENDAR\r\nX-WR-CALNAME:Town\r\n[^]*END:VCALENDAR\r\n$/.test(part)),
  ).toBe(true);
});
