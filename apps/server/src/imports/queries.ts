import { batched } from "../db/batch.js";
import type { Db } from "../db/database.js";
import type { ImportedEventRow } from "../db/import-rows.js";
import type { EventRow } from "../db/rows.js";
import { rowColumns, rowSql } from "../events/queries.js";

/** An event and what it is known as in files. */
export type ImportedEvent = EventRow & Pick<ImportedEventRow, "import_uid" | "import_recurrence_id">;

/** A UID in a calendar. */
interface UidOf {
  readonly calendarId: number;
  readonly uid: string;
}

const cells = (inputs: readonly UidOf[]) => inputs.map(({ calendarId, uid }) => [calendarId, uid]);
const target = (items: string): string =>
  `(select distinct cast(value ->> 0 as bigint) as calendar_id, value ->> 1 as uid from ${items}($1)) as target`;

/** Returns the events of a calendar that were imported with a UID. */
export const findImported = batched<UidOf, ImportedEvent, readonly ImportedEvent[]>({
  name: "find imported events",
  writes: false,
  rows: cells,
  sql: ({ items }) => `select ${rowSql}, i.import_uid, i.import_recurrence_id from ${target(items)}
    join imported_events as i on i.calendar_id = target.calendar_id and i.import_uid = target.uid
    join events as e on e.id = i.event_id`,
  results: (inputs, rows) => {
    const found = new Map<string, ImportedEvent[]>();
    for (const row of rows) found.set(row.import_uid, [...(found.get(row.import_uid) ?? []), row]);
    return inputs.map(({ uid }) => found.get(uid) ?? []);
  },
});

/** Returns the event of a calendar that has this UID itself. */
export const findByUid = batched<UidOf, EventRow, EventRow | undefined>({
  name: "find events by uid",
  writes: false,
  rows: cells,
  sql: ({ items }) => `select ${rowSql} from ${target(items)}
    join events as e on e.uid = target.uid and e.calendar_id = target.calendar_id`,
  results: (inputs, rows) => {
    const found = new Map(rows.map((row) => [row.uid, row]));
    return inputs.map(({ uid }) => found.get(uid));
  },
});

/** Stores what an event is known as in files, instead of what it was known as. Its sync stays. */
export const storeImported = batched<ImportedEventRow, never, void>({
  name: "store imported events",
  writes: true,
  rows: (inputs) =>
    inputs.map((row) => [
      row.event_id,
      row.calendar_id,
      row.import_uid,
      row.import_recurrence_id,
      row.sync_id,
    ]),
  sql: ({ items }) => `insert into imported_events
      (event_id, calendar_id, import_uid, import_recurrence_id, sync_id)
    select cast(value ->> 0 as bigint), cast(value ->> 1 as bigint), value ->> 2, value ->> 3,
      cast(value ->> 4 as bigint) from ${items}($1) where true
    on conflict (event_id) do update set import_uid = excluded.import_uid,
      import_recurrence_id = excluded.import_recurrence_id`,
  results: (inputs) => inputs.map(() => undefined),
});

/** Returns the future events that a sync has made, from `now` (Unix seconds) on. */
export async function futureEventsOfSync(
  trx: Db,
  syncId: number,
  now: number,
): Promise<readonly ImportedEvent[]> {
  return trx("imported_events as i")
    .join("events as e", "e.id", "i.event_id")
    .where({ "i.sync_id": syncId })
    .where("e.start_at", ">", now)
    .orderBy("e.id")
    .select<ImportedEvent[]>(
      ...rowColumns.map((name) => `e.${name}`),
      "i.import_uid",
      "i.import_recurrence_id",
    );
}

/** Returns what events are known as in files, by their ids. */
export async function importedAs(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ImportedEventRow>> {
  const rows = await db<ImportedEventRow>("imported_events").whereIn("event_id", [...ids]);
  return new Map(rows.map((row) => [row.event_id, row]));
}
