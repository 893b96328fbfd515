import ICAL from "ical.js";
import nodeIcal from "node-ical";
import { convertIcsCalendar } from "ts-ics";
import { describe, expect, test } from "vitest";
import { realisticEvents } from "./realistic-events.js";
import { eventText, type Day, type FeedEvent } from "../src/index.js";
import { contentLines, faults, normalized, parsed, valuesOf } from "./reading.js";
import { feed, harmlessCalendar, harmlessEvent } from "./samples.js";

/** The lines of an event with that name, as written. */
function linesOf(event: FeedEvent, name: string): readonly string[] {
  return eventText(event)
    .split("\r\n")
    .filter((line) => line.startsWith(name));
}

test("1,000 realistic events are read by ical.js with the same count, times and texts", () => {
  const events = realisticEvents(1000);
  const written = feed(harmlessCalendar, events);
  expect(faults(written)).toEqual([]);
  const components = new ICAL.Component([...ICAL.parse(written)]).getAllSubcomponents("vevent");
  expect(components.length).toBe(1000);
  components.forEach((component, index) => {
    const given = events[index] ?? harmlessEvent;
    const read = new ICAL.Event(component);
    expect([read.uid, read.summary, read.description, read.location]).toEqual([
      given.uid,
      given.title,
      normalized(given.description),
      given.location,
    ]);
    expect([read.startDate, read.endDate].map(seconds)).toEqual(timesOf(given));
    expect(read.startDate.isDate).toBe("firstDay" in given.when);
    expect(read.sequence).toBe(given.sequence);
    for (const name of ["dtstamp", "last-modified"])
      expect(seconds(component.getFirstPropertyValue(name))).toBe(given.modifiedAt);
    expect(seconds(component.getFirstPropertyValue("created"))).toBe(given.createdAt);
    const trigger = component.getFirstSubcomponent("valarm")?.getFirstPropertyValue("trigger");
    expect(trigger?.toString()).toBe(
      given.reminderMinutes === undefined ? undefined : `-PT${given.reminderMinutes}M`,
    );
  });
});

test("the same feed is read by ts-ics, an independent parser, with the same count, ids and times", () => {
  const events = realisticEvents(1000);
  const { events: found = [] } = convertIcsCalendar(undefined, feed(harmlessCalendar, events));
  expect(found.map(({ uid }) => uid)).toEqual(events.map(({ uid }) => uid));
  found.forEach(({ start, end, sequence }, index) => {
    const given = events[index] ?? harmlessEvent;
    expect([start, end].map((time) => (time?.date.getTime() ?? Number.NaN) / 1000)).toEqual(timesOf(given));
    expect(sequence ?? 0).toBe(given.sequence); // ts-ics drops a zero
  });
});

describe("whole days", () => {
  const lastDays: readonly (readonly [firstDay: Day, lastDay: Day, end: string])[] = [
    [{ year: 2026, month: 12, day: 1 }, { year: 2026, month: 12, day: 1 }, "20261202"],
    [{ year: 2026, month: 4, day: 30 }, { year: 2026, month: 4, day: 30 }, "20260501"],
    [{ year: 2026, month: 12, day: 31 }, { year: 2026, month: 12, day: 31 }, "20270101"],
    [{ year: 2026, month: 2, day: 28 }, { year: 2026, month: 2, day: 28 }, "20260301"],
    [{ year: 2028, month: 2, day: 28 }, { year: 2028, month: 2, day: 28 }, "20280229"],
    [{ year: 2028, month: 2, day: 29 }, { year: 2028, month: 2, day: 29 }, "20280301"],
    [{ year: 1900, month: 2, day: 28 }, { year: 1900, month: 2, day: 28 }, "19000301"],
    [{ year: 2000, month: 2, day: 28 }, { year: 2000, month: 2, day: 28 }, "20000229"],
    [{ year: 2026, month: 12, day: 24 }, { year: 2027, month: 1, day: 6 }, "20270107"],
  ];

  test.each(lastDays)("from %o to %o end before %s", (firstDay, lastDay, end) => {
    const event = { ...harmlessEvent, when: { firstDay, lastDay } };
    expect(linesOf(event, "DTEND")).toEqual([`DTEND;VALUE=DATE:${end}`]);
    expect(linesOf(event, "TRANSP")).toEqual(["TRANSP:TRANSPARENT"]);
  });

  test("that end with the last day of all have no end that could not be written", () => {
    const last = { year: 9999, month: 12, day: 31 };
    const event = { ...harmlessEvent, when: { firstDay: last, lastDay: last } };
    expect(linesOf(event, "DT").slice(1)).toEqual(["DTSTART;VALUE=DATE:99991231"]); // one day (RFC 5545 3.6.1)
    const days = { ...harmlessEvent, when: { firstDay: { ...last, day: 30 }, lastDay: last } };
    expect(linesOf(days, "DTSTART")).toEqual(["DTSTART;VALUE=DATE:99991230"]);
    expect(linesOf(days, "DTEND")).toEqual([]);
    expect(linesOf(days, "DURATION")).toEqual(["DURATION:P2D"]);
    expect(faults(feed(harmlessCalendar, [event, days]))).toEqual([]);
  });
});

