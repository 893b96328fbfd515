import { calendarHandlers } from "./calendars/handlers.js";
import { eventHandlers } from "./events/handlers.js";
import type { Handlers } from "./http/handler.js";
import { subscriberHandlers } from "./subscribers/handlers.js";
import { timezoneHandlers } from "./timezones/handlers.js";

/** One handler for each operation of the spec. A missing one does not compile. */
export const handlers: Handlers = {
  ...timezoneHandlers,
  ...calendarHandlers,
  ...eventHandlers,
  ...subscriberHandlers,
};
