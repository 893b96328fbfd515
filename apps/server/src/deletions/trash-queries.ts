import { batched, batchedWrite } from "../db/batch.js";
import { columnsExcept, rowArray, trashedEventColumns, updateRows } from "../db/columns.js";
import type { EventRow, TrashedEventRow } from "../db/rows.js";

// Events that no one sees: those that are deleted and can be restored, and drafts, whose `deleted_at` is 0.

/** The event without what belongs to its deletion, or to its being a draft. */
export function eventOf(
  row: Omit<TrashedEventRow, "found_words" | "found_data"> & { uniquekey?: string },
): EventRow {
  const {
    deleted_at: _at,
    bytes: _bytes,
    import_uid: _uid,
    import_recurrence_id: _recurrence,
    ...rest
  } = row;
  const { sync_id: _sync, publish_at: _publish, preview_key: _preview, uniquekey: _key, ...event } = rest;
  return event;
}

/** SQL: the sync that a hidden event of that table or name is of, as long as there is that sync. */
export const hiddenSyncedSql = (events: string): string =>
  `(select y.id from calendar_syncs as y where y.id = ${events}.sync_id) as synced_by`;

/** What a trashed event has that is not the event's own. */
const ofDeletion = ["feed_version", "deleted_at", "bytes"] as const;
const ofFile = ["import_uid", "import_recurrence_id", "sync_id"] as const;
const ofDraft = ["publish_at", "preview_key", "found_words", "found_data"] as const;

const eventSql = columnsExcept(trashedEventColumns, ...ofDeletion, ...ofFile, ...ofDraft);

/** An event that is deleted, by which version of its calendar's feed, and the bytes that it goes on being counted as. */
type Deletion = Pick<TrashedEventRow, "id" | (typeof ofDeletion)[number]>;

/** Keeps a locked event that is about to be deleted, with what it is known as in files. */
export const trashEvent = batchedWrite<Deletion>({
  name: "trash events",
  rows: (deletions) => deletions.map(({ id, ...row }) => [id, ...ofDeletion.map((name) => row[name])]),
  sql: ({ items }) => {
    const cells = ["id", ...ofDeletion].map((name, index) => `cast(value ->> ${index} as bigint) as ${name}`);
    const values = [
      ...eventSql.map((name) => `e.${name}`),
      ...ofDeletion.map((name) => `target.${name}`),
      ...ofFile.map((name) => `i.${name}`),
    ];
    return `insert into trashed_events (${[...eventSql, ...ofDeletion, ...ofFile].join(", ")})
      select ${values.join(", ")} from (select ${cells.join(", ")} from ${items}($1)) as target
      join events as e on e.id = target.id left join imported_events as i on i.event_id = e.id`;
  },
});

/** A draft that is stored. */
export type NewDraft = Omit<TrashedEventRow, (typeof ofFile)[number]>;

const draftCells = rowArray(trashedEventColumns, columnsExcept(trashedEventColumns, ...ofFile));

/** Stores a draft, new or of an event that is about to be taken from the calendar: with what that is known as in files. */
export const insertDraft = batchedWrite<NewDraft>({
  name: "insert drafts",
  rows: (rows) => rows.map(draftCells.cells),
  sql: ({ items }) => `insert into trashed_events (${[...draftCells.names, ...ofFile].join(", ")})
    select ${[...draftCells.names.map(draftCells.sqlOf), ...ofFile.map((name) => `i.${name}`)].join(", ")}
    from ${items}($1) left join imported_events as i on i.event_id = ${draftCells.sqlOf("id")}`,
});

/** Stores what a draft is now, or that it is deleted. */
export const updateDraft = batchedWrite<NewDraft>({
  name: "update drafts",
  rows: (rows) => rows.map(draftCells.cells),
  sql: (dialect) => updateRows("trashed_events", draftCells, dialect),
});

/** Removes an event that no one sees. */
export const removeHidden = batchedWrite<Pick<TrashedEventRow, "id">>({
  name: "remove hidden events",
  rows: (rows) => rows.map(({ id }) => [id]),
  sql: ({ items }) =>
    `delete from trashed_events where id in (select cast(value ->> 0 as bigint) from ${items}($1))`,
});

/** Reports whether an event stands for a hidden one now: by its UIDs in files, or its place in a series. */
export const isReplaced = batched<Pick<TrashedEventRow, "id">, Pick<TrashedEventRow, "id">, boolean>({
  name: "find replaced events",
  writes: false,
  rows: (rows) => rows.map(({ id }) => [id]),
  sql: ({ items }) => {
    const known = "select 1 from imported_events as i where i.calendar_id = t.calendar_id";
    return `select t.id from (select cast(value ->> 0 as bigint) as id from ${items}($1)) as target
      join trashed_events as t on t.id = target.id
      where exists (${known} and i.import_uid = t.uid and i.import_recurrence_id = '')
        or exists (${known} and i.import_uid = t.import_uid and i.import_recurrence_id = t.import_recurrence_id)
        or exists (select 1 from events as e where e.uid = t.import_uid and e.calendar_id = t.calendar_id)
        or exists (select 1 from events as e
          where e.series_id > 0 and e.series_id = t.series_id and e.series_place = t.series_place)`;
  },
  results: (rows, found) => {
    const replaced = new Set(found.map(({ id }) => id));
    return rows.map(({ id }) => replaced.has(id));
  },
});
