import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { formatInstant } from "../time/instants.js";
import { formatWallClock } from "../time/formats.js";
import { calendarFile, vevent } from "../../test/calendar-files.js";
import { prepare } from "./prepare.js";

// Small files in the style of the programs that people export from, written for this test.

const now = Date.UTC(2026, 6, 1) / 1000;

function file(name: string): string {
  return readFileSync(new URL(`../../test/fixtures/ics/${name}.ics`, import.meta.url), "utf8");
}

/** What a file comes to, an event a line: start, end, zone, title, and what was noted. */
async function read(text: string): Promise<readonly string[]> {
  const { instances, skipped } = prepare(text, {
    timezone: "Europe/Rome",
    now,
    takesPrivate: false,
  });
  return [
    ...instances.map(({ dates, zone, texts, isAllDay, notes }) =>
      [
        isAllDay
          ? `${formatWallClock(dates.start_local).slice(0, 10)} to ${formatWallClock(dates.end_local).slice(0, 10)}`
          : `${formatInstant(dates.start_at)} +${(dates.end_at - dates.start_at) / 60}`,
        zone,
        texts.title,
        ...notes,
      ].join(" | "),
    ),
    ...skipped.map(({ title, reason }) => `skipped | ${title} | ${reason}`),
  ];
}

const expected = {
  google: [
    "2026-09-12T17:00:00Z +120 | Europe/Berlin | Summer fair",
    "2026-10-06T17:30:00Z +90 | Europe/Berlin | Choir practice",
    "2026-10-13T17:30:00Z +90 | Europe/Berlin | Choir practice",
    "2026-10-28T18:30:00Z +90 | Europe/Berlin | Choir practice (Wednesday this week)",
    "2026-11-03T18:30:00Z +90 | Europe/Berlin | Choir practice",
    "2026-11-10T18:30:00Z +90 | Europe/Berlin | Choir practice",
    "2026-10-03 to 2026-10-03 | Europe/Berlin | Open doors",
  ],
  apple: [
    "2026-07-18T16:00:00Z +360 | America/Los_Angeles | Regatta | of several alarms the first that fits is used",
    "2026-07-20 to 2026-07-24 | Europe/Rome | Sailing week",
    "2027-07-20 to 2027-07-24 | Europe/Rome | Sailing week",
  ],
  outlook: [
    "2026-09-15T08:00:00Z +60 | Europe/Berlin | Board meeting",
    "2026-10-20T08:00:00Z +60 | Europe/Berlin | Board meeting",
    "2026-11-17T09:00:00Z +60 | Europe/Berlin | Board meeting",
    'skipped | Somewhere else | the time zone "Customized Time Zone" is not known',
  ],
  nextcloud: [
    "2026-09-05T12:00:00Z +180 | Europe/Vienna | Repair café – geschlossen",
    "skipped |  | VTODO is not an event",
  ],
  thunderbird: [
    "2026-09-06T06:00:00Z +270 | Europe/Paris | Marché",
    "2026-09-20T06:00:00Z +270 | Europe/Paris | Marché",
    "2026-09-07T16:00:00Z +90 | Europe/Rome | Floating walk",
  ],
  pretix: ["2026-08-21T18:00:00Z +180 | Europe/Berlin | Jazz on the roof"],
  meetup: ["2026-09-03T22:30:00Z +150 | America/New_York | Lifetimes without tears"],
  radicale: [
    "2026-09-10T17:00:00Z +120 | Europe/Prague | Koncert na náměstí",
    "2026-09-05T06:00:00Z +240 | Europe/Prague | Farmers market",
    "2026-09-12T07:00:00Z +240 | Europe/Prague | Farmers market (late)",
    "2026-09-19T06:00:00Z +240 | Europe/Prague | Farmers market",
    "2026-09-28 to 2026-09-28 | Europe/Rome | Holiday",
    "skipped |  | VTODO is not an event",
  ],
  league: [
    "2026-08-15T14:00:00Z +115 | Europe/London | Rovers - United",
    "2026-08-22 to 2026-08-22 | Europe/London | City - Rovers (time to be confirmed)",
    "2026-08-29 to 2026-08-29 | Europe/London | The same UID once more",
    "2026-09-05T14:00:00Z +0 | Europe/London | Rovers - Wanderers | it has no UID: it is known by its start and title",
  ],
};

describe.each(Object.entries(expected))("a file in the style of %s", (name, lines) => {
  test("is read, whatever its lines end with", async () => {
    const text = file(name);
    expect(await read(text)).toEqual(lines);
    expect(await read(text.replaceAll("\n", "\r\n"))).toEqual(lines);
    expect(await read(`\uFEFF${text.replaceAll("\n", "\r")}`)).toEqual(lines);
  });
});

test("of files put together each calendar has its own time zone and VTIMEZONEs", async () => {
  const calendar = (zone: string, location: string) =>
    calendarFile(
      ...(zone === "" ? [] : [`X-WR-TIMEZONE:${zone}`]),
      "BEGIN:VTIMEZONE\r\nTZID:Ours\r\nX-LIC-LOCATION:" + location + "\r\nEND:VTIMEZONE",
      vevent(`UID:${location}`, "DTSTART:20260704T120000"),
      vevent(`UID:${location}-2`, "DTSTART;TZID=Ours:20260704T120000"),
    );
  const both = calendar("America/New_York", "Asia/Tokyo") + calendar("", "Europe/Lisbon");
  const without = calendarFile(vevent("UID:third", "DTSTART;TZID=Ours:20260704T120000"));
  expect(await read(both + without)).toEqual([
    "2026-07-04T16:00:00Z +0 | America/New_York | One",
    "2026-07-04T03:00:00Z +0 | Asia/Tokyo | One",
    "2026-07-04T10:00:00Z +0 | Europe/Rome | One",
    "2026-07-04T11:00:00Z +0 | Europe/Lisbon | One",
    "2026-07-04T03:00:00Z +0 | Asia/Tokyo | One", // some programs write a time zone once for all
  ]);
});

