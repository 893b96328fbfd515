// What must not compile. Each line under a @ts-expect-error is a mistake that the types catch; checked by `npm run check`.
// Compiled only, never run.
import type { ErrorCode, Payload } from "@kalends/spec";
import type { Handler, Handlers } from "../src/http/handler.js";

declare const complete: Handlers;
declare const withoutDelete: Omit<Handlers, "deleteCalendar">;

// @ts-expect-error a handler is missing: deleteCalendar
export const missing: Handlers = withoutDelete;

// @ts-expect-error the handler of another operation does not fit
export const swapped: Handlers = { ...complete, saveCalendar: complete.deleteCalendar };

// @ts-expect-error the id of a deleted calendar is a string
export const wrongPayload: Handler<"deleteCalendar"> = async ({ calendar_id }) => ({
  calendar: { id: Number(calendar_id), status: "deleted" },
});

// @ts-expect-error the status is "deleted" and nothing else
export const wrongLiteral: Handler<"deleteCalendar"> = async ({ calendar_id }) => ({
  calendar: { id: calendar_id, status: "gone" },
});

// @ts-expect-error the id of a created event is an integer, not a string as in the list
export const wrongEventId: Payload<"createEvent">["event"]["id"] = "7";

// @ts-expect-error the list says color, not color_id
export const wrongColour: keyof Payload<"listEvents">["events"][number] = "color_id";

// @ts-expect-error save returns no timezone
export const wrongField: keyof Payload<"saveCalendar">["calendar"] = "timezone";

export const undeclaredError: Handler<"deleteCalendar"> = async (_params, { error }) => {
  // @ts-expect-error deleteCalendar does not declare event_not_found
  throw error("event_not_found");
};

export const unknownParameter: Handler<"deleteCalendar"> = async (params) => {
  // @ts-expect-error deleteCalendar has no event_id
  const id: string = params.event_id;
  return { calendar: { id, status: "deleted" } };
};

export const accountOfNobody: Handler<"listTimeZones"> = async (_params, context) => {
  // @ts-expect-error the time zone list needs no token, so it has no account
  const id: number = context.accountId;
  return { data: [{ label: String(id), offset: "00:00" }] };
};

// @ts-expect-error not a code of the error table
export const unknownCode: ErrorCode = "teapot";
