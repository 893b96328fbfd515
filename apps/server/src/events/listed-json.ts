import type { EventRow } from "../db/rows.js";
import { listedEvent } from "./serialize.js";

// The list item of an event stands as JSON in `events.json`, so that a page is one text that the database joins. `json_of`
// names the state of the row that it shows; a trigger makes the item of a row that a server of an older version wrote
// (migrations/0004_list_items.ts).

/** Raised by 2^40 when the text of an item changes, by a migration that makes all items again. */
const format = 1 * 2 ** 40;

/** Returns an event's list item as JSON, without its beginning `{"id":"…",`, since it is made before the row has an id. */
export function listedJson(row: Omit<EventRow, "id">): string {
  return JSON.stringify(listedEvent({ ...row, id: 0 })).slice('{"id":"0",'.length);
}

/** Returns what `json_of` holds while `json` is true of the row. */
export function listedJsonVersion({
  updated_times,
  moves,
}: Pick<EventRow, "updated_times" | "moves">): number {
  return format + updated_times + moves;
}

/** SQL: the list item of a row. */
export const listItemSql = `'{"id":"' || id || '",' || json`;
