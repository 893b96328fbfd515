import type { EventRow } from "../db/rows.js";
import { listedEvent } from "./serialize.js";

// The list item of an event stands as JSON in `events.json`, so that a page is one text that the database joins. It is written with
// what it shows (revisions.ts). A change of its text needs a migration that makes all items again.

/** Returns an event's list item as JSON, without its beginning `{"id":"…",`, since it is made before the row has an id. */
export function listedJson(row: Omit<EventRow, "id">): string {
  return JSON.stringify(listedEvent({ ...row, id: 0 })).slice('{"id":"0",'.length);
}

/** SQL: the list item of a row. */
export const listItemSql = `'{"id":"' || id || '",' || json`;
