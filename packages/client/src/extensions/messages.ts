import { payload, success } from "../calls.js";
import { pagesOf, type CalendarPages } from "../lists.js";
import type { RequestOptions } from "../options.js";
import type { Send } from "../send.js";
import type { FirstPage, Form, Read, Shape } from "./bodies.js";
import type { RawExtensionsClient } from "./raw.js";

/** Messages to the followers of a calendar, by e-mail and on its page. */
export interface MessagesApi {
  /** Lists the messages of a calendar of the last 60 days, and older ones that pages still show, newest first. */
  list(calendarId: string, params?: ListMessagesParams, options?: RequestOptions): CalendarPages<Message>;
  /** Returns to how many followers the next message would go. */
  receivers(calendarId: string, options?: RequestOptions): Promise<number>;
  /** Takes a message back: pages no longer show it, and e-mail that is not sent yet is not sent. */
  withdraw(calendarId: string, messageId: string, options?: RequestOptions): Promise<Message>;
  /** Sends a message. With `dry_run` it says to how many it would go. */
  create(params: CreateMessageParams, options?: RequestOptions): Promise<Message>;
}

/** A message of the organizer to the followers of a calendar. */
export interface Message extends Shape<Read<"messages/list/">["messages"][number]> {}
/** What a message takes. */
export interface CreateMessageParams extends Omit<Form<"messages/create/">, "dry_run"> {
  /** Whether to say to how many it would go, and send nothing. */
  readonly dry_run?: boolean | "true" | "false" | undefined;
}

/** Where the list of messages starts. */
export interface ListMessagesParams extends FirstPage {}

/** @internal */
export function messagesApi(raw: RawExtensionsClient, send: Send): MessagesApi {
  return {
    list: (calendar_id, params = {}, options) =>
      pagesOf({ ...params, calendar_id }, "messages", (query) =>
        raw.GET("/api/kalends/v1/messages/list/", { params: { query }, fetch: send(options) }),
      ),
    receivers: async (calendar_id, options) => {
      const params = { query: { calendar_id } };
      const call = raw.GET("/api/kalends/v1/messages/list/", { params, fetch: send(options) });
      return (await success(call, "messages", "list")).receivers;
    },
    withdraw: (calendar_id, message_id, options) =>
      payload(
        raw.POST("/api/kalends/v1/messages/withdraw/", {
          body: { calendar_id, message_id },
          fetch: send(options),
        }),
        "message",
      ),
    create: ({ dry_run, ...params }, options) => {
      const body = { ...params, ...(dry_run !== undefined && { dry_run: `${dry_run}` as const }) };
      return payload(raw.POST("/api/kalends/v1/messages/create/", { body, fetch: send(options) }), "message");
    },
  };
}
