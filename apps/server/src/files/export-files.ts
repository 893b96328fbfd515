import { calendarEnd, calendarStart, eventText } from "@kalends/ical";
import { initial, templateColumns } from "../db/columns.js";
import type { ImportedEventRow } from "../db/import-rows.js";
import type { CalendarRow, EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { allEvents, type Read } from "../events/all.js";
import { event } from "../events/serialize.js";
import { feedCalendar, feedEvent } from "../public/feed-entries.js";
import { FileAnswer } from "../http/file-answer.js";
import { importedAs } from "./import-queries.js";
import { ruleColumns } from "./own-series.js";
import { readTemplate } from "../events/series-template.js";
import { findAllSeries } from "../events/series-queries.js";
import { subscribersAfter } from "../followers/subscriber-queries.js";
import { subscriberDetails } from "../followers/subscriber-serialize.js";
import { formatWallClock } from "../time/formats.js";

/** Returns a calendar as a file. What `read` reads is one state of the data, or the events are each as they are when their piece is made. */
export function calendarFile(read: Read, calendar: CalendarRow, format: "ics" | "csv"): FileAnswer {
  return format === "ics"
    ? new FileAnswer(calendar.calendarname, "text/calendar", exportedCalendar(read, calendar))
    : new FileAnswer(calendar.calendarname, "text/csv", eventLines(read, calendar));
}

/** What names an event, and what `eventsCreate` takes: a line is all that it needs to make the event again. */
const eventColumns = [
  "event_id",
  "uid",
  "title",
  "start_date",
  "end_date",
  "timezone",
  "all_day_event",
  "description",
  "location",
  "organizer",
  "organizer_email",
  "url",
  "picture_id",
  "picture_alt",
  "reminder",
  "color_id",
  "status",
  "categories",
  "custom_data",
] as const;

async function* eventLines(read: Read, { id }: CalendarRow): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(eventColumns);
  for await (const rows of allEvents(read, id)) yield rows.map(eventLine).join("");
}

function eventLine(row: EventRow): string {
  const { id, custom_data, ...shown } = event(row);
  const data = JSON.stringify(custom_data);
  const cells = { ...shown, event_id: id, custom_data: data === "{}" ? "" : data };
  return csvLine(eventColumns.map((column) => String(cells[column]))); // categories with commas between them
}

/** Yields a calendar as one file, in pieces, which an import turns into the same events. */
export async function* exportedCalendar(read: Read, calendar: CalendarRow): AsyncGenerator<string> {
  yield calendarStart(feedCalendar(calendar, { publicUrl: undefined, refreshMinutes: 60 }));
  let count = 0;
  const begun = new Map<number, number>();
  for await (const rows of allEvents(read, calendar.id)) {
    const ids = rows.map(({ id }) => id);
    const known = await read((on) => importedAs(on, ids));
    const series = await firstLines(read, firstOfSeries(rows, begun), begun);
    const exported = (row: EventRow) =>
      exportedEvent(row, calendar, known.get(row.id), series.get(row.id) ?? ownSeries(row, begun));
    yield rows.map(exported).join("");
    count += rows.length;
  }
  yield calendarEnd(count);
}

/**
 * An event as a file has it: as feeds do, with what an import needs besides. One that came from a file has the UID of that again, but
 * a date of a series its own: it is an event of its own here.
 */
function exportedEvent(
  row: EventRow,
  calendar: CalendarRow,
  known: ImportedEventRow | undefined,
  series: string,
): string {
  return eventText({
    ...feedEvent(row, calendar, { publicUrl: undefined }),
    uid: known?.import_recurrence_id === "" ? known.import_uid : row.uid,
    own: [
      ["X-KALENDS-TIMEZONE", row.timezone],
      ["X-KALENDS-COLOR-ID", row.color_id],
      ["X-KALENDS-REMINDER", row.status === "cancelled" ? row.reminder : ""], // which has no alarm
      ["X-KALENDS-CUSTOM-DATA", row.custom_data === initial.custom_data ? "" : inAscii(row.custom_data)],
      ["X-KALENDS-PICTURE-ID", row.picture_id],
      ["X-KALENDS-PICTURE-ALT", row.picture_alt],
      ...ownClocks(row),
      ["X-KALENDS-SERIES", series],
    ],
  });
}

