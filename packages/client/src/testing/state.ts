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
  readonly customData: string;
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
  readonly uid: string;
  /** UID in the file that it was imported from. */
  readonly importedAs?: string;
  readonly status: string;
  readonly categories: readonly string[];
  /** The text of a JSON object. */
  readonly customData: string;
  /** Which change of the server its last one was (extensions.md X2.5). */
  readonly changeNumber: number;
  /** 0 of none, and when the series has the event: a wall clock. */
  readonly seriesId: number;
  readonly place: number;
  readonly deleted: boolean;
}

/** Events that repeat (extensions.md X5). Times are wall clocks. */
export interface Series {
  readonly id: number;
  readonly rrule: string;
  readonly rdate: readonly number[];
  readonly exdate: readonly number[];
  /** How much later its events are than the rule says. */
  readonly shift: number;
  readonly length: number;
  readonly endless: boolean;
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

/** Where messages about changes would be sent. */
export interface Webhook {
  readonly id: number;
  readonly account: string;
  readonly url: string;
  readonly types: readonly string[];
  /** The only calendar whose messages it receives; undefined for all. */
  readonly calendarId: number | undefined;
  readonly withPerson: boolean;
  readonly secret: string;
  readonly created: number;
  readonly deleted: boolean;
}

/** A message to one webhook. */
export interface Delivery {
  readonly id: number;
  readonly webhookId: number;
  readonly calendarId: number | undefined;
  readonly type: string;
  readonly messageId: string;
  readonly created: number;
}

/** The answer of a write that its caller may repeat. */
export interface KeptAnswer {
  /** The operation and its parameters. */
  readonly request: string;
  readonly answered: { readonly status: number; readonly headers: Params; readonly body: string };
  /** Unix time. */
  readonly at: number;
}

/** All that the server knows. Nothing is ever removed: what is deleted says so. */
export interface State {
  readonly calendars: Map<number, Calendar>;
  readonly events: Map<number, CalendarEvent>;
  readonly series: Map<number, Series>;
  readonly subscribers: Subscriber[];
  readonly webhooks: Map<number, Webhook>;
  readonly deliveries: Delivery[];
  /** Account and key → answer. */
  readonly answers: Map<string, KeptAnswer>;
  saveNumber: number;
  changeNumber: number;
}

/** What an operation is given. */
export interface Call {
  readonly state: State;
  readonly faulty: Faulty;
  readonly account: string;
  readonly params: Params;
  /** The header If-Match. */
  readonly ifMatch: string | undefined;
  /** Unix time. */
  readonly now: number;
  readonly pageSize: number;
  /** Address of page n of this list (service.md 2.2). */
  readonly pageUrl: (page: number) => string;
}

export function emptyState(): State {
  return {
    calendars: new Map(),
    events: new Map(),
    series: new Map(),
    subscribers: [],
    webhooks: new Map(),
    deliveries: [],
    answers: new Map(),
    saveNumber: 0,
    changeNumber: 0,
  };
}
