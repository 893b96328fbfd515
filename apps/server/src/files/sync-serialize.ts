import type { Payload } from "@kalends/spec";
import type { CalendarSyncRow } from "../db/import-rows.js";
import { formatInstant, instantOrNone } from "../time/instants.js";
import { codeOf, interrupted } from "./error-codes.js";

type Shown = Payload<"syncsRun">["sync"];

/** What its row does not hold of a sync. `now` is in Unix seconds. */
interface Beside {
  readonly events: number;
  readonly now: number;
}

/** A sync as the extensions return it. */
export function sync(row: CalendarSyncRow, { events, now }: Beside): Shown {
  const isRunning = row.claimed_until > now;
  // An attempt is counted before it is made, and only its end stores why it failed.
  const error = row.error === "" && row.failures > 0 && !isRunning ? interrupted : row.error;
  const status = error === "" ? "ready" : "failing";
  return {
    id: String(row.id),
    calendar_id: String(row.calendar_id),
    url: row.url,
    every_minutes: Math.round(row.every_seconds / 60),
    status: isRunning ? "running" : status,
    last_at: instantOrNone(row.tried_at),
    last_error: error,
    last_error_code: codeOf(error),
    last_result: row.report,
    next_at: formatInstant(row.next_at),
    events,
    date_create: formatInstant(row.created_at),
  };
}
