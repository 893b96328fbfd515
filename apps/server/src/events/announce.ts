import type { LockedCalendar } from "../calendars/lock-queries.js";
import type { Transaction } from "../db/transaction.js";
import type { EventRow } from "../db/rows.js";
import { announce } from "../webhooks/outbox-queries.js";
import * as serialize from "./serialize.js";

type Change = "event.created" | "event.saved" | "event.deleted" | "event.cancelled";

export function changeType(before: Pick<EventRow, "status">, row: Pick<EventRow, "status">): Change {
  return row.status === "cancelled" && before.status !== "cancelled" ? "event.cancelled" : "event.saved";
}

export function announced(row: EventRow): { readonly event: object } {
  return { event: serialize.event(row) };
}

/** Announces a change of an event of a locked calendar; of a deleted one with what it was (extensions X4.1). */
export async function announceEvent(
  trx: Transaction,
  { id, account_id, webhooks }: LockedCalendar,
  type: Change,
  row: EventRow,
  now: number,
): Promise<void> {
  if (webhooks === 0) return;
  await announce(trx, webhooks, { accountId: account_id, calendarId: id, type, now, data: announced(row) });
}
