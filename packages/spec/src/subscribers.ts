import * as z from "zod";
import { access } from "./access.js";
import { answer, count, ids, instant, instantOrNone, parameter } from "./fields.js";
import {
  contractRead,
  extensionRead,
  extensionWrite,
  operation,
  type OperationTable,
  pagingSchema,
} from "./operation.js";

const orNull = "the text `null` when unknown.";

const subscriber = z
  .object({
    id: ids.subscriber,
    name: z
      .string()
      .meta({ description: "Name of the subscriber; empty when not given.", example: "Ada Byron" }),
    email: z.string().meta({
      description: "E-mail address of the subscriber; empty when not given.",
      example: "ada@example.com",
    }),
    ip: z.string().meta({
      description: "IP address from which the subscriber followed the calendar; empty when not kept.",
      example: "203.0.113.7",
    }),
    postal: z.string().meta({ description: `Postal code; ${orNull}`, example: "null" }),
    city: z.string().meta({ description: `City; ${orNull}`, example: "London" }),
    state: z.string().meta({ description: `State or region; ${orNull}`, example: "null" }),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .meta({
        description: "Country code of ISO 3166-1, two letters; `ZZ` when unknown.",
        example: "GB",
      }),
    date: z
      .string()
      .regex(/^[0-9]{2}\/[0-9]{2}\/[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}$/)
      .meta({
        description: "Time of subscription, `MM/DD/YYYY HH:MM:SS`, in the calendar's time zone.",
        example: "07/02/2026 08:00:00",
      }),
    unixtime_stamp: answer.unixTime.meta({ description: "Time of subscription: Unix time in seconds." }),
    calendar_type: z.string().meta({
      description:
        "Calendar application that the subscriber uses. More values may be added; treat them as `ical`.",
      "x-extensible-enum": ["apple", "google", "outlook", "outlookcom", "office365", "yahoo", "ical"],
      example: "apple",
    }),
    active: answer.flag.meta({
      description: "Whether the subscriber's application has fetched the feed lately, as a string.",
      example: "true",
    }),
    blocked: answer.flag.meta({
      description:
        "Whether the account holder has blocked the subscriber, whose feed is then empty; as a string.",
      example: "false",
    }),
  })
  .meta({
    id: "Subscriber",
    description: "A person who follows a calendar with a calendar application.",
  });

const params = z.object({
  calendar_id: ids.calendar,
  order_by: parameter.orderBy.optional(),
  month: parameter.month.optional(),
  year: parameter.year.optional(),
  page: parameter.page.optional(),
});

const payload = z.object({
  calendar: z.object({ id: ids.calendar, subscribers_count: answer.integer }).meta({
    id: "CalendarSubscribersCount",
    description: "The calendar, and how many of its subscribers match.",
  }),
  subscribers: z.array(subscriber).meta({ description: "The subscribers of this page." }),
  paging: pagingSchema,
});

const detailsParams = z.object({ calendar_id: ids.calendar, subscriber_id: ids.subscriber });
const detailsPayload = z.object({
  calendar: z
    .object({ id: ids.calendar })
    .meta({ id: "CalendarReference", description: "The calendar that is followed." }),
  subscribers: z
    .array(subscriber)
    .min(1)
    .max(1)
    .meta({ description: "The subscriber, as a list of one element." }),
});

/** A subscriber, everywhere in the extensions. */
const details = z
  .object({
    id: ids.subscriber,
    calendar_id: ids.calendar,
    name: subscriber.shape.name,
    email: subscriber.shape.email,
    ip: subscriber.shape.ip,
    postal: z.string().meta({ description: "Postal code; empty when unknown.", example: "" }),
    city: z.string().meta({ description: "City; empty when unknown.", example: "London" }),
    state: z.string().meta({ description: "State or region; empty when unknown.", example: "" }),
    country: z
      .string()
      .regex(/^([A-Z]{2})?$/)
      .meta({
        description: "Country code of ISO 3166-1, two letters; empty when unknown.",
        example: "GB",
      }),
    calendar_type: z.string().meta({
      description: "Calendar application that the subscriber uses, as in the contract.",
      example: "apple",
    }),
    active: z.boolean().meta({
      description: "Whether the application has fetched the feed lately.",
      example: true,
    }),
    blocked: z
      .boolean()
      .meta({ description: "Whether the feed is empty by `subscribersBlock`.", example: false }),
    categories: z.array(z.string()).meta({
      description: "The categories that the subscriber has picked; empty for all events.",
      example: ["Concerts"],
    }),
    date_subscribed: instant.meta({ description: "Time of subscription.", example: "2026-07-02T12:00:00Z" }),
    date_seen: instant.meta({
      description:
        "When the application last fetched the feed; the time of subscription when it has not yet.",
      example: "2026-07-03T06:00:00Z",
    }),
    date_unfollowed: instantOrNone.meta({
      description: "When the subscriber unfollowed the calendar; empty when not.",
      example: "",
    }),
  })
  .meta({ id: "SubscriberDetails", description: "A person who follows a calendar." });

