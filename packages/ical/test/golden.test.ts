import { expect, test } from "vitest";
import type { FeedCalendar, FeedEvent } from "../src/index.js";
import { faults } from "./reading.js";
import { feed } from "./samples.js";

const calendar: FeedCalendar = {
  prodId: "-//Kalends//Kalends 1.0//EN",
  name: "Konzerte; Köln",
  description: "Alle Konzerte,\r\ndrinnen und draußen",
  timezone: "Europe/Berlin",
  modifiedAt: 1_795_248_000,
  refreshSeconds: 3600,
  color: "4682b5",
  url: "https://example.org/c/5j2c9mta7xkw",
};

const evening: FeedEvent = {
  uid: "5f2c3a1e-7c1b-4a52-9c2e-0d6c1f1a2b3c",
  createdAt: 1_793_523_600,
  modifiedAt: 1_795_169_700,
  sequence: 3,
  when: { startAt: 1_796_115_600, endAt: 1_796_119_200 },
  status: "confirmed",
  title: "Eröffnung 🎉",
  description:
    "Einlass 18:00, Beginn 19:30; Karten an der Abendkasse\\Vorverkauf.\r\n\r\nMit Søren Ærø (Bass) 🎸 und 東京フィル.",
  location: "Große Halle, Köln",
  url: "https://example.org/c/5j2c9mta7xkw/e/5f2c3a1e-7c1b-4a52-9c2e-0d6c1f1a2b3c",
  organizer: 'Zoë "Zed" Müller; Büro',
  organizerEmail: "zoe+büro@example.org",
  color: "d62728",
  reminderMinutes: 15,
};

const holidays: FeedEvent = {
  uid: "0b9d6f3a-1f0e-4d57-8f0a-3b1f6f0f6a11",
  createdAt: 1_793_523_600,
  modifiedAt: 1_793_523_600,
  sequence: 0,
  when: { firstDay: { year: 2026, month: 12, day: 24 }, lastDay: { year: 2026, month: 12, day: 31 } },
  status: "confirmed",
  title: "Geschlossen",
  description: "",
  location: "",
  organizer: "Team, Büro",
  organizerEmail: "",
  color: "",
  reminderMinutes: undefined,
};

/** Written by hand, folds and all. */
const written = [
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  "PRODID:-//Kalends//Kalends 1.0//EN",
  "CALSCALE:GREGORIAN",
  "NAME:Konzerte\\; Köln",
  "X-WR-CALNAME:Konzerte\\; Köln",
  "DESCRIPTION:Alle Konzerte\\,\\ndrinnen und draußen",
  "X-WR-CALDESC:Alle Konzerte\\,\\ndrinnen und draußen",
  "X-WR-TIMEZONE:Europe/Berlin",
  "LAST-MODIFIED:20261121T080000Z",
  "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
  "X-PUBLISHED-TTL:PT1H",
  "COLOR:steelblue",
  "X-APPLE-CALENDAR-COLOR:#4682B5",
  "URL:https://example.org/c/5j2c9mta7xkw",
  "BEGIN:VEVENT",
  "UID:5f2c3a1e-7c1b-4a52-9c2e-0d6c1f1a2b3c",
  "DTSTAMP:20261120T101500Z",
  "CREATED:20261101T090000Z",
  "LAST-MODIFIED:20261120T101500Z",
  "SEQUENCE:3",
  "DTSTART:20261201T090000Z",
  "DTEND:20261201T100000Z",
  "SUMMARY:Eröffnung 🎉",
  "DESCRIPTION:Einlass 18:00\\, Beginn 19:30\\; Karten an der Abendkasse\\\\Vorver",
  " kauf.\\n\\nMit Søren Ærø (Bass) 🎸 und 東京フィル.",
  "LOCATION:Große Halle\\, Köln",
  "URL:https://example.org/c/5j2c9mta7xkw/e/5f2c3a1e-7c1b-4a52-9c2e-0d6c1f1a2b",
  " 3c",
  "ORGANIZER;CN=\"Zoë ^'Zed^' Müller; Büro\":mailto:zoe+b%C3%BCro@example.org",
  "STATUS:CONFIRMED",
  "TRANSP:OPAQUE",
  "CLASS:PUBLIC",
  "COLOR:crimson",
  "BEGIN:VALARM",
  "ACTION:DISPLAY",
  "TRIGGER:-PT15M",
  "DESCRIPTION:Eröffnung 🎉",
  "END:VALARM",
  "END:VEVENT",
  "BEGIN:VEVENT",
  "UID:0b9d6f3a-1f0e-4d57-8f0a-3b1f6f0f6a11",
  "DTSTAMP:20261101T090000Z",
  "CREATED:20261101T090000Z",
  "LAST-MODIFIED:20261101T090000Z",
  "SEQUENCE:0",
  "DTSTART;VALUE=DATE:20261224",
  "DTEND;VALUE=DATE:20270101",
  "SUMMARY:Geschlossen",
  "CONTACT:Team\\, Büro",
  "STATUS:CONFIRMED",
  "TRANSP:TRANSPARENT",
  "CLASS:PUBLIC",
  "END:VEVENT",
  "END:VCALENDAR",
  "",
];

const empty = [
  ...written.slice(0, 15),
  "BEGIN:VTIMEZONE",
  "TZID:UTC",
  "BEGIN:STANDARD",
  "DTSTART:19700101T000000",
  "TZOFFSETFROM:+0000",
  "TZOFFSETTO:+0000",
  "TZNAME:UTC",
  "END:STANDARD",
  "END:VTIMEZONE",
  "END:VCALENDAR",
  "",
];

test("a feed is, byte for byte, the one written by hand", () => {
  expect(feed(calendar, [evening, holidays]).split("\r\n")).toEqual(written);
  expect(faults(written.join("\r\n"))).toEqual([]);
});

test("a feed without events has one component, as RFC 5545 3.6 asks", () => {
  expect(feed(calendar, []).split("\r\n")).toEqual(empty);
});
