import { notInForm, success } from "./calls.js";
import { pagesOf, type CalendarPages } from "./lists.js";
import type { RequestOptions } from "./options.js";
import type { RawCalendarClient } from "./raw.js";
import type { Send } from "./send.js";
import type { GetSubscriberParams, ListSubscribersParams, Subscriber } from "./types.js";

/** The people who follow a calendar. */
export interface SubscribersApi {
  /** Lists everyone who follows a calendar, newest first, or as `order_by` says (contract 4.9). */
  list(params: ListSubscribersParams, options?: RequestOptions): CalendarPages<Subscriber>;
  /** Lists those who are not active (contract 4.9). */
  listInactive(params: ListSubscribersParams, options?: RequestOptions): CalendarPages<Subscriber>;
  /** Lists those who are blocked (contract 4.9). */
  listBlocked(params: ListSubscribersParams, options?: RequestOptions): CalendarPages<Subscriber>;
  /** Reads one subscriber (contract 4.10). */
  get(params: GetSubscriberParams, options?: RequestOptions): Promise<Subscriber>;
}

export function subscribersApi(raw: RawCalendarClient, send: Send): SubscribersApi {
  return {
    list: listAt("/api/v1/calendars/subscribers/list/"),
    listInactive: listAt("/api/v1/calendars/subscribers/list/inactive/"),
    listBlocked: listAt("/api/v1/calendars/subscribers/list/blocked/"),
    get: async (params, options) => {
      const call = raw.GET("/api/v1/calendars/subscriber/", {
        params: { query: params },
        fetch: send(options),
      });
      const [subscriber] = (await success(call, "subscribers", "list")).subscribers; // an array of one (contract 4.10)
      if (!subscriber) throw notInForm("subscribers");
      return subscriber;
    },
  };

  function listAt(path: ListPath): SubscribersApi["list"] {
    return (params, options) =>
      pagesOf(params, "subscribers", (query) => raw.GET(path, { params: { query }, fetch: send(options) }));
  }
}

type ListPath = `/api/v1/calendars/subscribers/list/${"" | "inactive/" | "blocked/"}`;
