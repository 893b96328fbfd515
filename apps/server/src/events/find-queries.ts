import type { Knex } from "knex";
import { type ValueFilter, whereEventHas } from "../calendars/custom-data-queries.js";
import type { Db } from "../db/database.js";
import { orderSql } from "../db/paging.js";
import type { CalendarRow, EventRow } from "../db/rows.js";
import type { EventListOptions } from "./page-queries.js";
import {
  beginsBefore,
  daysApartSeconds,
  isLong,
  lastsUntil,
  lookBackSeconds,
  type Moment,
} from "./part-queries.js";
import { isThere, rowColumns, type Sized, sizeSql, syncedSql } from "./queries.js";
import { searchIds } from "./search-queries.js";

/** Calendars whose events are looked for, and the range that they touch, which depends on the time zone. */
export interface FindIn {
  readonly calendarIds: readonly number[];
  readonly from?: Moment | undefined;
  /** Exclusive. */
  readonly to?: Moment | undefined;
}

export interface FindOptions extends EventListOptions {
  readonly has?: ValueFilter | undefined;
  /** All of these are in the texts of the event (events/search.ts). */
  readonly words?: readonly string[] | undefined;
  readonly status?: string | undefined;
  readonly category?: string | undefined;
  readonly seriesId?: number | undefined;
  /** Drafts, instead of what followers see (extensions X8.5). */
  readonly isDraft?: boolean | undefined;
}

/** An event or a draft, and the key of its calendar. */
type FoundWithKey = EventRow & Pick<CalendarRow, "uniquekey">;

/** Returns an event or a draft of the account; undefined when it is absent, another account's, or its calendar is deleted. */
export async function findEvent(db: Db, accountId: number, id: number): Promise<FoundWithKey | undefined> {
  return inCalendar(db)
    .where({ "events.id": id, "events.account_id": accountId })
    .whereRaw(`events.${isThere}`)
    .first<FoundWithKey | undefined>(...foundColumns, db.raw(syncedSql("events")));
}

export async function findDraftByUid(db: Db, calendarId: number, uid: string): Promise<EventRow | undefined> {
  return inCalendar(db)
    .where({ "events.uid": uid, "events.calendar_id": calendarId, "events.state": "draft" })
    .first<FoundWithKey | undefined>(...foundColumns);
}

const inCalendar = (db: Db) =>
  db("events").join("calendars", "calendars.id", "events.calendar_id").whereNull("calendars.deleted_at");

const foundColumns = [...rowColumns.map((name) => `events.${name}`), "calendars.uniquekey"];

/** An event of a page: its id, and the size of its texts. */
type FoundEvent = Sized & Pick<EventRow, "id">;

/** A page of the ids of events, and how many there are on all pages. */
interface FoundPage {
  readonly total: number;
  readonly found: readonly FoundEvent[];
}

/** Returns the ids of a page of the events of some calendars, and how many there are on all pages. */
export async function findIds(trx: Db, within: readonly FindIn[], options: FindOptions): Promise<FoundPage> {
  const { order, limit, offset, words } = options;
  const pageOf = (source: Knex.QueryBuilder | string): Knex.QueryBuilder => {
    const page = trx.from(source).orderByRaw(orderSql(order, "start_at")).limit(limit).offset(offset);
    return trx
      .from(page.select("id", "start_at").as("page"))
      .join("events", "events.id", "page.id")
      .orderByRaw(orderSql(order, "page.start_at", false, "page.id"))
      .select("page.id", trx.raw(`${sizeSql} as size`));
  };
  const all = () => matching(trx, within, options);
  if (words !== undefined) {
    // A search reads all texts, so it is made once for both.
    const rows: readonly (FoundEvent & { readonly total: number })[] = await pageOf("found")
      .withMaterialized("found", all())
      .select(trx.raw("(select count(*) from found) as total"));
    const [first] = rows;
    if (first !== undefined || offset === 0) return { total: first?.total ?? 0, found: rows };
  }
  const [counted]: readonly { readonly total: number }[] = await trx
    .from(all().as("found"))
    .count({ total: "*" });
  const found: readonly FoundEvent[] = await pageOf(all().as("found"));
  return { total: counted?.total ?? 0, found };
}

/** Selects the ids and starts of the events that match. Those that touch a range are found by their start, or, where they are long, by their end. */
function matching(trx: Db, within: readonly FindIn[], options: FindOptions): Knex.QueryBuilder {
  const firsts = within.flatMap(({ from }) => from?.at ?? []);
  if (firsts.length === 0) return filtered(trx, within, options);
  const first = Math.min(...firsts);
  const earliest = first - lookBackSeconds;
  const long = filtered(trx, within, options)
    .whereRaw(isLong)
    .where("end_at", ">=", first - daysApartSeconds)
    .where("start_at", "<", earliest);
  return filtered(trx, within, options).where("start_at", ">=", earliest).unionAll(long);
}

/** The events that a list is of: those that followers see, or drafts. */
const listed = (trx: Db, { isDraft = false }: Pick<FindOptions, "isDraft">): Knex.QueryBuilder =>
  isDraft ? trx("events").whereRaw("state = 'draft'") : trx("published_events as events");

function filtered(trx: Db, within: readonly FindIn[], options: FindOptions): Knex.QueryBuilder {
  const { startMonth, startsFrom, status, seriesId } = options;
  const calendarIds = within.flatMap((one) => one.calendarIds);
  const query = listed(trx, options).select("id", "start_at").whereIn("calendar_id", calendarIds);
  if (startMonth !== undefined) void query.where({ start_month: startMonth });
  if (startsFrom !== undefined) void query.where("start_at", ">=", startsFrom);
  if (status !== undefined) void query.where({ status });
  if (seriesId !== undefined) void query.where({ series_id: seriesId });
  keepFound(query, trx, calendarIds, options);
  return touching(query, within);
}

/** Keeps the events whose rows in other tables match. */
function keepFound(
  query: Knex.QueryBuilder,
  trx: Db,
  calendarIds: readonly number[],
  { has, words, category }: FindOptions,
): void {
  if (has !== undefined) whereEventHas(query, trx, calendarIds, has);
  if (words !== undefined) void query.whereIn("id", searchIds(trx, calendarIds, words));
  if (category === undefined) return;
  const named = trx("event_categories").whereIn("calendar_id", calendarIds).where({ name: category });
  void query.whereIn("id", named.select("event_id"));
}

function touching(query: Knex.QueryBuilder, within: readonly FindIn[]): Knex.QueryBuilder {
  const lasts = within.flatMap(({ to }) => to?.at ?? []);
  if (lasts.length > 0) void query.where("start_at", "<", Math.max(...lasts) + daysApartSeconds);
  if (within.every(({ from, to }) => from === undefined && to === undefined)) return query;
  return query.where((any) => {
    for (const { calendarIds, from, to } of within)
      void any.orWhere((of) => {
        if (within.length > 1) void of.whereIn("calendar_id", [...calendarIds]);
        if (from !== undefined) void of.whereRaw(lastsUntil.sql, [...lastsUntil.values(from)]);
        if (to !== undefined) void of.whereRaw(beginsBefore.sql, [...beginsBefore.values(to)]);
      });
  });
}

/** Returns the events with these ids in their order, without those that are gone. */
export async function readEvents(
  db: Db,
  ids: readonly number[],
  options: Pick<FindOptions, "isDraft"> = {},
): Promise<readonly EventRow[]> {
  const rows: readonly EventRow[] = await listed(db, options)
    .whereIn("id", [...ids])
    .select(...rowColumns, db.raw(syncedSql("events")));
  const known = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => known.get(id) ?? []);
}
