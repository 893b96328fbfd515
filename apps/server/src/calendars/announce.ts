import { calendarTexts } from "../db/columns.js";
import type { Transaction } from "../db/transaction.js";
import type { CalendarRow } from "../db/rows.js";
import { differencesOf } from "./differences.js";
import { record } from "./entry-queries.js";
import { announceAlone } from "../webhooks/outbox-queries.js";
import * as serialize from "./serialize.js";

const types = {
  created: "calendar.created",
  changed: "calendar.saved",
  deleted: "calendar.deleted",
  restored: "calendar.created",
} as const;

/** Columns of a calendar that its history records. */
const recorded = [...calendarTexts, "timezone", "palette_id", "searchable", "listed"] as const;

/** Adds a change of a calendar to its history (extensions X9.4). */
export function recordCalendar(
  trx: Transaction,
  action: keyof typeof types,
  [before, row]: readonly [before: CalendarRow, row: CalendarRow],
  now: number,
): void {
  const { account_id, id: calendar_id } = row;
  const changes = differencesOf(recorded, before, row);
  record(trx, { account_id, calendar_id, event_id: 0, action, changes, now });
}

/** Adds a change of a calendar to its history and announces it (extensions X4.1). */
export async function announceCalendar(
  trx: Transaction,
  action: keyof typeof types,
  states: readonly [before: CalendarRow, row: CalendarRow],
  now: number,
): Promise<void> {
  recordCalendar(trx, action, states, now);
  const [, row] = states;
  const id = String(row.id);
  // The message of a deletion outlives the texts of the calendar, so it has none.
  const calendar = action === "deleted" ? { id, status: "deleted" } : serialize.calendarDetails(row);
  const of = { accountId: row.account_id, calendarId: row.id, type: types[action], now };
  await announceAlone(trx, { ...of, data: { calendar } });
}
