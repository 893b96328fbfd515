import { batched, batchedWrite } from "../db/batch.js";
import type { EventRow, TrashedEventRow } from "../db/rows.js";

/** What an event of a calendar is known as in files; null when it is from none. */
export type Identity = Pick<
  TrashedEventRow,
  "id" | "calendar_id" | "import_uid" | "import_recurrence_id" | "sync_id"
>;

export const storeIdentity = batchedWrite<Identity>({
  name: "insert imported events again",
  rows: (rows) =>
    rows.flatMap(({ id, calendar_id, import_uid, import_recurrence_id, sync_id }) =>
      import_uid === null ? [] : [[id, calendar_id, import_uid, import_recurrence_id, sync_id]],
    ),
  sql: ({
    items,
  }) => `insert into imported_events (event_id, calendar_id, import_uid, import_recurrence_id, sync_id)
    select cast(value ->> 0 as bigint), cast(value ->> 1 as bigint), value ->> 2, value ->> 3,
      cast(value ->> 4 as bigint) from ${items}($1)`,
});

/** An event and the calendar that it moves to. */
type Move = Pick<EventRow, "id" | "calendar_id">;

/** What a move needs to know of an event besides its row. */
interface Moving extends Omit<Identity, "calendar_id"> {
  /** Whether the other calendar has an event of one of its UIDs, as 0 or 1. */
  readonly is_taken: number;
}

/** Returns what events are known as, and whether the calendar that each moves to has an event of their UIDs. */
export const findMoving = batched<Move, Moving, Moving | undefined>({
  name: "find moving events",
  writes: false,
  rows: (moves) => moves.map(({ id, calendar_id }) => [id, calendar_id]),
  sql: ({ items }) => {
    const known = "select 1 from imported_events as i where i.calendar_id = target.calendar_id";
    return `select e.id, k.import_uid, k.import_recurrence_id, k.sync_id, case
        when exists (${known} and i.import_uid = e.uid and i.import_recurrence_id = '')
        or exists (${known} and i.import_uid = k.import_uid and i.import_recurrence_id = k.import_recurrence_id)
        or exists (select 1 from events as o where o.uid = k.import_uid and o.calendar_id = target.calendar_id)
        then 1 else 0 end as is_taken
      from (select cast(value ->> 0 as bigint) as id, cast(value ->> 1 as bigint) as calendar_id from ${items}($1)) as target
      join events as e on e.id = target.id left join imported_events as k on k.event_id = e.id`;
  },
  results: (moves, rows) => {
    const found = new Map(rows.map((row) => [row.id, row]));
    return moves.map(({ id }) => found.get(id));
  },
});

/** Forgets that events left calendars, to which they come back. */
export const forgetDeletion = batchedWrite<Move>({
  name: "forget deletions",
  rows: (moves) => moves.map(({ id, calendar_id }) => [id, calendar_id]),
  sql: ({ items }) => `delete from deleted_events where (calendar_id, id) in (
    select cast(value ->> 1 as bigint), cast(value ->> 0 as bigint) from ${items}($1))`,
});
