import type { Init } from "./calls.js";
import { pagesOf, type CalendarPages } from "./lists.js";
import type { RequestOptions } from "./options.js";
import type { RawCalendarClient } from "./raw.js";
import type { TimeZone } from "./types.js";

/** The time zones that can be used. */
export interface TimeZonesApi {
  /** Lists the time zones in the order of their names. One page; takes no token (service.md 4.12). */
  list(options?: RequestOptions): CalendarPages<TimeZone>;
}

export function timeZonesApi(raw: RawCalendarClient, init: Init): TimeZonesApi {
  return {
    list: (options) => pagesOf({}, "data", () => raw.GET("/api/v1/timezones", { ...init(options) })),
  };
}
