import { type ValueFilter, whereCalendarHas } from "./custom-data-queries.js";
import type { Db } from "../db/database.js";
import type { Rows } from "../db/paging.js";
import type { AccountRow, CalendarRow } from "../db/rows.js";

const calendarsOf = (db: Db, accountId: number) =>
  db<CalendarRow>("calendars").where({ account_id: accountId }).whereNull("deleted_at");

/** Returns a calendar of the account with all its columns; undefined when it is absent, deleted or another account's. */
export async function findWholeCalendar(
  db: Db,
  accountId: number,
  id: number,
): Promise<CalendarRow | undefined> {
  return calendarsOf(db, accountId).where({ id }).first();
}

/**
 * Returns the same row, locked until the transaction ends. Locks the account first, as every save of a calendar does: otherwise
 * two saves could deadlock.
 */
export async function lockWholeCalendar(
  trx: Db,
  accountId: number,
  id: number,
): Promise<CalendarRow | undefined> {
  await trx<AccountRow>("accounts").where({ id: accountId }).forNoKeyUpdate().first("id");
  return calendarsOf(trx, accountId).where({ id }).forNoKeyUpdate().first();
}

/** Returns a page of the account's calendars, or of the given ones among them, most recently saved first. */
export async function findCalendars(
  db: Db,
  accountId: number,
  {
    has,
    calendars,
  }: { readonly has: ValueFilter | undefined; readonly calendars: ReadonlySet<number> | undefined },
  { limit, offset }: Rows,
): Promise<readonly CalendarRow[]> {
  const query = calendarsOf(db, accountId);
  if (has !== undefined) whereCalendarHas(query, db, accountId, has);
  if (calendars !== undefined) void query.whereIn("id", [...calendars]);
  const latestFirst = ["modified_at", "save_order"].map((column) => ({ column, order: "desc" as const }));
  return query.orderBy(latestFirst).limit(limit).offset(offset).select("*");
}
