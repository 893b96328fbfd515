import { randomInt } from "node:crypto";
import type { Faulty } from "./faults.js";
import type { Params } from "./params.js";

export interface Calendar {
  readonly id: number;
  readonly account: string;
  readonly uniquekey: string;
  readonly calendarname: string;
  readonly title: string;
  readonly description: string;
  readonly timezone: string;
  readonly paletteId: string;
  readonly created: number;
  readonly modified: number;
  /** Which save of the server this was: two in one second keep their order (rulings R3.4). */
  readonly saveNumber: number;
  readonly deleted: boolean;
}

export interface CalendarEvent {
  readonly id: number;
  readonly calendarId: number;
  readonly title: string;
  readonly description: string;
  readonly location: string;
  readonly organizer: string;
  readonly organizerEmail: string;
  readonly timezone: string;
  readonly colorId: string;
  readonly reminder: string;
  readonly allDay: boolean;
  /** What answers show: wall clocks. */
  readonly startShown: number;
  readonly endShown: number;
  /** Unix times. */
  readonly startAt: number;
  readonly endAt: number;
  readonly created: number;
  readonly modified: number;
  readonly saves: number;
  readonly deleted: boolean;
}

export interface Subscriber {
  readonly id: number;
  readonly calendarId: number;
  readonly name: string;
  readonly email: string;
  readonly postal: string | undefined;
  readonly city: string | undefined;
  readonly country: string;
  readonly since: number;
  readonly calendarType: string;
  readonly active: boolean;
  readonly blocked: boolean;
}

/** All that the server knows. Nothing is ever removed: what is deleted says so. */
export interface State {
  readonly calendars: Map<number, Calendar>;
  readonly events: Map<number, CalendarEvent>;
  readonly subscribers: readonly Subscriber[];
  saveNumber: number;
}

/** What an operation is given. */
export interface Call {
  readonly state: State;
  readonly faulty: Faulty;
  readonly account: string;
  readonly params: Params;
  /** Unix time. */
  readonly now: number;
  readonly pageSize: number;
  /** Address of page n of this list (service.md 2.2). */
  readonly pageUrl: (page: number) => string;
}

const keyCharacters = "abcdefghjkmnpqrstuvwxyz23456789";

/** A key of a calendar: 12 characters without look-alikes (rulings R4.1). */
export function uniqueKey(): string {
  return Array.from({ length: 12 }, () => keyCharacters[randomInt(keyCharacters.length)]).join("");
}

const monthSeconds = 30 * 86_400;

/** A calendar with active, inactive and blocked subscribers, a little more than a page of them. */
export function seededState(now: number, pageSize: number): State {
  const calendar: Calendar = {
    id: 1,
    account: "owner",
    uniquekey: uniqueKey(),
    calendarname: "Followed",
    title: "Followed",
    description: "",
    timezone: "Pacific/Auckland",
    paletteId: "1",
    created: now - 6 * monthSeconds,
    modified: now - 6 * monthSeconds,
    saveNumber: 0,
    deleted: false,
  };
  const count = pageSize + 5;
  const subscribers = Array.from({ length: count }, (_, index) => subscriber(index, count, now));
  return { calendars: new Map([[1, calendar]]), events: new Map(), subscribers, saveNumber: 0 };
}

/** Subscription times are not in the order of the ids, so that the orders differ. */
function subscriber(index: number, count: number, now: number): Subscriber {
  const shuffled = (index * 37) % count;
  return {
    id: index + 1,
    calendarId: 1,
    name: index % 3 === 0 ? "" : `Follower ${index + 1}`,
    email: index % 3 === 0 ? "" : `follower-${index + 1}@example.com`,
    postal: index % 2 === 0 ? undefined : "1010",
    city: index % 2 === 0 ? undefined : "Auckland",
    country: index % 2 === 0 ? "ZZ" : "NZ",
    since: now - 5 * monthSeconds + shuffled * 100_003,
    calendarType: ["apple", "google", "outlook", "ical"][index % 4] ?? "ical",
    active: index % 5 !== 1,
    blocked: index % 7 === 2,
  };
}
