import * as z from "zod";
import { calendarDetails } from "./calendars.js";
import { event } from "./event-fields.js";
import { ids, instant } from "./fields.js";

/** The types of messages that a webhook can receive (extensions X4.1). */
export const webhookTypes = [
  "calendar.created",
  "calendar.saved",
  "calendar.deleted",
  "event.created",
  "event.saved",
  "event.deleted",
  "event.cancelled",
  "subscriber.created",
  "subscriber.unfollowed",
  "subscriber.deleted",
  "subscriber.blocked",
  "subscriber.unblocked",
] as const;

const subscriber = z
  .object({
    id: ids.subscriber,
    calendar_id: ids.calendar,
    calendar_type: z.string().meta({ description: "The calendar app.", example: "apple" }),
    active: z.boolean().meta({ description: "Whether the app fetches the calendar.", example: true }),
    blocked: z.boolean().meta({ description: "Whether the subscriber is blocked.", example: false }),
    date_subscribed: instant.meta({
      description: "Time of the subscription.",
      example: "2026-07-02T12:00:00Z",
    }),
    name: z.string().optional().meta({
      description: "Name of the person: only with `with_person`, and never of a deleted subscriber.",
      example: "Ada Byron",
    }),
    email: z.string().optional().meta({
      description:
        "E-mail address of the person: only with `with_person`, and never of a deleted subscriber.",
      example: "ada@example.com",
    }),
  })
  .meta({ id: "WebhookSubscriber", description: "A subscriber, as webhooks hold it." });

const deletedCalendar = z
  .object({
    id: ids.calendar,
    status: z.literal("deleted").meta({ description: "Always `deleted`.", example: "deleted" }),
  })
  .meta({ id: "WebhookDeletedCalendar", description: "The id of a calendar that was deleted." });

/** Schema of `data` by message type. */
const dataOf = {
  "calendar.created": z.object({ calendar: calendarDetails }),
  "calendar.saved": z.object({ calendar: calendarDetails }),
  "calendar.deleted": z.object({ calendar: deletedCalendar }),
  "event.created": z.object({ event }),
  "event.saved": z.object({ event }),
  "event.deleted": z.object({ event }),
  "event.cancelled": z.object({ event }),
  "subscriber.created": z.object({ subscriber }),
  "subscriber.unfollowed": z.object({ subscriber }),
  "subscriber.deleted": z.object({ subscriber }),
  "subscriber.blocked": z.object({ subscriber }),
  "subscriber.unblocked": z.object({ subscriber }),
} as const satisfies Record<(typeof webhookTypes)[number], z.ZodType>;

/** The body of a message of each type. */
export const webhookMessages = webhookTypes.map((type) => ({
  type,
  schema: z
    .object({
      type: z.literal(type).meta({ description: "What happened.", example: type }),
      timestamp: instant.meta({ description: "When it happened, in UTC.", example: "2026-07-02T12:00:00Z" }),
      shortened: z.boolean().optional().meta({
        description: "Present when long texts were shortened; the operations of the API return them whole.",
        example: true,
      }),
      data: dataOf[type],
    })
    .meta({ id: `${pascal(type)}Message`, description: `The body of a webhook of the type \`${type}\`.` }),
}));

/** "event.created" as "EventCreated". */
function pascal(type: string): string {
  return type.replaceAll(/(?:^|\.)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
