import { batched, batchedWrite } from "../db/transaction.js";
import type { ImportedEventRow } from "../db/import-rows.js";
import type { EventRow } from "../db/rows.js";

/** An event and the calendar that it moves to. */
type Move = Pick<EventRow, "id" | "calendar_id">;

/** What an event is known as in files, null where it is from none, and whether the other calendar has one of its UIDs, as 0 or 1. */
interface Moving extends Pick<EventRow, "id"> {
  readonly import_uid: string | null;
  readonly import_recurrence_id: ImportedEventRow["import_recurrence_id"] | null;
  readonly is_taken: number;
}

/** SQL: whether a calendar shows an event that files know as the event `e`, itself known as `k`. */
const isKnown = (calendarId: string): string => {
  const shown = `select 1 from imported_events as i join published_events as o on o.id = i.event_id
    where i.calendar_id = ${calendarId}`;
  return `(exists (${shown} and i.import_uid = e.uid and i.import_recurrence_id = '')
    or exists (${shown} and i.import_uid = k.import_uid and i.import_recurrence_id = k.import_recurrence_id)
    or exists (select 1 from published_events as o where o.uid = k.import_uid and o.calendar_id = ${calendarId}))`;
};

/** Returns what events are known as, and whether the calendar that each moves to has an event of their UIDs. */
export const findMoving = batched<Move, Moving, Moving | undefined>({
  name: "find moving events",
  writes: false,
  rows: (moves) => moves.map(({ id, calendar_id }) => [id, calendar_id]),
  sql: ({ items }) => `select e.id, k.import_uid, k.import_recurrence_id,
      case when ${isKnown("target.calendar_id")} then 1 else 0 end as is_taken
    from (select cast(value ->> 0 as bigint) as id, cast(value ->> 1 as bigint) as calendar_id from ${items}($1)) as target
    join events as e on e.id = target.id left join imported_events as k on k.event_id = e.id`,
  results: (moves, rows) => {
    const found = new Map(rows.map((row) => [row.id, row]));
    return moves.map(({ id }) => found.get(id));
  },
});

/** Reports whether followers see an event that stands for this one, which they do not see: by its UIDs in files, or its place in a series. */
export const isReplaced = batched<Pick<EventRow, "id">, Pick<EventRow, "id">, boolean>({
  name: "find replaced events",
  writes: false,
  rows: (rows) => rows.map(({ id }) => [id]),
  sql: ({ items }) => `select e.id from (select cast(value ->> 0 as bigint) as id from ${items}($1)) as target
    join events as e on e.id = target.id left join imported_events as k on k.event_id = e.id
    where ${isKnown("e.calendar_id")} or exists (select 1 from published_events as o
      where o.series_id > 0 and o.series_id = e.series_id and o.series_place = e.series_place)`,
  results: (rows, found) => {
    const replaced = new Set(found.map(({ id }) => id));
    return rows.map(({ id }) => replaced.has(id));
  },
});

/** Has an import find an event in the calendar that it moved to; of a sync it becomes one that was imported. */
export const moveIdentity = batchedWrite<Move>({
  name: "move imported events",
  rows: (moves) => moves.map(({ id, calendar_id }) => [id, calendar_id]),
  sql: ({ items }) => `update imported_events set calendar_id = move.calendar_id, sync_id = null
    from (select cast(value ->> 0 as bigint) as id, cast(value ->> 1 as bigint) as calendar_id from ${items}($1)) as move
    where event_id = move.id`,
});

/** Forgets that events left calendars, to which they come back. */
export const forgetDeletion = batchedWrite<Move>({
  name: "forget deletions",
  rows: (moves) => moves.map(({ id, calendar_id }) => [id, calendar_id]),
  sql: ({ items }) => `delete from deleted_events where (calendar_id, id) in (
    select cast(value ->> 1 as bigint), cast(value ->> 0 as bigint) from ${items}($1))`,
});
