import type { Transaction } from "../db/transaction.js";
import type { ImportedEventRow } from "../db/import-rows.js";
import type { EventRow } from "../db/rows.js";

/** An event and the calendar that it moves to. */
type Move = Pick<EventRow, "id" | "calendar_id">;

/** What an event is known as in files, null where it is from none, and whether the other calendar has one of its UIDs, as 0 or 1. */
interface Moving {
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

const movingSql = `select k.import_uid, k.import_recurrence_id, case when ${isKnown("$1")} then 1 else 0 end as is_taken
  from events as e left join imported_events as k on k.event_id = e.id where e.id = $2`;

/** Returns what an event is known as, and whether the calendar that it moves to has an event of its UIDs. */
export async function findMoving(trx: Transaction, { id, calendar_id }: Move): Promise<Moving | undefined> {
  const [moving] = await trx.query<Moving>(movingSql, [calendar_id, id]);
  return moving;
}

const replacedSql = `select e.id from events as e left join imported_events as k on k.event_id = e.id
  where e.id = $1 and (${isKnown("e.calendar_id")} or exists (select 1 from published_events as o
    where o.series_id > 0 and o.series_id = e.series_id and o.series_place = e.series_place))`;

/** Reports whether followers see an event that stands for this one, which they do not see: by its UIDs in files, or its place in a series. */
export async function isReplaced(trx: Transaction, { id }: Pick<EventRow, "id">): Promise<boolean> {
  return (await trx.query(replacedSql, [id])).length > 0;
}

/** Has an import find an event in the calendar that it moved to; of a sync it becomes one that was imported. */
export function moveIdentity(trx: Transaction, { id, calendar_id }: Move): void {
  const sql = "update imported_events set calendar_id = $1, sync_id = null where event_id = $2";
  trx.send(sql, [calendar_id, id]);
}

/** Forgets that an event left a calendar, to which it comes back. */
export function forgetDeletion(trx: Transaction, { id, calendar_id }: Move): void {
  trx.send("delete from deleted_events where calendar_id = $1 and id = $2", [calendar_id, id]);
}
