import type { Db } from "../db/database.js";
import type { Dialect } from "../db/query.js";
import type { CalendarRow } from "../db/rows.js";
import { announceAlone } from "../webhooks/outbox-queries.js";
import * as serialize from "./serialize.js";

/** Announces a change of a calendar, in its transaction (extensions X4.1). */
export async function announceCalendar(
  trx: Db,
  dialect: Dialect,
  type: "calendar.created" | "calendar.saved" | "calendar.deleted",
  row: CalendarRow,
  now: number,
): Promise<void> {
  const id = String(row.id);
  // Of a deleted one the message is kept after its texts have been removed.
  const calendar = type === "calendar.deleted" ? { id, status: "deleted" } : serialize.calendarDetails(row);
  const change = { accountId: row.account_id, calendarId: row.id, type, now, data: { calendar } };
  await announceAlone(trx, dialect, change);
}
