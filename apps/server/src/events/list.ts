import type { Database, Reader } from "../db/connect.js";
import { findCalendar } from "../calendars/queries.js";
import type { CalendarRow, EventRow } from "../db/rows.js";
import { hasListedJson, listItemSql } from "./listed-json.js";
import { countEvents, type EventFilter, type EventOrder, listEvents } from "./queries.js";

/*
 * A page of a list in one query: SQLite joins the list items that stand ready beside their rows and hands over one text.
 * Measured: a page of 100 takes a quarter of the CPU time that rows and JSON.stringify take.
 */

export interface WantedEvents extends EventFilter {
  readonly order: EventOrder;
  readonly limit: number;
  readonly offset: number;
}

/** A page of a list and how many events the whole list has, of one state of the data. */
export interface EventPage {
  /** The calendar's `feed_version` then. */
  readonly version: number;
  readonly total: number;
  /** The items as JSON, joined with commas; rows where not every one stands ready. */
  readonly items: Buffer | readonly EventRow[];
}

interface PageRow {
  readonly feed_version: number;
  readonly total: number;
  readonly found: number;
  readonly ready: number;
  readonly items: Buffer | string | null;
}

/**
 * A page of a calendar's events; undefined when the calendar was deleted.
 * @param calendar as it is known; a change meanwhile does no harm
 * @param wantedOf what is wanted, which may depend on the calendar's time zone
 */
export function readEventPage(
  db: Pick<Database, "list">,
  calendar: CalendarRow,
  wantedOf: (calendar: CalendarRow) => WantedEvents,
): Promise<EventPage | undefined> {
  const near = fromTheEnd(calendar, wantedOf(calendar));
  const isOfThatState = near.backwards || near.startsFrom !== undefined;
  return db.list(async (on) => {
    const { sql, values } = pageQuery(on, calendar, near);
    const [row] = await on.ask<PageRow>(sql, values);
    if (row === undefined) return undefined;
    const { feed_version, total, found, ready, items } = row;
    const hasChanged = feed_version !== calendar.feed_version && isOfThatState;
    if (hasChanged || found !== ready) return readRows(on, calendar, wantedOf);
    return { version: feed_version, total, items: Buffer.isBuffer(items) ? items : Buffer.from(items ?? "") };
  });
}

/** The same from whole rows: when the calendar has just changed, or an older version wrote events. */
function readRows(
  on: Reader,
  { id, account_id }: CalendarRow,
  wantedOf: (calendar: CalendarRow) => WantedEvents,
): Promise<EventPage | undefined> {
  return on.snapshot(async (trx) => {
    const calendar = await findCalendar(trx, account_id, id);
    if (calendar === undefined) return undefined;
    const wanted = wantedOf(calendar);
    const items = await listEvents(trx, id, wanted);
    return { version: calendar.feed_version, total: await countEvents(trx, calendar, wanted), items };
  });
}

/** What is read: from the beginning of the list, or, where that is nearer, from its end. */
export interface Near extends WantedEvents {
  readonly backwards: boolean;
}

/** The query of a page: one row, or none when the calendar was deleted. */
export function pageQuery(
  on: Reader,
  calendar: CalendarRow,
  wanted: Near,
): { readonly sql: string; readonly values: readonly number[] } {
  return { sql: pageSql(on, wanted), values: pageValues(calendar, wanted) };
}

export function fromTheEnd({ events_total }: CalendarRow, wanted: WantedEvents): Near {
  const { startMonth, startsFrom, offset, limit } = wanted;
  const isWhole = startMonth === undefined && startsFrom === undefined;
  if (!isWhole || offset < events_total / 2) return { backwards: false, ...wanted };
  const rest = Math.max(0, Math.min(limit, events_total - offset));
  return {
    backwards: true,
    ...wanted,
    limit: rest,
    offset: Math.max(0, events_total - offset - rest),
  };
}

const columns = {
  "date-asc": ["start_at asc, id asc", "start_at desc, id desc"],
  "date-desc": ["start_at desc, id desc", "start_at asc, id asc"],
  "id-asc": ["id asc", "id desc"],
  "id-desc": ["id desc", "id asc"],
} as const;

function pageSql(on: Reader, { order, startMonth, startsFrom, backwards }: Near): string {
  const [there, back] = columns[order];
  const month = startMonth === undefined ? "" : " and start_month = ?";
  const from = startsFrom === undefined ? "" : " and start_at >= ?";
  const filter = `calendar_id = ?${month}${from}`;
  const rows = `select id, start_at, ${listItemSql} as item, case when ${hasListedJson} then 1 else 0 end as ready
    from events where ${filter} order by ${backwards ? back : there} limit ? offset ?`;
  const inOrder = backwards ? `select item, ready from (${rows}) as last order by ${there}` : rows;
  return `select c.feed_version, ${totalSql(filter, startMonth, startsFrom)} as total, p.found, p.ready, p.items
    from calendars as c cross join
      (select count(*) as found, coalesce(sum(ready), 0) as ready, ${on.joined("item")} as items
      from (${inOrder}) as shown) as p
    where c.id = ? and c.account_id = ? and c.deleted_at is null`;
}

/** Seconds that share a row of event_counts (migrations/0003_lists.ts). */
const bucketSeconds = 2 ** 18;

/** A count of all events is kept; of those from a time on, it is kept for each bucket. */
function totalSql(filter: string, startMonth: number | undefined, startsFrom: number | undefined): string {
  if (startMonth !== undefined) return `(select count(*) from events where ${filter})`;
  if (startsFrom === undefined) return "c.events_total";
  return `(select count(*) from events where ${filter} and start_at < ?)
    + (select cast(coalesce(sum(events), 0) as bigint) from event_counts
      where account_id = ? and calendar_id = ? and bucket > ?)`;
}

function pageValues(
  calendar: CalendarRow,
  { startMonth, startsFrom, limit, offset }: Near,
): readonly number[] {
  const filter = [calendar.id, startMonth, startsFrom].filter((value) => value !== undefined);
  const bucket = Math.floor((startsFrom ?? 0) / bucketSeconds);
  const counted =
    startMonth !== undefined
      ? filter
      : startsFrom === undefined
        ? []
        : [...filter, (bucket + 1) * bucketSeconds, calendar.account_id, calendar.id, bucket];
  return [...counted, ...filter, limit, offset, calendar.id, calendar.account_id];
}
