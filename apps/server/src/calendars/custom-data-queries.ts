import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { queryInSlices, type Transaction } from "../db/transaction.js";
import type { Db } from "../db/database.js";

/** `custom_data` of an item, and the calendar or account that its list belongs to. */
interface OwnedData {
  readonly owner: number;
  readonly item: number;
  readonly json: string;
  /** The previous object: an empty one has no values to remove. */
  readonly before?: string;
}

/** Filters of a list: `custom_data` has this name, with that value. */
export interface ValueFilter {
  readonly name: string;
  readonly value?: string | undefined;
}

const tables = {
  events: { name: "event_values", owner: "calendar_id", item: "event_id" },
  calendars: { name: "calendar_values", owner: "account_id", item: "calendar_id" },
} as const;

type Table = (typeof tables)[keyof typeof tables];

export const storeEventValues = storeIn(tables.events);
export const storeCalendarValues = storeIn(tables.calendars);

/** Returns a function that replaces the values by which an item is found. */
function storeIn(table: Table): (trx: Transaction, data: OwnedData) => Promise<void> {
  const remove = `delete from ${table.name} where ${table.item} = $1`;
  const insert = (items: string): string =>
    `insert into ${table.name} (${table.owner}, ${table.item}, name, value_hash)
     select cast(value ->> 0 as bigint), cast(value ->> 1 as bigint), value ->> 2, value ->> 3 from ${items}($1)`;
  return async (trx, { owner, item, json, before }) => {
    if (before !== "{}") await trx.query(remove, [item]);
    const rows = hashedValues(json).map(([name, hash]) => [owner, item, name, hash]);
    await queryInSlices(trx, insert(trx.dialect.items), rows);
  };
}

export function whereEventHas(
  query: Knex.QueryBuilder,
  db: Db,
  calendarIds: readonly number[],
  filter: ValueFilter,
): void {
  void query.whereIn("events.id", matching(db, tables.events, calendarIds, filter));
}

export function whereCalendarHas(
  query: Knex.QueryBuilder,
  db: Db,
  accountId: number,
  filter: ValueFilter,
): void {
  void query.whereIn("calendars.id", matching(db, tables.calendars, [accountId], filter));
}

function matching(
  db: Db,
  table: Table,
  owners: readonly number[],
  { name, value }: ValueFilter,
): Knex.QueryBuilder {
  const named = db(table.name)
    .whereIn(table.owner, [...owners])
    .where({ name })
    .select(table.item);
  return value === undefined ? named : named.where({ value_hash: hashOf(value) });
}

/** Returns the names of a JSON object with the hashes of their values, as they are stored. */
export function hashedValues(json: string): readonly (readonly [name: string, hash: string])[] {
  const data: Readonly<Record<string, unknown>> = JSON.parse(json);
  return Object.entries(data).map(([name, value]) => [name, hashOf(textOf(value))]);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A value may be too long for an index, so its hash is stored. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
