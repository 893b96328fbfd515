import type { Knex } from "knex";
import { queryInSlices, type Transaction } from "../db/transaction.js";
import type { Db, Reader } from "../db/database.js";
import type { EventCategoryRow } from "../db/rows.js";

/** SQL: the first category name of the published events of a calendar, or the first one where `after` holds. */
const nextSql = (calendar: string, after = ""): string => `(select c.name from event_categories as c
    join published_events as e on e.id = c.event_id where c.calendar_id = ${calendar} ${after} order by c.name limit 1)`;

/**
 * Finds each name by the previous one, so that the events of a calendar need not be read. `start` selects ids of calendars as
 * calendar_id.
 */
const namesSql = (start: string): string => `with recursive names (calendar_id, name) as (
    select calendar_id, ${nextSql("start.calendar_id")} from (${start}) as start
    union all
    select names.calendar_id, ${nextSql("names.calendar_id", "and c.name > names.name")}
      from names where names.name is not null
  )
  select calendar_id, name from names where name is not null`;

const listSql = namesSql("select cast($1 as bigint) as calendar_id");

export async function listCategories(
  on: Pick<Reader, "query">,
  calendarId: number,
): Promise<readonly string[]> {
  const rows = await on.query<Pick<EventCategoryRow, "name">>(listSql, [calendarId]);
  return rows.map(({ name }) => name).toSorted();
}

/** Lists the categories that the events of some calendars have, sorted, by the id of the calendar. One without categories is left out. */
export async function listCategoriesOfAll(
  on: Pick<Reader, "query" | "dialect">,
  calendarIds: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const ids = `select cast(value as bigint) as calendar_id from ${on.dialect.items}($1)`;
  const rows = await on.query<Pick<EventCategoryRow, "calendar_id" | "name">>(namesSql(ids), [
    JSON.stringify(calendarIds),
  ]);
  const found = new Map<number, string[]>();
  for (const { calendar_id, name } of rows) found.set(calendar_id, [...(found.get(calendar_id) ?? []), name]);
  return new Map([...found].map(([id, names]) => [id, names.toSorted()]));
}

/** Finds rows of a table whose `categories` have one of these names. */
export function hasCategory(names: readonly string[]) {
  return (query: Knex.QueryBuilder): void => {
    for (const name of names)
      void query.orWhereRaw(String.raw`',' || categories || ',' like ? escape '\'`, [
        `%,${name.replaceAll(/[\\%_]/g, String.raw`\$&`)},%`,
      ]);
  };
}

/** Counts the published events of each category of a calendar; the names are sorted. */
export async function countCategories(
  db: Db,
  calendarId: number,
): Promise<readonly { readonly name: string; readonly events_count: number }[]> {
  const rows: readonly { readonly name: string; readonly total: number }[] = await db<EventCategoryRow>(
    "event_categories as c",
  )
    .join("published_events as e", "e.id", "c.event_id")
    .where({ "c.calendar_id": calendarId })
    .groupBy("c.name")
    .select("c.name")
    .count({ total: "*" });
  const counted = rows.map(({ name, total }) => ({ name, events_count: total }));
  return counted.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

interface CategoriesOfEvent {
  readonly calendarId: number;
  readonly eventId: number;
  readonly names: readonly string[];
}

/** Replaces the categories of an event. */
export async function storeCategories(
  trx: Transaction,
  { calendarId, eventId, names }: CategoriesOfEvent,
): Promise<void> {
  await trx.query("delete from event_categories where event_id = $1", [eventId]);
  const rows = names.map((name) => [calendarId, eventId, name]);
  await queryInSlices(trx, insertCategories(trx.dialect.items), rows);
}

const insertCategories = (items: string): string =>
  `insert into event_categories (calendar_id, event_id, name)
     select cast(value ->> 0 as bigint), cast(value ->> 1 as bigint), value ->> 2 from ${items}($1)`;
