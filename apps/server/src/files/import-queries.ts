import type { LockedCalendar } from "../calendars/lock-queries.js";
import type { Transaction } from "../db/transaction.js";
import type { Db } from "../db/database.js";
import type { ImportedEventRow } from "../db/import-rows.js";
import type { CalendarRow, EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { rowSql } from "../events/queries.js";

export type ImportedEvent = EventRow &
  Pick<ImportedEventRow, "import_uid" | "import_recurrence_id" | "sync_id">;

type Reading = Pick<Transaction, "query" | "dialect">;

/** What an event of a file is known by. */
export interface FileKey {
  readonly uid: string;
  readonly recurrenceId: string;
}

export function keyOf(uid: string, recurrenceId: string): string {
  return `${recurrenceId} ${uid}`;
}

/** SQL: the keys of a JSON array that is the first value. */
const keysSql = (items: string): string => `(select distinct cast(value ->> 0 as bigint) as calendar_id,
  value ->> 1 as uid, value ->> 2 as recurrence_id from ${items}($1)) as target`;

const keyRows = (calendarId: number, keys: readonly FileKey[]): string =>
  JSON.stringify(keys.map(({ uid, recurrenceId }) => [calendarId, uid, recurrenceId]));

/** Returns the events of a calendar by what they are known as, lowest id first. */
export async function findImported(
  { query, dialect }: Reading,
  calendarId: number,
  keys: readonly FileKey[],
): Promise<ReadonlyMap<string, readonly ImportedEvent[]>> {
  const rows = await query<ImportedEvent>(
    `select ${rowSql}, i.import_uid, i.import_recurrence_id, i.sync_id from ${keysSql(dialect.items)}
      join imported_events as i on i.calendar_id = target.calendar_id and i.import_uid = target.uid
        and i.import_recurrence_id = target.recurrence_id
      join published_events as e on e.id = i.event_id
      order by e.id`,
    [keyRows(calendarId, keys)],
  );
  return grouped(rows, (row) => keyOf(row.import_uid, row.import_recurrence_id));
}

function grouped<Row>(
  rows: readonly Row[],
  keyOfRow: (row: Row) => string,
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOfRow(row));
    if (group === undefined) groups.set(keyOfRow(row), [row]);
    else group.push(row);
  }
  return groups;
}

/** Returns the events of a calendar by their own UIDs. */
export async function findByUid(
  { query, dialect }: Reading,
  calendarId: number,
  keys: readonly FileKey[],
): Promise<ReadonlyMap<string, EventRow>> {
  const rows = await query<EventRow>(
    `select ${rowSql} from ${keysSql(dialect.items)}
      join published_events as e on e.uid = target.uid and e.calendar_id = target.calendar_id`,
    [keyRows(calendarId, keys)],
  );
  return new Map(rows.map((row) => [row.uid, row]));
}

/** Returns the keys of which a calendar has a draft. */
export async function findDrafts(
  { query, dialect }: Reading,
  calendarId: number,
  keys: readonly FileKey[],
): Promise<ReadonlySet<string>> {
  const rows = await query<{ readonly uid: string; readonly recurrence_id: string }>(
    `select target.uid, target.recurrence_id from ${keysSql(dialect.items)}
      where exists (select 1 from imported_events as i join events as e on e.id = i.event_id and e.state = 'draft'
          where i.calendar_id = target.calendar_id and i.import_uid = target.uid
            and i.import_recurrence_id = target.recurrence_id)
        or (target.recurrence_id = '' and exists (select 1 from events as e
          where e.uid = target.uid and e.calendar_id = target.calendar_id and e.state = 'draft'))`,
    [keyRows(calendarId, keys)],
  );
  return new Set(rows.map(({ uid, recurrence_id }) => keyOf(uid, recurrence_id)));
}

