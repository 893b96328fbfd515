import type { Payload } from "@kalends/spec";
import type { Report } from "./outcome.js";

/** The report of an import. A file that is a parameter is UTF-8. */
export function imported(
  calendarId: number,
  isDryRun: boolean,
  { totals, outcomes, omitted }: Report,
  encoding: Payload<"importCalendar">["import"]["encoding"] = "UTF-8",
): Payload<"importCalendar"> {
  return {
    import: { calendar_id: String(calendarId), dry_run: isDryRun, ...totals, omitted, encoding },
    events: outcomes.map(({ result, uid, recurrenceId, title, eventId, reason, notes, dates }) => ({
      result,
      event_id: eventId === undefined ? "" : String(eventId),
      uid,
      recurrence_id: recurrenceId,
      title,
      reason,
      notes: [...notes],
      dates,
    })),
  };
}