describe("a time", () => {
  test("is in UTC, with its end", () => {
    expect(linesOf(harmlessEvent, "DT")).toEqual([
      "DTSTAMP:20261120T101500Z",
      "DTSTART:20261201T090000Z",
      "DTEND:20261201T100000Z",
    ]);
    expect(linesOf(harmlessEvent, "TRANSP")).toEqual(["TRANSP:OPAQUE"]);
  });

  test.each([
    ["the end is the start", 1_796_115_600, 1_796_115_600],
    ["the end is before the start", 1_796_115_600, 1_796_115_599],
    ["both are past the year 9999", 253_402_300_800, 253_402_400_000],
  ])("has no DTEND when %s", (_, startAt, endAt) => {
    const event = { ...harmlessEvent, when: { startAt, endAt } };
    expect(linesOf(event, "DTSTART").length).toBe(1);
    expect(linesOf(event, "DTEND")).toEqual([]);
  });

  test("of the years 1900 and 9999 is read back", () => {
    const spans = [-2_208_988_800, 253_402_297_200].map((startAt) => ({ startAt, endAt: startAt + 3599 }));
    const written = feed(
      harmlessCalendar,
      spans.map((when) => ({ ...harmlessEvent, when })),
    );
    expect(parsed(written)[2].map((event) => valuesOf(event, "dtend"))).toEqual([
      ["1900-01-01T00:59:59Z"],
      ["9999-12-31T23:59:59Z"],
    ]);
  });
});

test("numbers that no parser takes are not written", () => {
  const sequences = [0, 7, 2_147_483_648, 2.9, -1, Number.NaN];
  expect(sequences.flatMap((sequence) => linesOf({ ...harmlessEvent, sequence }, "SEQUENCE"))).toEqual([
    "SEQUENCE:0",
    "SEQUENCE:7",
    "SEQUENCE:2147483647",
    "SEQUENCE:2",
    "SEQUENCE:0",
    "SEQUENCE:0",
  ]);
  const minutes = [0, 40_320, 1.5, -5];
  expect(
    minutes.flatMap((reminderMinutes) => linesOf({ ...harmlessEvent, reminderMinutes }, "TRIGGER")),
  ).toEqual(["TRIGGER:-PT0M", "TRIGGER:-PT40320M", "TRIGGER:-PT1M", "TRIGGER:-PT0M"]);
});

test("an event without texts, colour and alarm has nothing but what it must have", () => {
  const bare = {
    ...harmlessEvent,
    title: "",
    description: "",
    location: "",
    organizer: "",
    organizerEmail: "",
    reminderMinutes: undefined,
  };
  expect(contentLines(eventText(bare)).map(({ name }) => name)).toEqual([
    ...["BEGIN", "UID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE", "DTSTART", "DTEND"],
    ...["STATUS", "TRANSP", "CLASS", "END"],
  ]);
});

test("an alarm has a text, as it must, also when the event has no title", () => {
  expect(linesOf({ ...harmlessEvent, title: "\0", description: "" }, "DESCRIPTION")).toEqual([
    "DESCRIPTION:Reminder",
  ]);
});