/** Returns the series of a calendar by the UIDs of their events. */
export async function findSeriesOfUids(
  { query, dialect }: Reading,
  calendarId: number,
  uids: readonly string[],
): Promise<ReadonlyMap<string, readonly SeriesRow[]>> {
  const rows = await query<SeriesRow & { readonly uid: string }>(
    `with target as (
        select distinct cast(value ->> 0 as bigint) as calendar_id, value ->> 1 as uid from ${dialect.items}($1)),
      found as (select target.uid, e.series_id from target
          join imported_events as i on i.calendar_id = target.calendar_id and i.import_uid = target.uid
          join published_events as e on e.id = i.event_id where e.series_id > 0
        union select target.uid, e.series_id from target
          join published_events as e on e.uid = target.uid and e.calendar_id = target.calendar_id where e.series_id > 0)
      select found.uid, s.* from found join series as s on s.id = found.series_id`,
    [JSON.stringify(uids.map((uid) => [calendarId, uid]))],
  );
  const series = new Map<string, SeriesRow[]>();
  for (const { uid, ...row } of rows) series.set(uid, [...(series.get(uid) ?? []), row]);
  return series;
}

/** An event of a sync, by what it is known as. */
export type EventOfSync = Pick<ImportedEventRow, "event_id" | "import_uid" | "import_recurrence_id"> &
  Pick<EventRow, "start_at" | "series_id" | "series_place">;

/** Returns some events that a sync has made, in the order of their ids. */
export async function eventsOfSync(
  db: Db,
  syncId: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly EventOfSync[]> {
  return db("imported_events as i")
    .join("published_events as e", "e.id", "i.event_id")
    .where({ "i.sync_id": syncId })
    .where("i.event_id", ">", after)
    .orderBy("i.event_id")
    .limit(limit)
    .select<EventOfSync[]>(
      "i.event_id",
      "i.import_uid",
      "i.import_recurrence_id",
      "e.start_at",
      "e.series_id",
      "e.series_place",
    );
}

/** Reports whether a sync has made an event that is known by one of some UIDs. */
export async function hasUidsOfSync(
  { query, dialect }: Reading,
  syncId: number,
  uids: readonly string[],
): Promise<boolean> {
  const found = await query(
    `select 1 from imported_events where sync_id = $1
      and import_uid in (select value ->> 0 from ${dialect.items}($2)) limit 1`,
    [syncId, JSON.stringify(uids.map((uid) => [uid]))],
  );
  return found.length > 0;
}

type KeyOfSync = Pick<EventRow, "start_at" | "end_at" | "title" | "location"> & {
  readonly uid: string;
  readonly recurrence_id: string;
};

/** Returns what the events of a sync are known as and what tells them apart, lowest id first. */
export async function keysOfSync({ query }: Reading, syncId: number): Promise<readonly KeyOfSync[]> {
  return query<KeyOfSync>(
    `select i.import_uid as uid, i.import_recurrence_id as recurrence_id, e.start_at, e.end_at, e.title, e.location
      from imported_events as i join published_events as e on e.id = i.event_id
      where i.sync_id = $1 order by e.id`,
    [syncId],
  );
}

const targetColumns = [
  ...["id", "account_id", "uniquekey", "timezone", "palette_id", "feed_version"].map((name) => `c.${name}`),
  "a.webhooks",
];

/** Returns the calendar of an import, as one that is locked; it is not. */
export async function findTarget(
  db: Db,
  accountId: number,
  calendarId: number,
): Promise<LockedCalendar | undefined> {
  return db<CalendarRow>("calendars as c")
    .join("accounts as a", "a.id", "c.account_id")
    .where({ "c.id": calendarId, "c.account_id": accountId })
    .whereNull("c.deleted_at")
    .first<LockedCalendar>(targetColumns);
}

/** Returns what events are known as in files, by their ids. */
export async function importedAs(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ImportedEventRow>> {
  const rows = await db<ImportedEventRow>("imported_events").whereIn("event_id", [...ids]);
  return new Map(rows.map((row) => [row.event_id, row]));
}
