import { findCalendar, type ListedCalendar } from "../calendars/queries.js";
import { Overloaded, type ReadDatabase, type Reader } from "../db/database.js";
import { type Order, orderSql, type Rows } from "../db/paging.js";
import type { CalendarRow } from "../db/rows.js";
import { listItemSql } from "./listed-json.js";

// A page of a list in one query: the database joins the list items that stand beside their rows and returns one text
// (docs/decisions/0009-the-hot-path.md).

export interface EventFilter {
  /** Month of the start on the event's own wall clock: year * 12 + month - 1 (rulings R3.5). */
  readonly startMonth?: number;
  /** Unix seconds: starts then or later (rulings R3.6). */
  readonly startsFrom?: number;
}

export interface EventListOptions extends EventFilter, Rows {
  readonly order: Order;
}

/** A page of a list and how many events the whole list has, of one state of the data. */
export interface EventPage {
  readonly total: number;
  /** The items as JSON, joined with commas. */
  readonly items: Buffer;
}

interface PageRow extends Pick<CalendarRow, "feed_version" | "timezone" | "events_total"> {
  readonly total: number;
  readonly items: Buffer | string | null;
}

const mostPlans = 3;

/**
 * Returns a page of a calendar's events; undefined when the calendar was deleted. Where the calendar has changed since the
 * query was planned, it is planned again.
 * @param optionsFor what to list, which may depend on the calendar's time zone
 * @throws Overloaded when it changes each time
 */
export async function readEventPage(
  db: ReadDatabase,
  calendar: ListedCalendar,
  optionsFor: (calendar: ListedCalendar) => EventListOptions,
): Promise<EventPage | undefined> {
  let known: ListedCalendar | undefined = calendar;
  for (let plans = 1; known !== undefined && plans <= mostPlans; plans++) {
    const range = nearerEnd(known, optionsFor(known), plans === mostPlans);
    const planned: ListedCalendar = known;
    const row = await db.list(planned.account_id, (on) => queryPage(on, planned, range));
    if (row === undefined) return undefined;
    const { total, items } = row;
    if (isAsPlanned(row, planned, range))
      return { total, items: Buffer.isBuffer(items) ? items : Buffer.from(items ?? "") };
    known = await findCalendar(db, planned.account_id, planned.id);
  }
  if (known === undefined) return undefined;
  throw new Overloaded("the calendar changes while it is listed");
}

/** The time zone decides what is listed, the number of events how a list is read from its end. */
function isAsPlanned(
  row: PageRow,
  { feed_version, timezone, events_total }: ListedCalendar,
  { backwards }: EventRange,
): boolean {
  if (row.feed_version === feed_version) return true;
  return row.timezone === timezone && (!backwards || row.events_total === events_total);
}

async function queryPage(on: Reader, calendar: ListedCalendar, range: EventRange) {
  const { sql, values } = pageQuery(on, calendar, range);
  const [row] = await on.query<PageRow>(sql, values);
  return row;
}

/** What is read: from the beginning of the list, or, where that is nearer, from its end. */
export interface EventRange extends EventListOptions {
  readonly backwards: boolean;
}

function nearerEnd({ events_total }: ListedCalendar, options: EventListOptions, forwardsOnly: boolean) {
  const { startMonth, startsFrom, offset, limit } = options;
  const isWhole = startMonth === undefined && startsFrom === undefined;
  if (forwardsOnly || !isWhole || offset < events_total / 2) return { ...options, backwards: false };
  const rest = Math.max(0, Math.min(limit, events_total - offset));
  return { ...options, backwards: true, limit: rest, offset: Math.max(0, events_total - offset - rest) };
}

/** Seconds that share a row of event_counts (db/schema.ts). */
const bucketSeconds = 2 ** 18;

/** The query of a page: one row, or none when the calendar was deleted. */
export function pageQuery(
  { dialect }: Pick<Reader, "dialect">,
  { id, account_id }: Pick<CalendarRow, "id" | "account_id">,
  { order, startMonth, startsFrom, limit, offset, backwards }: EventRange,
): { readonly sql: string; readonly values: readonly number[] } {
  const values: number[] = [];
  const places = new Map<string, string>();
  // Numbered as they come in the text (db/query.ts).
  const bind = (name: string, value: number): string => {
    const place = places.get(name) ?? `$${values.push(value)}`;
    places.set(name, place);
    return place;
  };
  const calendar = (): string => bind("calendar", id);
  const account = (): string => bind("account", account_id);
  const filter = (): string =>
    [
      `calendar_id = ${calendar()}`,
      ...(startMonth === undefined ? [] : [`start_month = ${bind("month", startMonth)}`]),
      ...(startsFrom === undefined ? [] : [`start_at >= ${bind("from", startsFrom)}`]),
    ].join(" and ");
  const total = (): string => {
    if (startMonth !== undefined) return `(select count(*) from published_events where ${filter()})`;
    if (startsFrom === undefined) return "c.events_total"; // a count of all is kept
    // Of those from a time on, it is kept for each bucket.
    const bucket = Math.floor(startsFrom / bucketSeconds);
    return `(select count(*) from published_events where ${filter()} and start_at < ${bind("end", (bucket + 1) * bucketSeconds)})
      + (select cast(coalesce(sum(events), 0) as bigint) from event_counts
        where account_id = ${account()} and calendar_id = ${calendar()} and bucket > ${bind("bucket", bucket)})`;
  };
  // SQLite plans with the value of a bare `limit $1` and so prepares again for each; not with that of an expression.
  const rows =
    (): string => `select id, start_at, ${listItemSql} as item from published_events where ${filter()}
    order by ${orderSql(order, "start_at", backwards)} limit cast(${bind("limit", limit)} as bigint) offset cast(${bind("offset", offset)} as bigint)`;
  const inOrder = (): string =>
    backwards ? `select item from (${rows()}) as last order by ${orderSql(order, "start_at")}` : rows();
  const sql = `select c.feed_version, c.timezone, c.events_total, ${total()} as total, p.items
    from calendars as c cross join (select ${dialect.joined("item")} as items from (${inOrder()}) as shown) as p
    where c.id = ${calendar()} and c.account_id = ${account()} and c.deleted_at is null`;
  return { sql: sql, values };
}
