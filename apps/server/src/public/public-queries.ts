import type { Knex } from "knex";
import { columnsExcept, eventColumns } from "../db/columns.js";
import type { Db, Reader } from "../db/database.js";
import type { Dialect } from "../db/query.js";
import type { CalendarRow, DeletedEventRow, EventCategoryRow, EventRow } from "../db/rows.js";
import {
  beginsBefore,
  daysApartSeconds,
  feedOrder,
  type FeedPlace,
  feedSlice,
  isLong,
  lookBackSeconds,
} from "../events/part-queries.js";
import { searchIds } from "../events/search-queries.js";
import { daySeconds } from "../time/formats.js";

/** A range of time: Unix seconds for events with a time, local time in seconds for all-day events. */
export interface TimeRange {
  readonly from: number;
  readonly fromLocal: number;
  /** Timed events shorter than a day that began before the range and end before this (Unix seconds) are left out. */
  readonly fromNight?: number;
  /** The exclusive end; the range is open when undefined. */
  readonly before?: { readonly at: number; readonly local: number };
}

export interface Page {
  readonly limit: number;
  readonly offset?: number;
}

/** Bounds the offset of a zone: local midnight is up to 14 hours before and 12 after midnight UTC. */
const zoneSeconds = daySeconds;

// Pages read what they print, and of a long text only the beginning: their cost must not grow with the texts of the events.

/** What the indexes of times have besides: to read them from a row, SQLite would pass over the long texts before them. */
const indexedColumns = [
  "id",
  "calendar_id",
  "start_at",
  "end_at",
  "all_day",
  "start_local",
  "end_local",
  "status",
  "color_id",
] as const satisfies readonly (keyof EventRow)[];

export type MarkedEvent = Pick<EventRow, (typeof indexedColumns)[number]>;

export type ListedEvent = MarkedEvent & Pick<EventRow, "uid" | "title">;

/** The same with its place and the beginning of its description, as lists of the next events print it. */
export type UpcomingEvent = ListedEvent & Pick<EventRow, "location" | "organizer" | "description">;

export async function listTexts(
  db: Db,
  ids: readonly number[],
): Promise<readonly Pick<EventRow, "id" | "uid" | "title">[]> {
  return db<EventRow>("published_events as events")
    .whereIn("id", [...ids])
    .select("id", "uid", "title");
}

/** One of several calendars, and the range in its time zone. */
export interface CalendarRange {
  readonly calendarId: number;
  readonly range: TimeRange;
}

/** What is shown of the events of some calendars. */
export interface EventFilter {
  /** All of these are in the texts of the event (events/search.ts). */
  readonly words?: readonly string[] | undefined;
  readonly category?: string | undefined;
}

/** As `listMarksWithin`, of one calendar or several together. Each is read by itself, in the order of its index. */
export function listMarksOfAll(
  db: Db,
  parts: readonly CalendarRange[],
  page: Page,
  filter: EventFilter = {},
): Knex.QueryBuilder<object, MarkedEvent[]> {
  const [first, ...others] = parts.map(({ calendarId, range }, index) => {
    const limit = page.limit + (page.offset ?? 0);
    const marks = listMarksWithin(db, calendarId, range, { limit }, filter);
    return db.select<MarkedEvent[]>("*").from(marks.as(`calendar_${index}`));
  });
  if (first === undefined) throw new Error("no calendar is given");
  return first
    .unionAll(others)
    .orderBy(byStart)
    .limit(page.limit)
    .offset(page.offset ?? 0);
}

/** Returns the events that overlap the ranges, earliest start first. They are found by their times alone, then their texts are read. */
export async function listEventsWithin(
  db: Db,
  parts: readonly CalendarRange[],
  page: Page,
  filter?: EventFilter,
): Promise<readonly ListedEvent[]> {
  const rows: readonly ListedEvent[] = await db
    .select("found.*", "events.uid", "events.title")
    .from(listMarksOfAll(db, parts, page, filter).as("found"))
    .join("published_events as events", "events.id", "found.id")
    .orderBy(byStart.map(({ column, order }) => ({ column: `found.${column}`, order })));
  return rows;
}

/** The same with what a list of the next events prints. */
export async function listUpcomingEvents(
  on: Reader,
  parts: readonly CalendarRange[],
  limit: number,
  filter?: EventFilter,
): Promise<readonly UpcomingEvent[]> {
  const rows = await listEventsWithin(on.read, parts, { limit }, filter);
  const ids = JSON.stringify(rows.map(({ id }) => [id]));
  const beginnings = await on.query<Beginning>(beginningsSql(on.dialect), [ids]);
  const known = new Map(beginnings.map((row) => [row.id, row]));
  return rows.flatMap((row) => {
    const beginning = known.get(row.id);
    return beginning === undefined ? [] : [{ ...row, ...beginning }];
  });
}

type Beginning = Pick<UpcomingEvent, "id" | "location" | "organizer" | "description">;

const beginningsSql = ({ items }: Dialect): string =>
  `select id, location, organizer, description from event_beginnings
     where id in (select cast(value ->> 0 as bigint) from ${items}($1))`;

/** Returns the categories of these events, sorted: `events.categories` stands behind the long texts of a row. */
export async function listEventCategories(
  db: Db,
  ids: readonly number[],
): Promise<readonly Pick<EventCategoryRow, "event_id" | "name">[]> {
  return db<EventCategoryRow>("event_categories")
    .whereIn("event_id", [...ids])
    .orderBy("name")
    .select("event_id", "name");
}

