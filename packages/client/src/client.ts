import { calendarsApi, type CalendarsApi } from "./calendars.js";
import { eventsApi, type EventsApi } from "./events.js";
import type { CalendarClientOptions } from "./options.js";
import { createRawClient, type RawCalendarClient } from "./raw.js";
import { createSend } from "./send.js";
import { subscribersApi, type SubscribersApi } from "./subscribers.js";
import { timeZonesApi, type TimeZonesApi } from "./timezones.js";

/**
 * A client of one account on one server.
 *
 * Every call rejects with a `CalendarApiError`, with three exceptions: a `TypeError` when there is no token that can be sent, or
 * an option does not exist or cannot be sent, a `URIError` when text is not well-formed Unicode, and what the caller's own token provider or hooks throw, which
 * comes through unchanged.
 */
export interface CalendarClient {
  /** The calendars of the account (contract 4.1 to 4.4). */
  readonly calendars: CalendarsApi;
  /** The events of a calendar (contract 4.5 to 4.8). */
  readonly events: EventsApi;
  /** The people who follow a calendar (contract 4.9 and 4.10). */
  readonly subscribers: SubscribersApi;
  /** The time zones that can be used (contract 4.12). */
  readonly timezones: TimeZonesApi;
  /** The typed openapi-fetch client below. */
  readonly raw: RawCalendarClient;
}

/**
 * Makes a client. Nothing is sent yet.
 *
 * @throws TypeError when an option does not exist or cannot work, such as an `http:` address that is not this machine.
 */
export function createCalendarClient(options: CalendarClientOptions): CalendarClient {
  const { baseUrl, send } = createSend(options);
  const raw = createRawClient(baseUrl, send());
  return {
    calendars: calendarsApi(raw, send),
    events: eventsApi(raw, send),
    subscribers: subscribersApi(raw, send),
    timezones: timeZonesApi(raw, send),
    raw,
  };
}
