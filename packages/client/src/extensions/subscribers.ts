import { fileText, payload } from "../calls.js";
import { pagesOf, type CalendarPages } from "../lists.js";
import type { RequestOptions } from "../options.js";
import type { Send } from "../send.js";
import type { FirstPage, Query, Read, Shape, Written } from "./bodies.js";
import type { RawExtensionsClient } from "./raw.js";

/** The people who follow a calendar. */
export interface SubscriberExtensionsApi {
  /** Lists the subscribers of a calendar, newest first, all or those that are inactive or blocked. */
  list(params: FindSubscribersParams, options?: RequestOptions): CalendarPages<SubscriberDetails>;
  /** Blocks a subscriber, whose feed is empty from then on. */
  block(subscriberId: string, options?: RequestOptions): Promise<SubscriberDetails>;
  /** Unblocks a subscriber. */
  unblock(subscriberId: string, options?: RequestOptions): Promise<SubscriberDetails>;
  /** Reads all subscribers of a calendar as CSV, without a byte order mark. */
  export(calendarId: string, options?: RequestOptions): Promise<string>;
  /** Deletes a subscriber and all data about the person. */
  delete(subscriberId: string, options?: RequestOptions): Promise<DeletedSubscriber>;
}

/** A person who follows a calendar. */
export interface SubscriberDetails extends Shape<Read<"subscribers/list/">["subscribers"][number]> {}
/** The id of a subscriber that was deleted. */
export interface DeletedSubscriber extends Shape<Written<"subscribers/delete/">["subscriber"]> {}
/** Which subscribers are listed, in what order, and where the list starts. */
export interface FindSubscribersParams extends Omit<Query<"subscribers/list/">, "page">, FirstPage {}

/** @internal */
export function subscriberExtensionsApi(raw: RawExtensionsClient, send: Send): SubscriberExtensionsApi {
  const call = (subscriber_id: string, options: RequestOptions | undefined) => ({
    body: { subscriber_id },
    fetch: send(options),
  });
  return {
    list: (params, options) =>
      pagesOf(params, "subscribers", (query) =>
        raw.GET("/api/kalends/v1/subscribers/list/", { params: { query }, fetch: send(options) }),
      ),
    block: (id, options) =>
      payload(raw.POST("/api/kalends/v1/subscribers/block/", call(id, options)), "subscriber"),
    unblock: (id, options) =>
      payload(raw.POST("/api/kalends/v1/subscribers/unblock/", call(id, options)), "subscriber"),
    export: (calendar_id, options) =>
      fileText(
        raw.GET("/api/kalends/v1/subscribers/export/", {
          params: { query: { calendar_id } },
          fetch: send(options),
          parseAs: "text",
        }),
      ),
    delete: (id, options) =>
      payload(raw.POST("/api/kalends/v1/subscribers/delete/", call(id, options)), "subscriber"),
  };
}
