import type { Knex } from "knex";
import { type ValueFilter, whereEventHas } from "../custom-data/queries.js";
import type { Db } from "../db/database.js";
import { orderSql } from "../db/paging.js";
import type { Dialect } from "../db/query.js";
import type { EventRow } from "../db/rows.js";
import type { EventListOptions } from "./page-queries.js";
import { rowColumns } from "./queries.js";

/** What has long texts, and their bytes. */
export interface Sized {
  readonly size: number;
}

/** SQL: the bytes of an event's long texts, which are not read for it. */
export const sizeSql = "octet_length(description) + octet_length(custom_data)";

/** Which events of a calendar are looked for. */
export interface FindOptions extends EventListOptions {
  readonly has?: ValueFilter | undefined;
}

/** Returns an event of the account; undefined when it is absent, another account's, or its calendar is deleted. */
export async function findEvent(db: Db, accountId: number, id: number): Promise<EventRow | undefined> {
  return db<EventRow>("events")
    .join("calendars", "calendars.id", "events.calendar_id")
    .where({ "events.id": id, "events.account_id": accountId })
    .whereNull("calendars.deleted_at")
    .first(rowColumns.map((name) => `events.${name}`));
}

/** Returns the ids of a page of the events of a calendar, and how many there are on all pages. */
export async function findIds(
  trx: Db,
  calendarId: number,
  { has, startMonth, startsFrom, order, limit, offset }: FindOptions,
): Promise<{ readonly total: number; readonly found: readonly (Sized & Pick<EventRow, "id">)[] }> {
  const matching = (): Knex.QueryBuilder => {
    const query = trx("events").where({ calendar_id: calendarId });
    if (startMonth !== undefined) void query.where({ start_month: startMonth });
    if (startsFrom !== undefined) void query.where("start_at", ">=", startsFrom);
    if (has !== undefined) whereEventHas(query, trx, calendarId, has);
    return query;
  };
  const [counted]: readonly { readonly total: number }[] = await matching().count({ total: "*" });
  const found: readonly (Sized & Pick<EventRow, "id">)[] = await matching()
    .orderByRaw(orderSql(order, "start_at"))
    .limit(limit)
    .offset(offset)
    .select("id", trx.raw(`${sizeSql} as size`));
  return { total: counted?.total ?? 0, found };
}

/** An event whose description is JSON already: to decode a long one and to print it would take the event loop. */
export interface DescribedEvent {
  /** Without its description. */
  readonly event: EventRow;
  readonly description: Buffer | string;
}

/** Returns the events with these ids in their order, without those that are gone. */
export async function readEvents(
  db: Db,
  { jsonText }: Dialect,
  ids: readonly number[],
): Promise<readonly DescribedEvent[]> {
  const rows: readonly (EventRow & { readonly printed: Buffer | string })[] = await db("events")
    .whereIn("id", [...ids])
    .select(
      ...withoutDescription,
      db.raw("'' as description"),
      db.raw(`${jsonText("description")} as printed`),
    );
  const known = new Map(rows.map(({ printed, ...event }) => [event.id, { event, description: printed }]));
  return ids.flatMap((id) => known.get(id) ?? []);
}

const withoutDescription = rowColumns.filter((name) => name !== "description");
