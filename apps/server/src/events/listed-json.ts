import type { EventRow } from "../db/rows.js";
import { listedEvent } from "./serialize.js";

/*
 * The list item of an event stands ready in `events.json`, since SQLite hands over one long text of 100 items many times
 * faster than 100 rows. It is true only while `json_of` names the counters of its row, which every change of a row raises:
 * servers of older versions, which do not know the column, so tell that it is not true any more.
 */

/** Raised by 2^40 when the text of an item changes; then a migration must give events_without_json the new condition. */
const format = 1 * 2 ** 40;

/** An event's list item as JSON, without its beginning `{"id":"…",`, since it is made before the row has an id. */
export function listedJson(row: Omit<EventRow, "id">): string {
  return JSON.stringify(listedEvent({ ...row, id: 0 })).slice('{"id":"0",'.length);
}

/** What `json_of` holds while `json` is true of the row. */
export function listedJsonVersion({
  updated_times,
  moves,
}: Pick<EventRow, "updated_times" | "moves">): number {
  return format + updated_times + moves;
}

/** The same in SQL. */
export const listedJsonVersionSql = `${format} + updated_times + moves`;

/** SQL: whether `json` is true of its row, and whether it is not, in the words of the index events_without_json. */
export const hasListedJson = `json_of = ${listedJsonVersionSql}`;
export const lacksListedJson = `json_of <> ${listedJsonVersionSql}`;

/** SQL: the list item of a row whose `json` is true. */
export const listItemSql = `'{"id":"' || id || '",' || json`;