function firstOfSeries(rows: readonly EventRow[], begun: Map<number, number>): readonly EventRow[] {
  return rows.filter(({ series_id }) => {
    const isFirst = series_id > 0 && !begun.has(series_id);
    if (isFirst) begun.set(series_id, begun.size + 1);
    return isFirst;
  });
}

/** Series read at a time: each may have texts of 200 kB besides those of its events. */
const seriesAtOnce = 20;

async function firstLines(read: Read, events: readonly EventRow[], numbers: ReadonlyMap<number, number>) {
  const lines = new Map<number, string>();
  for (let from = 0; from < events.length; from += seriesAtOnce) {
    const some = events.slice(from, from + seriesAtOnce);
    const ids = some.map(({ series_id }) => series_id);
    const series = await read((on) => findAllSeries(on, ids));
    for (const event of some) lines.set(event.id, ownSeries(event, numbers, series.get(event.series_id)));
  }
  return lines;
}

/** A longer one would be cut where it is read; then the series has the texts of the event. */
const longestTemplate = 10_000;

function ownSeries(row: EventRow, numbers: ReadonlyMap<number, number>, series?: SeriesRow): string {
  if (row.series_id === 0) return "";
  const named = { id: String(numbers.get(row.series_id)), place: row.series_place };
  if (series === undefined) return JSON.stringify(named);
  const rule = Object.fromEntries(ruleColumns.map((name) => [name, series[name]]));
  const common = readTemplate(series);
  const others = templateColumns.filter((name) => common[name] !== row[name]);
  const template = Object.fromEntries(others.map((name) => [name, common[name]]));
  const isShort = JSON.stringify(template).length <= longestTemplate;
  return inAscii(JSON.stringify({ ...named, rule, ...(isShort ? { template } : {}) }));
}

/** Whole days may have times of day, which their entry does not show. */
function ownClocks({ all_day, start_local, end_local }: EventRow) {
  if (all_day === 0 || (isMidnight(start_local) && isMidnight(end_local))) return [];
  return [
    ["X-KALENDS-START", formatWallClock(start_local)],
    ["X-KALENDS-END", formatWallClock(end_local)],
  ] as const;
}

function isMidnight(local: number): boolean {
  return local % 86_400 === 0;
}

/** JSON without the characters that a line of a file would lose. */
function inAscii(json: string): string {
  return json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const subscriberColumns = [
  "id",
  "name",
  "email",
  "ip",
  "postal",
  "city",
  "state",
  "country",
  "calendar_type",
  "active",
  "blocked",
  "categories",
  "date_subscribed",
  "date_seen",
  "date_unfollowed",
] as const;

const batchSize = 500;

export function subscribersFile(read: Read, calendar: CalendarRow): FileAnswer {
  return new FileAnswer(
    `${calendar.calendarname} subscribers`,
    "text/csv",
    subscriberLines(read, calendar.id),
  );
}

async function* subscriberLines(read: Read, calendarId: number): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(subscriberColumns);
  for (let id = 0; ;) {
    const rows = await read((on) => subscribersAfter(on, calendarId, { id, limit: batchSize }));
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows
      .map(subscriberDetails)
      .map((subscriber) => csvLine(subscriberColumns.map((column) => String(subscriber[column]))))
      .join("");
    id = last.id;
  }
}

/** Begins a file: without it Excel takes UTF-8 for the encoding of the machine. */
export const byteOrderMark = "\uFEFF";

/** Returns a line of CSV (RFC 4180): every cell is quoted, and the line ends in CR LF. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${withoutFormula(cell).replaceAll('"', '""')}"`).join(",")}\r\n`;
}

/**
 * Puts an apostrophe before a cell that a spreadsheet would run as a formula (OWASP, CSV injection), whatever stands before its first
 * sign. A cell that has apostrophes there gets one more, so that a reader may always take one away.
 */
function withoutFormula(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

const formula =
  /^'*(?:[\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n])/u;
