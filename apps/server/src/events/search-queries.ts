import type { Knex } from "knex";
import { batchedWrite, type Transaction } from "../db/transaction.js";
import { columnsExcept, eventSearchColumns, insertRows, rowArray } from "../db/columns.js";
import type { Db } from "../db/database.js";
import type { EventRow, EventSearchRow } from "../db/rows.js";
import { lettersOf, type SearchedTexts, searchedOf } from "./search.js";

const cells = rowArray(eventSearchColumns, columnsExcept(eventSearchColumns));

/** SQL: replaces the row that an event had. */
export const replaceSearched = `on conflict (calendar_id, event_id) do update set ${columnsExcept(
  eventSearchColumns,
  "calendar_id",
  "event_id",
)
  .map((name) => `${name} = excluded.${name}`)
  .join(", ")}`;

const storeRow = batchedWrite<EventSearchRow>({
  name: "store searched texts",
  rows: (rows) => rows.map(cells.cells),
  copies: () => 0, // of each event one, about as long as its texts, which are charged twice
  sql: (dialect) => `${insertRows("event_search", cells, dialect)} where true ${replaceSearched}`,
});

type SearchedEvent = SearchedTexts & Pick<EventRow, "id" | "calendar_id">;

/** Stores what a search compares of an event, instead of what it was before. */
export function storeSearched(trx: Transaction, event: SearchedEvent): Promise<void> {
  return storeRow(trx, rowOf(event));
}

function rowOf(event: SearchedEvent): EventSearchRow {
  return { calendar_id: event.calendar_id, event_id: event.id, ...searchedOf(event) };
}

/** Removes what a search compares of an event, in its calendar. */
export const removeSearched = batchedWrite<Pick<EventRow, "id" | "calendar_id">>({
  name: "remove searched texts",
  rows: (events) => events.map(({ id, calendar_id }) => [calendar_id, id]),
  sql: ({ items }) => `delete from event_search where (calendar_id, event_id) in (
    select cast(value ->> 0 as bigint), cast(value ->> 1 as bigint) from ${items}($1))`,
});

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
