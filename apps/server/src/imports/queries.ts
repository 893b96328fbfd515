import type { LockedCalendar } from "../calendars/lock-queries.js";
import { batched, queryForMany } from "../db/transaction.js";
import type { Db } from "../db/database.js";
import type { ImportedEventRow } from "../db/import-rows.js";
import type { CalendarRow, EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { rowSql } from "../events/queries.js";

export type ImportedEvent = EventRow &
  Pick<ImportedEventRow, "import_uid" | "import_recurrence_id" | "sync_id">;

/** A UID in a calendar. */
interface UidOf {
  readonly calendarId: number;
  readonly uid: string;
}

/** What an event is known as in files. */
interface KeyOf extends UidOf {
  readonly recurrenceId: string;
}

/** Returns the events of a calendar that are known by a key, lowest id first. */
export const findImported = queryForMany<KeyOf, ImportedEvent, readonly ImportedEvent[]>({
  name: "find imported events",
  writes: false,
  rows: (inputs) => inputs.map(({ calendarId, uid, recurrenceId }) => [calendarId, uid, recurrenceId]),
  sql: ({ items }) => `select ${rowSql}, i.import_uid, i.import_recurrence_id, i.sync_id
    from (select distinct cast(value ->> 0 as bigint) as calendar_id, value ->> 1 as uid, value ->> 2 as recurrence_id
      from ${items}($1)) as target
    join imported_events as i on i.calendar_id = target.calendar_id and i.import_uid = target.uid
      and i.import_recurrence_id = target.recurrence_id
    join published_events as e on e.id = i.event_id
    order by e.id`,
  results: (inputs, rows) => {
    const found = new Map<string, ImportedEvent[]>();
    const keyOf = (uid: string, recurrenceId: string): string => `${recurrenceId} ${uid}`;
    for (const row of rows) {
      const key = keyOf(row.import_uid, row.import_recurrence_id);
      const same = found.get(key);
      if (same === undefined) found.set(key, [row]);
      else same.push(row);
    }
    return inputs.map(({ uid, recurrenceId }) => found.get(keyOf(uid, recurrenceId)) ?? []);
  },
});

/** Returns the event of a calendar that has this UID itself. */
export const findByUid = queryForMany<UidOf, EventRow, EventRow | undefined>({
  name: "find events by uid",
  writes: false,
  rows: (inputs) => inputs.map(({ calendarId, uid }) => [calendarId, uid]),
  sql: ({ items }) => `select ${rowSql}
    from (select distinct cast(value ->> 0 as bigint) as calendar_id, value ->> 1 as uid
      from ${items}($1)) as target
    join published_events as e on e.uid = target.uid and e.calendar_id = target.calendar_id`,
  results: (inputs, rows) => {
    const found = new Map(rows.map((row) => [row.uid, row]));
    return inputs.map(({ uid }) => found.get(uid));
  },
});

/** Reports whether a calendar has a draft of what a file knows as this. */
export const hasDraftOf = queryForMany<KeyOf, Pick<KeyOf, "uid" | "recurrenceId">, boolean>({
  name: "find drafts of files",
  writes: false,
  rows: (inputs) => inputs.map(({ calendarId, uid, recurrenceId }) => [calendarId, uid, recurrenceId]),
  sql: ({ items }) => `select t.uid, t.recurrence_id as "recurrenceId"
    from (select distinct cast(value ->> 0 as bigint) as calendar_id, value ->> 1 as uid, value ->> 2 as recurrence_id
      from ${items}($1)) as t
    where exists (select 1 from imported_events as i join events as e on e.id = i.event_id and e.state = 'draft'
        where i.calendar_id = t.calendar_id and i.import_uid = t.uid and i.import_recurrence_id = t.recurrence_id)
      or (t.recurrence_id = '' and exists (select 1 from events as e
        where e.uid = t.uid and e.calendar_id = t.calendar_id and e.state = 'draft'))`,
  results: (inputs, rows) => {
    const found = new Set(rows.map(({ uid, recurrenceId }) => `${recurrenceId} ${uid}`));
    return inputs.map(({ uid, recurrenceId }) => found.has(`${recurrenceId} ${uid}`));
  },
});

export const findSeriesOfUid = batched<UidOf, SeriesRow & { readonly uid: string }, readonly SeriesRow[]>({
  name: "find series by uid",
  writes: false,
  rows: (inputs) => inputs.map(({ calendarId, uid }) => [calendarId, uid]),
  sql: ({ items }) => `with target as (
      select distinct cast(value ->> 0 as bigint) as calendar_id, value ->> 1 as uid from ${items}($1)),
    found as (select target.uid, e.series_id from target
        join imported_events as i on i.calendar_id = target.calendar_id and i.import_uid = target.uid
        join published_events as e on e.id = i.event_id where e.series_id > 0
      union select target.uid, e.series_id from target
        join published_events as e on e.uid = target.uid and e.calendar_id = target.calendar_id where e.series_id > 0)
    select found.uid, s.* from found join series as s on s.id = found.series_id`,
  results: (inputs, rows) =>
    inputs.map((input) => rows.filter(({ uid }) => uid === input.uid).map(({ uid: _uid, ...row }) => row)),
});

/** An event of a sync, by what it is known as. */
export type EventOfSync = Pick<ImportedEventRow, "event_id" | "import_uid" | "import_recurrence_id"> &
  Pick<EventRow, "start_at">;

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
    .select<EventOfSync[]>("i.event_id", "i.import_uid", "i.import_recurrence_id", "e.start_at");
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
