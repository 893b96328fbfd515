import { z } from "zod";
import { answer, ids, parameter } from "./fields.js";
import { operation, pagingSchema } from "./operation.js";

const orNull = "The text `null` when unknown.";

const subscriber = z
  .object({
    id: ids.subscriber,
    name: z.string().meta({ description: "Name; empty when not given.", example: "Ada Byron" }),
    email: z
      .string()
      .meta({ description: "E-mail address; empty when not given.", example: "ada@example.com" }),
    ip: z.string().meta({ description: "IP address; empty when not kept.", example: "203.0.113.7" }),
    postal: z.string().meta({ description: `Postal code. ${orNull}`, example: "null" }),
    city: z.string().meta({ description: orNull, example: "London" }),
    state: z.string().meta({ description: orNull, example: "null" }),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .meta({ description: "Two-letter country code; `ZZ` when unknown.", example: "GB" }),
    date: z
      .string()
      .regex(/^[0-9]{2}\/[0-9]{2}\/[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}$/)
      .meta({
        description: "Subscription time, `MM/DD/YYYY HH:MM:SS`, in the calendar's time zone.",
        example: "07/02/2026 08:00:00",
      }),
    unixtime_stamp: answer.unixTime.meta({ description: "Subscription time, Unix time in seconds." }),
    calendar_type: z.string().meta({
      description:
        "Kind of calendar application, an open set: `apple`, `google`, `outlook`, `ical` and more.",
      example: "apple",
    }),
    active: answer.flag,
    blocked: answer.flag,
  })
  .meta({ id: "Subscriber", description: "A follower of a calendar (service.md 2.5)." });

const params = z.object({
  calendar_id: ids.calendar,
  order_by: parameter.orderBy.optional(),
  month: parameter.month.optional(),
  year: parameter.year.optional(),
  page: parameter.page.optional(),
});

const payload = z.object({
  calendar: z
    .object({ id: ids.calendar, subscribers_count: answer.integer })
    .meta({ description: "The calendar they follow." }),
  subscribers: z.array(subscriber).meta({ description: "One page." }),
  paging: pagingSchema,
});

function exampleSubscriber(flags: { readonly active: string; readonly blocked: string }) {
  return {
    id: "3",
    name: "Ada Byron",
    email: "ada@example.com",
    ip: "203.0.113.7",
    postal: "null",
    city: "London",
    state: "null",
    country: "GB",
    date: "07/02/2026 08:00:00",
    unixtime_stamp: 1782993600,
    calendar_type: "apple",
    ...flags,
  };
}

function exampleList(flags: { readonly active: string; readonly blocked: string }) {
  return {
    request: { calendar_id: "1" },
    payload: {
      calendar: { id: "1", subscribers_count: 1 },
      subscribers: [exampleSubscriber(flags)],
      paging: { previous: "", next: "" },
    },
  };
}

/** What the three lists share; they differ in the followers they keep. */
const list = {
  section: "4.9",
  methods: ["get"],
  tag: "Subscribers",
  auth: "token",
  params,
  together: ["month", "year"],
  payload,
  errors: ["calendar_not_found"],
} as const;

export const listSubscribers = operation({
  ...list,
  path: "/api/v1/calendars/subscribers/list/",
  summary: "List the subscribers of a calendar",
  description: "Everyone who follows the calendar, newest first, or as `order_by` says.",
  example: exampleList({ active: "true", blocked: "false" }),
});

export const listInactiveSubscribers = operation({
  ...list,
  path: "/api/v1/calendars/subscribers/list/inactive/",
  summary: "List the inactive subscribers of a calendar",
  description: "Those whose `active` is `false`.",
  example: exampleList({ active: "false", blocked: "false" }),
});

export const listBlockedSubscribers = operation({
  ...list,
  path: "/api/v1/calendars/subscribers/list/blocked/",
  summary: "List the blocked subscribers of a calendar",
  description: "Those whose `blocked` is `true`.",
  example: exampleList({ active: "true", blocked: "true" }),
});

export const getSubscriber = operation({
  section: "4.10",
  path: "/api/v1/calendars/subscriber/",
  methods: ["get"],
  tag: "Subscribers",
  summary: "Details of a subscriber",
  description: "One subscriber, as an array of one element.",
  auth: "token",
  params: z.object({ calendar_id: ids.calendar, subscriber_id: ids.subscriber }),
  payload: z.object({
    calendar: z.object({ id: ids.calendar }).meta({ description: "The calendar they follow." }),
    subscribers: z.array(subscriber).min(1).max(1).meta({ description: "The one subscriber." }),
  }),
  errors: ["calendar_not_found", "subscriber_not_found"],
  example: {
    request: { calendar_id: "1", subscriber_id: "3" },
    payload: {
      calendar: { id: "1" },
      subscribers: [exampleSubscriber({ active: "true", blocked: "false" })],
    },
  },
});
