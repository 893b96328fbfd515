import { pagesOf, type CalendarPages } from "./lists.js";
import type { RequestOptions } from "./options.js";
import type { RawCalendarClient } from "./raw.js";
import type { Send } from "./send.js";
import type { TimeZone } from "./types.js";

/** The list of time zones, and a promise of the whole of it: `const zones = await client.timezones.list()`. */
export interface TimeZoneList extends CalendarPages<TimeZone>, Promise<TimeZone[]> {}

/** The time zones that can be used. */
export interface TimeZonesApi {
  /** Lists the time zones in the order of their names. Takes no token (contract 4.12). */
  list(options?: RequestOptions): TimeZoneList;
}

export function timeZonesApi(raw: RawCalendarClient, send: Send): TimeZonesApi {
  return {
    list: (options) => {
      const zones = pagesOf({}, "data", () => raw.GET("/api/v1/timezones", { fetch: send(options) }));
      const then: TimeZoneList["then"] = (resolve, reject) => zones.toArray().then(resolve, reject);
      // Not a promise that runs already: nothing is sent before the list is read, as with the others.
      // oxlint-disable-next-line unicorn/no-thenable -- a promise is wanted here
      const list: TimeZoneList = Object.setPrototypeOf({ ...zones, then }, Promise.prototype);
      return list;
    },
  };
}
