import { failure, show } from "./assert.js";
import type { Item } from "./item.js";
import { judgeItem } from "./origins.js";

/** A kind of value: its name for messages, and its test. */
type Kind = readonly [words: string, fits: (value: unknown) => boolean];

const matching = (words: string, pattern: RegExp): Kind => [
  words,
  (value) => typeof value === "string" && pattern.test(value),
];
const string: Kind = ["a string", (value) => typeof value === "string"];
const digits = matching("a string of digits", /^[0-9]+$/);
const integer: Kind = ["an integer", Number.isSafeInteger];
/** Seconds, not milliseconds: before the year 5138. */
const unixTime: Kind = [
  "Unix time in seconds, an integer",
  (value) => typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 1e11,
];
const flag = matching('"true" or "false"', /^(true|false)$/);
const date = matching("MM/DD/YYYY", /^(0[1-9]|1[0-2])\/(0[1-9]|[12][0-9]|3[01])\/[0-9]{4}$/);
const time = matching("HH:MM:SS on the 24-hour clock", /^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$/);
const ampm = matching('"AM" or "PM"', /^(AM|PM)$/);
const label = matching("a time zone label", /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)*$/);
const colour = matching("a colour id from 1 to 20, or empty", /^([1-9]|1[0-9]|20)?$/);

export const kinds = { string, digits, integer, unixTime, flag, date, time, ampm, label, colour } as const;

type Shape = Readonly<Record<string, Kind>>;

/** Field tables of the contract, as literals. */
const savedCalendar = {
  id: digits,
  uniquekey: string,
  calendarname: string,
  title: string,
  description: string,
  followers_active: digits,
  followers_total: digits,
  events_total: digits,
  palette_id: string,
  date_create: unixTime,
  date_modified: unixTime,
} satisfies Shape;

const event = {
  title: string,
  description: string,
  location: string,
  organizer: string,
  organizer_email: string,
  date_start: date,
  date_start_time: time,
  date_start_ampm: ampm,
  date_end: date,
  date_end_time: time,
  date_end_ampm: ampm,
  all_day_event: flag,
  date_format: string,
  timezone: label,
  reminder: string,
  date_create: unixTime,
  date_modified: unixTime,
  updated_times: digits,
} satisfies Shape;

export const shapes = {
  calendar: { ...savedCalendar, timezone: label },
  savedCalendar,
  listedEvent: { id: string, ...event, date_start_unix: unixTime, date_end_unix: unixTime, color: colour },
  savedEvent: { id: integer, calendar: digits, ...event, color_id: colour },
  subscriber: {
    id: string,
    name: string,
    email: string,
    ip: string,
    postal: string,
    city: string,
    state: string,
    country: matching("a two-letter country code", /^[A-Za-z]{2}$/),
    date: matching("MM/DD/YYYY HH:MM:SS", /^[0-9]{2}\/[0-9]{2}\/[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}$/),
    unixtime_stamp: unixTime,
    calendar_type: string,
    active: flag,
    blocked: flag,
  },
  zone: {
    label: matching("a name of the form <Area>/<City>", /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+$/),
    offset: matching("HH:MM", /^[+-]?[0-9]{2}:[0-9]{2}$/),
  },
} as const satisfies Record<string, Shape>;

export type ShapeName = keyof typeof shapes;

/** Every listed field is there and of its kind; only these fields when some are named. */
export function fits(item: Item, name: ShapeName, fields?: readonly string[]): void {
  const shape: Shape = shapes[name];
  judgeItem(item, () => {
    for (const [field, [words, holds]] of Object.entries(shape)) {
      if (fields !== undefined && !fields.includes(field)) continue;
      const value = item[field];
      if (!holds(value)) throw failure(`${field}: expected ${words}, got ${show(value)}.`);
    }
  });
}

/** None of these fields is there. */
export function lacks(item: Item, fields: readonly string[], where: string): void {
  judgeItem(item, () => {
    for (const field of fields)
      if (field in item) throw failure(`${field}: must be absent from ${where}, got ${show(item[field])}.`);
  });
}