test.each([
  ["Jane", "jane@example.org", 'ORGANIZER;CN="Jane":mailto:jane@example.org'],
  ["", "jane@example.org", "ORGANIZER:mailto:jane@example.org"],
  ["Jane", "", "CONTACT:Jane"],
  ["Jane", "jane", "CONTACT:Jane"],
  ["Jane", "jane@example.org, joe@example.org", "CONTACT:Jane"],
  ["Jane", "jane?cc=joe&a=b@example.org", 'ORGANIZER;CN="Jane":mailto:jane%3Fcc%3Djoe%26a%3Db@example.org'],
  ["Jane", "o'neil+a@münchen.example", 'ORGANIZER;CN="Jane":mailto:o\'neil+a@m%C3%BCnchen.example'],
  ["Jane", "100%25@example.org", 'ORGANIZER;CN="Jane":mailto:100%2525@example.org'],
  ["", "jane", undefined],
])("the organizer %j with the address %j is %s", (organizer, organizerEmail, want) => {
  const lines = contentLines(eventText({ ...harmlessEvent, organizer, organizerEmail }));
  const found = lines.findIndex(({ name }) => name === "ORGANIZER" || name === "CONTACT");
  const unfolded = eventText({ ...harmlessEvent, organizer, organizerEmail })
    .replaceAll("\r\n ", "")
    .split("\r\n");
  expect(unfolded[found]).toBe(want);
});

/** Unix seconds, of a date those of its midnight in UTC. */
function seconds(time: unknown): number {
  if (!(time instanceof ICAL.Time)) throw new Error("no time");
  const zoned = time.clone();
  zoned.zone = ICAL.Timezone.utcTimezone;
  return zoned.toUnixTime();
}

function timesOf({ when }: FeedEvent): readonly number[] {
  if ("startAt" in when) return [when.startAt, when.endAt];
  const midnight = ({ year, month, day }: Day, later: number): number =>
    Date.UTC(year, month - 1, day + later) / 1000;
  return [midnight(when.firstDay, 0), midnight(when.lastDay, 1)];
}

test("a cancelled and a tentative event are read as such by ical.js, ts-ics and node-ical", () => {
  const statuses = ["confirmed", "tentative", "cancelled"] as const;
  const events = statuses.map((status) => ({ ...harmlessEvent, uid: status, status }));
  const written = feed(harmlessCalendar, events);
  const wanted = statuses.map((status) => [status, status.toUpperCase()]);
  const components = new ICAL.Component([...ICAL.parse(written)]).getAllSubcomponents("vevent");
  expect(components.map((one) => ["uid", "status"].map((name) => one.getFirstPropertyValue(name)))).toEqual(
    wanted,
  );
  const { events: found = [] } = convertIcsCalendar(undefined, written);
  expect(found.map(({ uid, status }) => [uid, status])).toEqual(wanted);
  const entries = Object.values(nodeIcal.sync.parseICS(written)).filter((entry) => entry?.type === "VEVENT");
  expect(entries.map(({ uid, status }) => [uid, status])).toEqual(wanted);
});

test("a cancelled event takes no one's time and reminds no one", () => {
  const event = { ...harmlessEvent, status: "cancelled" } as const;
  expect(linesOf(harmlessEvent, "TRANSP")).toEqual(["TRANSP:OPAQUE"]);
  expect(linesOf(event, "TRANSP")).toEqual(["TRANSP:TRANSPARENT"]);
  expect(linesOf(harmlessEvent, "BEGIN:VALARM")).toHaveLength(1);
  expect(linesOf(event, "BEGIN:VALARM")).toEqual([]);
});

describe("categories", () => {
  const named = (categories: readonly string[]): FeedEvent => ({ ...harmlessEvent, categories });

  test("are one list, whose names no character of theirs can split or end", () => {
    const hostile = [
      "Music",
      "Semi;colon",
      "Com,ma",
      "Back\\slash",
      "Line\r\nBEGIN:VTODO",
      "é 🎉".repeat(30),
    ];
    const text = feed(harmlessCalendar, [named(hostile)]);
    expect(faults(text)).toEqual([]);
    const [event] = new ICAL.Component([...ICAL.parse(text)]).getAllSubcomponents("vevent");
    expect(event?.getFirstProperty("categories")?.getValues()).toEqual(
      hostile.map((name) => name.replace("\r\n", " ")),
    );
    expect(text).not.toMatch(/^BEGIN:VTODO/m);
  });

  test("are left out where there are none, or nothing of them is left", () => {
    for (const categories of [[], [""], [" ", "\u0000"]])
      expect(linesOf(named(categories), "CATEGORIES")).toEqual([]);
    expect(linesOf(named(["", "Music"]), "CATEGORIES")).toEqual(["CATEGORIES:Music"]);
  });
});
