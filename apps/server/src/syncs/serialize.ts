import type { Payload } from "@kalends/spec";
import type { CalendarSyncRow } from "../db/import-rows.js";
import { formatInstant } from "../time/instants.js";
import { codeOf } from "./error-codes.js";

type Shown = Payload<"runSync">["sync"];

/** What its row does not hold of a sync. `now` is in Unix seconds. */
interface Beside {
  readonly events: number;
  readonly isSetAside: boolean;
  readonly now: number;
}

/** A sync as the extensions return it. */
export function sync(row: CalendarSyncRow, beside: Beside): Shown {
  return {
    id: String(row.id),
    calendar_id: String(row.calendar_id),
    url: row.url,
    every_minutes: Math.round(row.every_seconds / 60),
    status: statusOf(row, beside),
    last_at: row.tried_at === null ? "" : formatInstant(row.tried_at),
    last_error: row.error,
    last_error_code: codeOf(row.error),
    last_result: row.report,
    next_at: formatInstant(row.next_at),
    events: beside.events,
    date_create: formatInstant(row.created_at),
  };
}

function statusOf({ claimed_until, error }: CalendarSyncRow, { isSetAside, now }: Beside): Shown["status"] {
  if (claimed_until > now) return "running";
  if (isSetAside) return "stopped";
  return error === "" ? "ready" : "failing";
}
