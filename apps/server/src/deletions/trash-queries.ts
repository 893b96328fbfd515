import { batched } from "../db/batch.js";
import { columnsExcept, trashedEventColumns } from "../db/columns.js";
import type { TrashedEventRow } from "../db/rows.js";

/** What a trashed event has that is not the event's own. */
const ofDeletion = ["feed_version", "deleted_at", "bytes"] as const;
const ofFile = ["import_uid", "import_recurrence_id", "sync_id"] as const;

const eventSql = columnsExcept(trashedEventColumns, ...ofDeletion, ...ofFile);

/** An event that is deleted, by which version of its calendar's feed, and the bytes that it goes on being counted as. */
type Deletion = Pick<TrashedEventRow, "id" | (typeof ofDeletion)[number]>;

/** Keeps a locked event that is about to be deleted, with what it is known as in files. */
export const trashEvent = batched<Deletion, never, void>({
  name: "trash events",
  writes: true,
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
  results: (deletions) => deletions.map(() => undefined),
});
