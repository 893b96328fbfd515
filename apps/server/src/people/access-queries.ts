import type { Db } from "../db/open-database.js";

/** Where something that a parameter names is stored, and the column that the parameter has. */
export interface Place {
  readonly table: "events" | "series" | "subscribers" | "calendar_syncs";
  readonly column: "id" | "series_id";
}

/**
 * Returns the calendars of the account that have these items, without those that are not among `calendarIds`: what a person may not see
 * takes the same query as what does not exist.
 */
export async function calendarsOf(
  db: Db,
  { table, column }: Place,
  ids: readonly number[],
  of: { readonly accountId: number; readonly calendarIds: ReadonlySet<number> | undefined },
): Promise<ReadonlyMap<number, number>> {
  const those = db(table)
    .where({ account_id: of.accountId })
    .whereIn(column, [...ids])
    .select({ id: column, calendar_id: "calendar_id" });
  if (column === "series_id") void those.whereRaw("series_id > 0"); // the condition of the index
  if (of.calendarIds !== undefined) void those.whereIn("calendar_id", [...of.calendarIds]);
  const rows: readonly { id: number; calendar_id: number }[] = await those;
  return new Map(rows.map(({ id, calendar_id }) => [id, calendar_id]));
}
