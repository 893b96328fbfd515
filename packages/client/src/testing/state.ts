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
  readonly subscribers: Subscriber[];
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

export function emptyState(): State {
  return { calendars: new Map(), events: new Map(), subscribers: [], saveNumber: 0 };
}
