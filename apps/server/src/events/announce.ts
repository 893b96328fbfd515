import type { LockedCalendar } from "../calendars/locks.js";
import type { Member } from "../db/batch.js";
import type { EventRow } from "../db/rows.js";
import { announce } from "../webhooks/outbox.js";
import * as serialize from "./serialize.js";

/** Announces a change of an event of a locked calendar; of a deleted one with what it was (extensions.md X4.1). */
export async function announceEvent(
  trx: Member,
  { id, account_id, webhooks }: LockedCalendar,
  type: "event.created" | "event.saved" | "event.deleted" | "event.cancelled",
  row: EventRow,
  now: number,
): Promise<void> {
  if (webhooks === 0) return;
  const data = { event: serialize.event(row) };
  await announce(trx, webhooks, { accountId: account_id, calendarId: id, type, now, data });
}
