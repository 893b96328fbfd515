import type { Knex } from "knex";
import type { Transaction } from "../db/transaction.js";
import { columnsExcept, eventSearchColumns, insertRow } from "../db/columns.js";
import type { Db } from "../db/database.js";
import type { EventRow } from "../db/rows.js";
import { lettersOf, type SearchedTexts, searchedOf } from "./search.js";

const inserted = insertRow("event_search", columnsExcept(eventSearchColumns));

/** SQL: replaces the row that an event had. */
export const replaceSearched = `on conflict (calendar_id, event_id) do update set ${columnsExcept(
  eventSearchColumns,
  "calendar_id",
  "event_id",
)
  .map((name) => `${name} = excluded.${name}`)
  .join(", ")}`;

const storeSql = `${inserted.sql} ${replaceSearched}`;

/** Stores what a search compares of an event, instead of what it was before. */
export function storeSearched(
  trx: Transaction,
  event: SearchedTexts & Pick<EventRow, "id" | "calendar_id">,
): void {
  const { calendar_id, id: event_id } = event;
  trx.send(storeSql, inserted.values({ calendar_id, event_id, ...searchedOf(event) }));
}

/** Removes what a search compares of an event, in its calendar. */
export function removeSearched(
  trx: Transaction,
  { id, calendar_id }: Pick<EventRow, "id" | "calendar_id">,
): void {
  trx.send("delete from event_search where calendar_id = $1 and event_id = $2", [calendar_id, id]);
}

/** Returns the ids of the events of these calendars that have each of these words in their texts. */
export function searchIds(
  db: Db,
  calendarIds: readonly number[],
  words: readonly string[],
): Knex.QueryBuilder {
  const query = db("event_search").whereIn("calendar_id", [...calendarIds]);
  if (words.length === 0) void query.whereRaw("1 = 0");
  // PostgreSQL compares what costs least first, and what costs the same in this order: first the integers, then the texts.
  for (const [index, letters] of lettersOf(words).entries())
    if (letters > 0) void query.whereRaw(`(letters_${index + 1} & ?) = ?`, [letters, letters]);
  for (const word of words) whereContains(query, "folded || '' || '' || ''", word);
  return query.select("event_id");
}

/** Keeps the rows in which an expression contains a text. */
export function whereContains(query: Knex.QueryBuilder, sql: string, text: string): void {
  void query.whereRaw(`(${sql}) like ? escape '\\'`, [`%${escaped(text)}%`]);
}

function escaped(word: string): string {
  return word.replaceAll(/[\\%_]/g, "\\$&");
}