const findParams = z.object({
  calendar_id: ids.calendar,
  only: z.enum(["inactive", "blocked"], "must be inactive or blocked").optional().meta({
    description: "`inactive` or `blocked`: returns only such subscribers. Without a value, all.",
    example: "inactive",
  }),
  order_by: parameter.orderBy.optional(),
  month: parameter.month.optional(),
  year: parameter.year.optional(),
  page: parameter.page.optional(),
});
const findPayload = z.object({
  calendar: z
    .object({
      id: ids.calendar,
      subscribers_count: count.meta({ description: "How many match, over all pages.", example: 1 }),
    })
    .meta({ id: "FoundSubscribers", description: "The calendar, and how many of its subscribers match." }),
  subscribers: z.array(details).meta({ description: "The subscribers of this page." }),
  paging: pagingSchema,
});

const ofExtensions = { tag: "Subscribers", section: "followers" } as const;
const change = {
  ...extensionWrite,
  ...ofExtensions,
  params: z.object({ subscriber_id: ids.subscriber }),
  payload: z.object({ subscriber: details }),
  errors: ["subscriber_not_found"],
} as const;

/** Members that the three lists share; they differ in the followers that they list. */
const list = {
  ...contractRead,
  tag: "Subscribers",
  section: "4.9",
  params,
  together: ["month", "year"],
  payload,
  errors: ["calendar_not_found"],
} as const;

const listExample = { sends: ["calendar_id"], mistake: { order_by: "name" } } as const;

export const subscriberOperations = {
  listSubscribers: operation({
    ...list,
    path: "/api/v1/calendars/subscribers/list/",
    summary: "List the subscribers of a calendar",
    returns: "A page of the subscribers of the calendar.",
    description:
      "Returns all subscribers of a calendar in pages, the inactive and blocked ones too: newest first, or as `order_by` says. " +
      "`month` with `year` keeps those who subscribed in that month.",
    example: listExample,
  }),
  listInactiveSubscribers: operation({
    ...list,
    path: "/api/v1/calendars/subscribers/list/inactive/",
    summary: "List the inactive subscribers of a calendar",
    returns: "A page of the inactive subscribers of the calendar.",
    description:
      "Returns the subscribers of a calendar whose `active` is `false`: they unfollowed it, or their application has not fetched " +
      "the feed for 30 days (the operator of the server can change this).",
    example: { ...listExample, answers: { subscribers: { active: "false" } } },
  }),
  listBlockedSubscribers: operation({
    ...list,
    path: "/api/v1/calendars/subscribers/list/blocked/",
    summary: "List the blocked subscribers of a calendar",
    returns: "A page of the blocked subscribers of the calendar.",
    description:
      "Returns the subscribers of a calendar whose `blocked` is `true`: the account holder blocked them, and their feed is empty.",
    example: { ...listExample, answers: { subscribers: { blocked: "true" } } },
  }),
  getSubscriber: operation({
    ...contractRead,
    tag: "Subscribers",
    section: "4.10",
    path: "/api/v1/calendars/subscriber/",
    summary: "Get a subscriber",
    returns: "The subscriber, as a list of one element.",
    description: "Returns one subscriber of a calendar, as a list of one element.",
    params: detailsParams,
    payload: detailsPayload,
    errors: ["calendar_not_found", "subscriber_not_found"],
    example: { mistake: { subscriber_id: "" } },
  }),
  subscribersList: operation({
    ...extensionRead,
    ...ofExtensions,
    access: access.viewer,
    path: "/api/kalends/v1/subscribers/list/",
    summary: "Find subscribers of a calendar",
    returns: "A page of the subscribers of the calendar.",
    description:
      "Returns the subscribers of a calendar in pages, all or those that are inactive or blocked, in the shape of the extensions. For a " +
      "person who does not see followers (`sees_followers`) names, addresses and places are empty.",
    params: findParams,
    together: ["month", "year"],
    payload: findPayload,
    errors: ["calendar_not_found"],
    example: { sends: ["calendar_id"], mistake: { only: "all" } },
  }),
  subscribersBlock: operation({
    ...change,
    access: access.owner,
    path: "/api/kalends/v1/subscribers/block/",
    summary: "Block a subscriber",
    returns: "The blocked subscriber.",
    description: "Blocks a subscriber, whose feed is empty from then on. The person can still follow again.",
    example: { mistake: { subscriber_id: "abc" } },
  }),
  subscribersUnblock: operation({
    ...change,
    access: access.owner,
    path: "/api/kalends/v1/subscribers/unblock/",
    summary: "Unblock a subscriber",
    returns: "The unblocked subscriber.",
    description: "Unblocks a subscriber, whose feed has its events again.",
    example: { mistake: { subscriber_id: "0" } },
  }),
  subscribersDelete: operation({
    ...change,
    access: access.owner,
    path: "/api/kalends/v1/subscribers/delete/",
    summary: "Delete a subscriber",
    returns: "The id of the deleted subscriber.",
    description:
      "Deletes a subscriber and all data about the person, also in messages to webhooks that wait. It cannot be undone.",
    payload: z.object({
      subscriber: z
        .object({ id: ids.subscriber, status: answer.deleted })
        .meta({ id: "DeletedSubscriber", description: "The id of a subscriber that was deleted." }),
    }),
    example: { mistake: { subscriber_id: "-1" } },
  }),
} satisfies OperationTable;