/**
 * Returns the marks of the events that overlap the range, earliest start first. No row is read for them. Long events are found by
 * their end, others by their start.
 */
export function listMarksWithin(
  db: Db,
  calendarId: number,
  range: TimeRange,
  { limit, offset = 0 }: Page,
  filter: EventFilter,
): Knex.QueryBuilder<object, MarkedEvent[]> {
  const earliest = range.from - lookBackSeconds;
  const within = () => filtered(db, calendarId, overlapping(db, calendarId, range, limit + offset), filter);
  const began = within().where("start_at", ">=", earliest);
  const long = within()
    .whereRaw(isLong)
    .where("end_at", ">=", range.from - daysApartSeconds)
    .where("start_at", "<", earliest);
  return db
    .select<MarkedEvent[]>("*")
    .from(began.as("began"))
    .unionAll(db.select("*").from(long.as("long")))
    .orderBy(byStart)
    .limit(limit)
    .offset(offset);
}

const byStart = [
  { column: "start_at", order: "asc" },
  { column: "id", order: "asc" },
];

function filtered(
  db: Db,
  calendarId: number,
  query: Knex.QueryBuilder,
  { words, category }: EventFilter,
): Knex.QueryBuilder {
  if (words !== undefined) void query.whereIn("id", searchIds(db, [calendarId], words));
  if (category !== undefined) {
    const named = db("event_categories").where({ calendar_id: calendarId, name: category });
    void query.whereIn("id", named.select("event_id"));
  }
  return query;
}

function overlapping(
  db: Db,
  calendarId: number,
  { from, fromLocal, fromNight = from, before }: TimeRange,
  limit: number,
): Knex.QueryBuilder {
  const query = db("published_events as events")
    .select(indexedColumns)
    .where({ calendar_id: calendarId })
    .whereRaw(
      `((all_day = 0 and (start_at >= ? or (end_at > ? and (end_at >= ? or end_at - start_at >= ${daySeconds}))))
        or (all_day = 1 and (start_local >= ? or (end_local >= ? and end_local - start_local > 3600))))`, // lastLocal
      [from, from, fromNight, fromLocal, fromLocal],
    )
    .orderBy(byStart)
    .limit(limit);
  if (before === undefined) return query;
  return query
    .where("start_at", "<", before.at + zoneSeconds)
    .whereRaw(beginsBefore.sql, [...beginsBefore.values(before)]);
}

/** Returns the event with that UID, of any calendar, if there is one. By the UID alone, so that no other index is taken. */
export function listEventsByUid(db: Db, uid: string): Knex.QueryBuilder<EventRow, ShownEventRow[]> {
  return db<EventRow>("published_events as events")
    .select<ShownEventRow[]>([...shownEventColumns])
    .where({ uid })
    .limit(1);
}

const shownEventColumns = columnsExcept(
  eventColumns,
  "account_id",
  "timezone",
  "start_month",
  "custom_data",
  "feed_version",
  "series_id",
  "series_place",
  "json",
  "state",
  "deleted_at",
  "publish_at",
  "preview_key",
);
export type ShownEventRow = Pick<EventRow, (typeof shownEventColumns)[number]>;

export function listDeletions(
  db: Db,
  calendarId: number,
  uid: string,
): Knex.QueryBuilder<DeletedEventRow, DeletedEventRow[]> {
  return db<DeletedEventRow>("deleted_events").where({ uid, calendar_id: calendarId }).limit(1);
}

export type SearchableCalendar = Pick<CalendarRow, "uniquekey" | "title">;

export function listSearchableCalendars(
  db: Db,
  limit: number,
): Knex.QueryBuilder<CalendarRow, SearchableCalendar[]> {
  return db<CalendarRow>("calendars")
    .select<SearchableCalendar[]>("uniquekey", "title")
    .where({ searchable: 1 })
    .whereNull("deleted_at")
    .orderBy([{ column: "title" }, { column: "id" }])
    .limit(limit);
}

interface FeedSlice extends FeedPlace {
  readonly limit: number;
  /** Bytes of texts: no event follows the first that goes beyond. */
  readonly bytes: number;
  /** Only events that have one of these, or none at all; undefined for every event. */
  readonly categories: readonly string[] | undefined;
}

/** Returns the next events of a part of a feed, as the feed shows them: no more than may fit. */
export async function listFeedEvents(
  db: Db,
  calendarId: number,
  { limit, bytes, categories, ...place }: FeedSlice,
): Promise<readonly ShownEventRow[]> {
  const { column, order } = feedOrder(place.part, place.from);
  const slice = feedSlice(db, calendarId, place, limit)
    .select("id", { place: column })
    // Of a text that is stored elsewhere than its row, this reads nothing.
    .select(db.raw("octet_length(description) as size"));
  if (categories !== undefined) {
    const ofEvent = () => db("event_categories").select("name").whereRaw("event_id = events.id");
    void slice.where((either) => {
      void either.whereNotExists(ofEvent()).orWhereExists(ofEvent().whereIn("name", [...categories]));
    });
  }
  const inOrder = `place ${order}, id ${order}`;
  const measured = db
    .select("id", "place")
    .select(db.raw(`sum(size) over (order by ${inOrder} rows unbounded preceding) - size as preceding`))
    .from(slice.as("slice"));
  return db
    .select<ShownEventRow[]>(shownEventColumns.map((name) => `events.${name}`))
    .from(measured.as("measured"))
    .join("published_events as events", "events.id", "measured.id")
    .where("preceding", "<=", bytes)
    .orderBy([
      { column: "measured.place", order },
      { column: "measured.id", order },
    ]);
}
