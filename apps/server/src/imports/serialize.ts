import type { Payload } from "@kalends/spec";
import type { Outcome } from "./outcome.js";

/** The report of an import. */
export function imported(
  calendarId: number,
  isDryRun: boolean,
  outcomes: readonly Outcome[],
): Payload<"importCalendar"> {
  return {
    import: { calendar_id: String(calendarId), dry_run: isDryRun, ...totals(outcomes) },
    events: outcomes.map(({ result, uid, recurrenceId, title, event, reason, notes }) => ({
      result,
      event_id: event === undefined ? "" : String(event.id),
      uid,
      recurrence_id: recurrenceId,
      title,
      reason,
      notes: [...notes],
    })),
  };
}

/** How many events each result has. */
export function totals(outcomes: readonly Outcome[]): Record<Outcome["result"], number> {
  const sums = { created: 0, changed: 0, unchanged: 0, skipped: 0 };
  for (const { result } of outcomes) sums[result]++;
  return sums;
}
