import type { OperationName } from "./operations.js";
import type { Call } from "./state.js";
import { announce } from "./webhooks.js";

/** The type of the message that each write sends (extensions.md X4.1). */
const typeOf: { readonly [Name in OperationName]?: string } = {
  createCalendar: "calendar.created",
  saveCalendar: "calendar.saved",
  updateCalendar: "calendar.saved",
  deleteCalendar: "calendar.deleted",
  createEvent: "event.created",
  addEvent: "event.created",
  saveEvent: "event.saved",
  updateEvent: "event.saved",
  deleteEvent: "event.deleted",
};

/** Carries an operation out and stores the messages that it makes. */
export function announced(
  { id, answer }: { readonly id: OperationName; readonly answer: (call: Call) => object },
  call: Call,
): object {
  const { state, params, faulty } = call;
  const eventId = Number(params["event_id"]);
  const before = state.events.get(eventId)?.status;
  const lastCalendar = state.calendars.size;
  const payload = answer(call);
  const type = typeOf[id];
  if (type === undefined) return payload;
  const { calendarId, status } = state.events.get(eventId) ?? {};
  const isCancelled = status === "cancelled" && before !== "cancelled" && !faulty("X33");
  const ofCalendar = params["calendar_id"] === undefined ? lastCalendar + 1 : Number(params["calendar_id"]);
  announce(call, isCancelled ? "event.cancelled" : type, calendarId ?? ofCalendar);
  return payload;
}
