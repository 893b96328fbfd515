import { hasCategory } from "../categories/queries.js";
import { batched } from "../db/batch.js";
import { columnsExcept, trashedEventColumns } from "../db/columns.js";
import type { Db } from "../db/database.js";
import type { CalendarRow, TrashedEventRow } from "../db/rows.js";
import { hiddenSyncedSql } from "./trash-queries.js";

// Drafts, which are the rows of trashed_events that are not deleted: no query of events can show one (docs/decisions/0014).

/** A draft, and the key of its calendar. */
export interface DraftRow
  extends
    Omit<TrashedEventRow, "preview_key" | "found_words" | "found_data">,
    Pick<CalendarRow, "uniquekey"> {
  readonly preview_key: string;
}

export const draftColumns = columnsExcept(trashedEventColumns, "found_words", "found_data");
const columns = [...draftColumns.map((name) => `e.${name}`), hiddenSyncedSql("e")].join(", ");

/** SQL: drafts `e` of calendars `c` that are not deleted. */
const from = "trashed_events as e join calendars as c on c.id = e.calendar_id and c.deleted_at is null";

/** A query of drafts by their ids, of one account or of any. */
const batchedFind = <Row extends Pick<DraftRow, "id">>(name: string, selected: string) =>
  batched<{ readonly accountId?: number | undefined; readonly id: number }, Row, Row | undefined>({
    name,
    writes: false,
    rows: (inputs) => inputs.map(({ accountId, id }) => [accountId ?? null, id]),
    sql: ({ items }) => `select ${selected}
      from (select cast(value ->> 0 as bigint) as account_id, cast(value ->> 1 as bigint) as id
        from ${items}($1)) as target
      join trashed_events as e on e.id = target.id and e.account_id = coalesce(target.account_id, e.account_id)
        and e.deleted_at = 0
      join calendars as c on c.id = e.calendar_id and c.deleted_at is null`,
    results: (inputs, rows) => {
      const found = new Map(rows.map((row) => [row.id, row]));
      return inputs.map(({ id }) => found.get(id));
    },
  });

/** Returns a draft; its calendar must be locked, so that no one else changes it. */
export const readDraft = batchedFind<DraftRow>("read drafts", `${columns}, c.uniquekey`);

/** Where a draft is, and what it is counted as. */
export type DraftPlace = Pick<DraftRow, "id" | "calendar_id" | "bytes">;
export const findDraftPlace = batchedFind<DraftPlace>("find drafts", "e.id, e.calendar_id, e.bytes");

/** Returns a draft of the account; undefined when it is absent, another account's, or its calendar is deleted. */
export async function findDraft(db: Db, accountId: number, id: number): Promise<DraftRow | undefined> {
  return db
    .from(db.raw(from))
    .where({ "e.account_id": accountId, "e.id": id, "e.deleted_at": 0 })
    .first<DraftRow | undefined>(db.raw(`${columns}, c.uniquekey`));
}

/** Returns where the drafts of a calendar with one of these categories are. */
export async function findDraftsIn(
  db: Db,
  calendarId: number,
  categories: readonly string[],
): Promise<readonly DraftPlace[]> {
  return db<TrashedEventRow>("trashed_events")
    .where({ calendar_id: calendarId, deleted_at: 0 })
    .where(hasCategory(categories))
    .orderBy("id")
    .select("id", "calendar_id", "bytes");
}

export async function findDraftByUid(db: Db, calendarId: number, uid: string): Promise<DraftRow | undefined> {
  return db
    .from(db.raw(from))
    .where({ "e.uid": uid, "e.calendar_id": calendarId, "e.deleted_at": 0 })
    .first<DraftRow | undefined>(db.raw(`${columns}, c.uniquekey`));
}

export type Preview = Pick<DraftRow, "id" | "uid" | "publish_at" | "preview_key" | "uniquekey">;

/** Returns which drafts have these ids, with their calendars' keys; without what is long. */
export async function findPreviews(db: Db, ids: readonly number[]): Promise<readonly Preview[]> {
  return db
    .from(db.raw(from))
    .whereIn("e.id", [...ids])
    .where({ "e.deleted_at": 0 })
    .select("e.id", "e.uid", "e.publish_at", "e.preview_key", "c.uniquekey");
}

/** Returns the ids of drafts whose time has come: of each account the first, then of each the second, those that wait longest before others. */
export async function findDueDrafts(
  db: Db,
  now: number,
  { limit, except }: { readonly limit: number; readonly except: readonly number[] },
): Promise<readonly number[]> {
  const due = db
    .from(db.raw(from))
    .whereRaw("e.deleted_at = 0 and e.publish_at is not null and e.publish_at <= ?", [now])
    .whereNotIn("e.id", [...except])
    .select(
      "e.id",
      "e.publish_at",
      db.raw("row_number() over (partition by e.account_id order by e.publish_at, e.id) as place"),
    );
  const rows: readonly { readonly id: number }[] = await db
    .from(due.as("due"))
    .orderBy(["place", "publish_at", "id"])
    .limit(limit)
    .select("id");
  return rows.map(({ id }) => id);
}

/** Reports whether a calendar has a draft of what a file knows as this. */
export const hasDraftOf = batched<
  { readonly calendarId: number; readonly uid: string; readonly recurrenceId: string },
  { readonly uid: string; readonly recurrence_id: string },
  boolean
>({
  name: "find drafts of files",
  writes: false,
  rows: (inputs) => inputs.map(({ calendarId, uid, recurrenceId }) => [calendarId, uid, recurrenceId]),
  sql: ({ items }) => {
    const own = "t.recurrence_id = '' and exists (select 1 from trashed_events as e where e.deleted_at = 0";
    const known = "exists (select 1 from trashed_events as e where e.deleted_at = 0";
    return `select t.uid, t.recurrence_id from (select distinct cast(value ->> 0 as bigint) as calendar_id,
        value ->> 1 as uid, value ->> 2 as recurrence_id from ${items}($1)) as t
      where (${own} and e.uid = t.uid and e.calendar_id = t.calendar_id))
        or ${known} and e.calendar_id = t.calendar_id and e.import_uid = t.uid
          and e.import_recurrence_id = t.recurrence_id)`;
  },
  results: (inputs, rows) => {
    const keyOf = (uid: string, recurrenceId: string): string => `${recurrenceId} ${uid}`;
    const found = new Set(rows.map(({ uid, recurrence_id }) => keyOf(uid, recurrence_id)));
    return inputs.map(({ uid, recurrenceId }) => found.has(keyOf(uid, recurrenceId)));
  },
});
