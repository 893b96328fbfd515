import { calendarText, type FeedCalendar, type FeedEvent } from "../src/index.js";

export const harmlessCalendar: FeedCalendar = {
  prodId: "-//Kalends//Kalends 1.0//EN",
  name: "Concerts",
  description: "All of them",
  timezone: "Europe/Berlin",
  modifiedAt: 1_795_248_000, // 2026-11-21 08:00:00 UTC
  refreshSeconds: 3600,
  color: "4682b4",
};

export const harmlessEvent: FeedEvent = {
  uid: "5f2c3a1e-7c1b-4a52-9c2e-0d6c1f1a2b3c",
  createdAt: 1_793_523_600, // 2026-11-01 09:00:00 UTC
  modifiedAt: 1_795_169_700, // 2026-11-20 10:15:00 UTC
  sequence: 3,
  when: { startAt: 1_796_115_600, endAt: 1_796_119_200 }, // 2026-12-01 09:00:00 to 10:00:00 UTC
  status: "confirmed",
  title: "Opening night",
  description: "Bring friends",
  location: "Room 1",
  organizer: "Jane Doe",
  organizerEmail: "jane@example.org",
  color: "",
  reminderMinutes: 15,
};

export function feed(calendar: FeedCalendar, events: readonly FeedEvent[]): string {
  return [...calendarText(calendar, events)].join("");
}
