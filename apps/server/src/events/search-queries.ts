import type { Knex } from "knex";
import { lockCalendarRows } from "../calendars/lock-queries.js";
import { batchedWrite, type Member } from "../db/batch.js";
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
export function storeSearched(trx: Member, event: SearchedEvent): Promise<void> {
  return storeRow(trx, rowOf(event));
}

function rowOf(event: SearchedEvent): EventSearchRow {
  return { calendar_id: event.calendar_id, event_id: event.id, ...searchedOf(event) };
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

/** Returns the highest id of an event that may have no row yet; undefined when all have one. */
export async function searchBacklog(db: Db): Promise<number | undefined> {
  const row = await db<{ readonly event_id: number }>("event_search_backlog").first();
  return row?.event_id;
}

/** Stores the rows that events lack, of so many up to an id. Returns the id to go on with; undefined when none is left. */
export async function fillSearch(trx: Db, upTo: number, most: number): Promise<number | undefined> {
  const events = () => trx<EventRow>("events").where("id", "<=", upTo).orderBy("id", "desc").limit(most);
  const found: readonly Pick<EventRow, "id" | "calendar_id">[] = await events().select("id", "calendar_id");
  // No one changes or deletes an event of a locked calendar.
  await lockCalendarRows(trx, [...new Set(found.map(({ calendar_id }) => calendar_id))]);
  const ids = found.map(({ id }) => id);
  const read: readonly SearchedEvent[] = await events()
    .whereIn("id", ids)
    .select("id", "calendar_id", "title", "location", "description");
  const rows = read.map(rowOf);
  if (rows.length > 0)
    await trx<EventSearchRow>("event_search").insert(rows).onConflict(["calendar_id", "event_id"]).ignore();
  const last = found.length < most ? undefined : found.at(-1);
  await trx("event_search_backlog").delete();
  if (last !== undefined) await trx("event_search_backlog").insert({ event_id: last.id - 1 });
  return last && last.id - 1;
}

/** Has the rows of all events made by the job. */
export async function refillSearch(trx: Db): Promise<void> {
  await trx.raw("insert into event_search_backlog (event_id) select id from events order by id desc limit 1");
}
