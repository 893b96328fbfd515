import type { CalendarClientOptions } from "../options.js";
import { createSend } from "../send.js";
import { accountApi, type AccountApi } from "./account.js";
import { calendarExtensionsApi, type CalendarExtensionsApi } from "./calendars.js";
import { eventExtensionsApi, type EventExtensionsApi } from "./events.js";
import { categoriesApi, type CategoriesApi } from "./categories.js";
import { createRawExtensionsClient, type RawExtensionsClient } from "./raw.js";
import { messagesApi, type MessagesApi } from "./messages.js";
import { picturesApi, type PicturesApi } from "./pictures.js";
import { subscriberExtensionsApi, type SubscriberExtensionsApi } from "./subscribers.js";
import { syncsApi, type SyncsApi } from "./syncs.js";
import { tokensApi, type TokensApi } from "./tokens.js";
import { trashApi, type TrashApi } from "./trash.js";
import { webhooksApi, type WebhooksApi } from "./webhooks.js";

export type * from "./account.js";
export type * from "./batches.js";
export type * from "./calendars.js";
export type * from "./categories.js";
export type * from "./changes.js";
export type * from "./events.js";
export type * from "./messages.js";
export type * from "./pictures.js";
export type * from "./series.js";
export type * from "./subscribers.js";
export type * from "./syncs.js";
export type { TellOptions } from "./telling.js";
export type * from "./tokens.js";
export type * from "./trash.js";
export type * from "./webhooks.js";

/** A client of what Kalends offers beyond the contract. Its calls fail as those of a `CalendarClient` do. */
export interface ExtensionsClient {
  /** The calendars of the account. */
  readonly calendars: CalendarExtensionsApi;
  /** The events of a calendar. */
  readonly events: EventExtensionsApi;
  /** The people who follow a calendar. */
  readonly subscribers: SubscriberExtensionsApi;
  /** Messages to the followers of a calendar. */
  readonly messages: MessagesApi;
  /** The categories of the events of a calendar. */
  readonly categories: CategoriesApi;
  /** Calendar files that the server fetches again and again. */
  readonly syncs: SyncsApi;
  /** The profile of the account, which its pages show. */
  readonly account: AccountApi;
  /** Pictures of events, calendars and the account. */
  readonly pictures: PicturesApi;
  /** The tokens of the account. */
  readonly tokens: TokensApi;
  /** The trash: deleted items that can be restored. */
  readonly trash: TrashApi;
  /** The webhooks of the account. */
  readonly webhooks: WebhooksApi;
  /** The typed openapi-fetch client below. */
  readonly raw: RawExtensionsClient;
}

/**
 * Makes a client of the extensions, with the options of `createCalendarClient`. Nothing is sent yet.
 *
 * @throws TypeError when an option does not exist or cannot work, such as an `http:` address that is not this machine.
 */
export function createExtensionsClient(options: CalendarClientOptions): ExtensionsClient {
  // No write of the extensions answers GET (extensions X1.2).
  const { baseUrl, send } = createSend({ ...options, mutationMethod: "POST" });
  const raw = createRawExtensionsClient(baseUrl, send());
  return {
    calendars: calendarExtensionsApi(raw, send),
    events: eventExtensionsApi(raw, send),
    subscribers: subscriberExtensionsApi(raw, send),
    messages: messagesApi(raw, send),
    categories: categoriesApi(raw, send),
    syncs: syncsApi(raw, send),
    account: accountApi(raw, send),
    pictures: picturesApi(raw, send),
    tokens: tokensApi(raw, send),
    trash: trashApi(raw, send),
    webhooks: webhooksApi(raw, send),
    raw,
  };
}
