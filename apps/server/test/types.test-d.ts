// What must not compile. Each line under a @ts-expect-error is a mistake that the types catch; checked by `npm run check`.
// Compiled only, never run.
import type { ErrorCode, Payload } from "@kalends/spec";
import { batchHandlers } from "../src/batches/handlers.js";
import { calendarHandlers } from "../src/calendars/handlers.js";
import { categoryHandlers } from "../src/category-writes/handlers.js";
import { eventHandlers } from "../src/events/handlers.js";
import { exportHandlers } from "../src/exports/handlers.js";
import type { Handler, Handlers } from "../src/http/handler.js";
import { historyHandlers } from "../src/history/handlers.js";
import { importHandlers } from "../src/imports/handlers.js";
import { seriesHandlers } from "../src/series/handlers.js";
import { oidcHandlers } from "../src/oidc/handlers.js";
import { passkeyHandlers } from "../src/passkeys/handlers.js";
import { peopleHandlers } from "../src/people/handlers.js";
import { sessionHandlers } from "../src/sessions/handlers.js";
import { statisticsHandlers } from "../src/subscribers/statistics.js";
import { subscriberHandlers } from "../src/subscribers/handlers.js";
import { syncHandlers } from "../src/syncs/handlers.js";
import { timezoneHandlers } from "../src/timezones/handlers.js";
import { tokenHandlers } from "../src/tokens/handlers.js";
import { trashHandlers } from "../src/trash/handlers.js";
import { webhookHandlers } from "../src/webhooks/handlers.js";

const webhooks = webhookHandlers({ perAccount: 1, allowsPrivate: false });

const { deleteCalendar: _deleteCalendar, ...withoutDelete } = calendarHandlers;

export const complete: Handlers = {
  ...timezoneHandlers,
  ...calendarHandlers,
  ...eventHandlers,
  ...subscriberHandlers,
  ...statisticsHandlers,
  ...importHandlers,
  ...exportHandlers,
  ...seriesHandlers,
  ...passkeyHandlers,
  ...peopleHandlers,
  ...sessionHandlers,
  ...oidcHandlers(undefined),
  ...tokenHandlers,
  ...categoryHandlers,
  ...syncHandlers({ allowsPrivate: false }),
  ...batchHandlers,
  ...trashHandlers,
  ...historyHandlers,
  ...webhooks,
};

// @ts-expect-error a handler is missing: deleteCalendar
export const missing: Handlers = {
  ...timezoneHandlers,
  ...withoutDelete,
  ...eventHandlers,
  ...subscriberHandlers,
  ...importHandlers,
  ...exportHandlers,
  ...seriesHandlers,
  ...sessionHandlers,
  ...tokenHandlers,
  ...categoryHandlers,
  ...syncHandlers({ allowsPrivate: false }),
  ...batchHandlers,
  ...trashHandlers,
  ...historyHandlers,
  ...webhooks,
};

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
