// Types of several resources. Those of one are beside its functions.
import type { Read, Shape } from "./bodies.js";
import type { webhooks } from "./schema.js";

/** An event, in the one shape of the extensions: ids are strings, counters are integers, times are ISO 8601. */
export interface Event extends Shape<Read<"events/details/">["event"]> {}
/** A calendar, in the one shape of the extensions. */
export interface CalendarDetails extends Shape<Read<"calendars/details/">["calendar"]> {}

type Received<Type extends keyof webhooks> =
  webhooks[Type]["post"]["requestBody"]["content"]["application/json"];

/** The body of each webhook, by its type, such as `WebhookMessages["event.saved"]`. A newer server may send other types. */
export type WebhookMessages = { readonly [Type in keyof webhooks]: Received<Type> };
