import { calendarTexts, eventTexts } from "../db/columns.js";
import type { CalendarRow, EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";

// `calendars.stored_bytes` estimates the bytes of the calendar's own texts and those of its events and series. The statements
// that write these update it, so nothing is scanned. Rows, indexes and copies of texts are constants and factors here.

/** Bytes of a row and its indexes without texts. */
const rowBytes = 1_024;

/** Each text of an event is stored a second time, in its list item; each value of `custom_data` in an index of values. */
const copies = { texts: 2, custom_data: 16 };

type EventTexts = Pick<EventRow, (typeof eventTexts)[number]>;

export function bytesOfEvent(row: EventTexts): number {
  const bytesOf = (name: keyof EventTexts) => factorOf(name, copies.texts) * Buffer.byteLength(row[name]);
  return eventTexts.reduce((sum, name) => sum + bytesOf(name), rowBytes);
}

/** SQL: the bytes that a row of events counts as. */
export const bytesOfEventSql = eventTexts.reduce(
  (sum, name) => `${sum} + ${factorOf(name, copies.texts)} * octet_length(${name})`,
  String(rowBytes),
);

const seriesTexts = ["template", "rrule", "rdate", "exdate"] as const;

export function bytesOfSeries(row: Pick<SeriesRow, (typeof seriesTexts)[number]>): number {
  return seriesTexts.reduce((sum, name) => sum + Buffer.byteLength(row[name]), rowBytes);
}

/** SQL: the bytes that a row of series counts as, also in the trash. */
export const bytesOfSeriesSql = seriesTexts.reduce(
  (sum, name) => `${sum} + octet_length(${name})`,
  String(rowBytes),
);

export type CalendarTexts = {
  readonly [Name in (typeof calendarTexts)[number]]?: CalendarRow[Name] | undefined;
};

/** Returns how many bytes a new calendar without events is counted as. */
export function bytesOfCalendar(texts: CalendarTexts): number {
  return rowBytes + bytesOfTexts({ ...texts, custom_data: texts.custom_data ?? "{}" });
}

export function bytesOfTexts(texts: CalendarTexts): number {
  return calendarTexts.reduce((sum, name) => sum + factorOf(name) * Buffer.byteLength(texts[name] ?? ""), 0);
}

/** SQL: the bytes, before a change, of the texts that it replaces; undefined when it replaces none. */
export function bytesBeforeSql(change: CalendarTexts): string | undefined {
  const names = calendarTexts.filter((name) => change[name] !== undefined);
  if (names.length === 0) return undefined;
  return names.map((name) => `${factorOf(name)} * octet_length(${name})`).join(" + ");
}

function factorOf(name: string, ofOthers = 1): number {
  return name === "custom_data" ? copies.custom_data : ofOthers;
}

/** Global to the process, like the setting: commands write too. */
const limit: { bytes: number | undefined } = { bytes: undefined };

/** Sets how many bytes an account may store; false for no limit. */
export function limitAccounts(bytes: number | false): void {
  limit.bytes = bytes === false ? undefined : bytes;
}

/** Returns how many bytes an account may store; undefined when there is no limit. */
export function accountLimit(): number | undefined {
  return limit.bytes;
}
