import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { type ClockNote, type EventFields, hasTimes, whenOf } from "./event-fields.js";

/** What the clock of their zone does to start and end: the server knows (extensions X8.2). */
export function useClockNotes(fields: EventFields): readonly ClockNote[] {
  const { start, end, allDay } = whenOf(fields);
  const isAsked = hasTimes(fields) && !allDay && start <= end;
  const { timezone } = fields;
  const { value } = useLoaded(isAsked ? ["clock", start, end, timezone] : ["clock"], async () =>
    isAsked ? (await api.events.series.preview({ start_date: start, rdate: end, timezone })).notes : [],
  );
  return value ?? [];
}