test.each([
  "<!-- Cached by a plugin; 0.1 s -->\n",
  "\n<!--\nCompression = gzip\n-->",
  "X-SERVED-BY:web-3\r\n",
  "\u001A",
])("text after a calendar (%j) is left out, with a note, also between two calendars", async (text) => {
  const event = "2026-08-01T10:00:00Z +60 | Europe/Rome | One";
  const note = "skipped |  | text after END:VCALENDAR is left out";
  expect(await read(calendarFile(vevent()) + text)).toEqual([event, note]);
  const other = calendarFile(vevent("UID:other"));
  expect(await read(`${calendarFile(vevent())}${text}\r\n${other}`)).toEqual([event, event, note]);
});

test.each(["<!-- -->\r\n", "Warning: x in y.php\r\n"])(
  "text before a calendar (%j) refuses the file",
  async (text) => {
    await expect(read(text + calendarFile(vevent()))).rejects.toThrow("does not begin with BEGIN:VCALENDAR");
  },
);

test("an event after the end of its calendar refuses the file, rather than to be lost", async () => {
  await expect(read(calendarFile(vevent()) + vevent("UID:other"))).rejects.toThrow("no iCalendar file");
});

test.each([
  ["DTSTART:20271301T100000Z", "DTSTART is not a real date"],
  ["DTSTART:20270001T100000Z", "DTSTART is not a real date"],
  ["DTSTART;VALUE=DATE:20279931", "DTSTART is not a real date"],
  ["DTSTART:20270104T100000+0200", "DTSTART has an offset from UTC, which is no form of iCalendar"],
  ["DTSTART:18991231T220000Z", "it begins before the year 1900"],
  ["DTSTART;TZID=America/New_York:18991231T220000", "it begins before the year 1900"],
])("an event with %s is left out, and the reason is given", async (line, reason) => {
  expect(await read(calendarFile(vevent(line)))).toEqual([`skipped | One | ${reason}`]);
});

test("an event is taken whose first hours are in the year 1899 in UTC", async () => {
  expect(await read(calendarFile(vevent("DTSTART;TZID=Asia/Tokyo:19000101T000000")))).toEqual([
    "1899-12-31T15:00:00Z +0 | Asia/Tokyo | One",
  ]);
});

test.each([
  ["FREQ=YEARLY", 109, ""],
  ["FREQ=YEARLY;INTERVAL=4", 28, ""],
  ["FREQ=YEARLY;UNTIL=20270614", 108, ""],
  ["FREQ=YEARLY;COUNT=107", 107, ""],
  ["FREQ=YEARLY;COUNT=110", 109, " | its dates more than two years ahead are left out"],
  ["FREQ=YEARLY;INTERVAL=9;UNTIL=21000614", 13, " | its dates more than two years ahead are left out"],
])("a series that has begun in 1920 goes on: %s", async (rule, count, note) => {
  const dates = await read(calendarFile(vevent("DTSTART;VALUE=DATE:19200614", `RRULE:${rule}`)));
  expect(dates).toHaveLength(count);
  expect(dates[0]).toBe(`1920-06-14 to 1920-06-14 | Europe/Rome | One${note}`);
});

test("a date of a series with times is replaced by the event that names its day alone", async () => {
  const series = vevent("DTSTART:20270104T090000Z", "RRULE:FREQ=WEEKLY;COUNT=3");
  const other = vevent("RECURRENCE-ID;VALUE=DATE:20270111", "DTSTART:20270111T150000Z", "SUMMARY:Later");
  expect(await read(calendarFile(series, other))).toEqual([
    "2027-01-04T09:00:00Z +0 | Europe/Rome | One",
    "2027-01-11T15:00:00Z +0 | Europe/Rome | Later",
    "2027-01-18T09:00:00Z +0 | Europe/Rome | One",
  ]);
});

test("the name of an organizer may have backslashes", async () => {
  const organizer = async (name: string) =>
    prepare(calendarFile(vevent(`ORGANIZER;CN="${name}":mailto:a@b.example`)), {
      timezone: "UTC",
      now,
      takesPrivate: false,
    }).instances[0]?.texts.organizer;
  expect(await organizer(String.raw`Salon\news AC\\DC`)).toBe(String.raw`Salon\news AC\\DC`);
  expect(await organizer(String.raw`Miller\, Anna`)).toBe("Miller, Anna");
});

test("texts, people, status and reminder are taken over", async () => {
  const first = async (name: string) =>
    prepare(file(name), { timezone: "Europe/Rome", now, takesPrivate: false }).instances[0]?.texts;
  expect(await first("google")).toMatchObject({
    description: "Bring a chair, please.\r\nEntrance by the river.",
    location: "Market Square, Old Town",
    reminder: "30",
    status: "confirmed",
  });
  expect(await first("outlook")).toMatchObject({
    title: "Board meeting",
    organizer: "Miller, Anna",
    organizer_email: "anna.miller@example.com",
    reminder: "15",
  });
  expect(await first("nextcloud")).toMatchObject({
    status: "cancelled",
    location: "Werkstatt; Hinterhof",
    description:
      "Wir reparieren Räder, Radios und Röcke. Bitte vorher anmelden, sonst wird es zu voll – danke!",
  });
  expect(await first("apple")).toMatchObject({ location: "Pier 39 San Francisco, CA", reminder: "60" });
  expect((await first("meetup"))?.description).toContain("Talk and pizza 🍕.");
});
