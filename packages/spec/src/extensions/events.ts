import * as z from "zod";
import { eventParams, freeParams } from "../event-fields.js";
import { exampleOf, payloadExample, requestExample } from "../example.js";
import { clearable, ids, parameter } from "../fields.js";
import { type Operation, operation, pagingSchema } from "../operation.js";
import {
  categoriesParameter,
  count,
  cursorParameter,
  customDataFilters,
  customDataParameter,
  event,
  instant,
  listParameters,
  statusParameter,
} from "./fields.js";

const eventPayload = z.object({ event });

const detailsParams = z.object({ event_id: ids.event });

const listParams = z.object({ calendar_id: ids.calendar, ...listParameters, ...customDataFilters });
const listPayload = z.object({
  calendar: z
    .object({
      id: ids.calendar,
      events_count: count.meta({ description: "How many events match, over all pages.", example: 1 }),
    })
    .meta({ id: "EventsCount", description: "The calendar, and how many of its events match." }),
  events: z.array(event).meta({ description: "The events of this page." }),
  paging: pagingSchema,
});

const added = {
  status: statusParameter.optional(),
  custom_data: customDataParameter.optional(),
  categories: categoriesParameter.optional(),
};
export const createParams = z.object({
  calendar_id: ids.calendar,
  ...eventParams,
  ...freeParams(""),
  ...added,
});

const changeable = freeParams(" When absent it stays, when empty it is cleared.");
export const updateParams = z.object({
  event_id: ids.event,
  title: parameter.title
    .optional()
    .meta({ description: "Title of the event. It cannot be cleared.", example: "Opening night" }),
  timezone: clearable.zone.optional().meta({
    description:
      "Time zone label. The wall clock stays, so the event moves to other instants. An empty value means the time zone of the calendar.",
    example: "America/New_York",
  }),
  color_id: parameter.colorId.optional().meta({
    description: "Number of a colour in the calendar's palette. An empty value means no colour.",
    example: "4",
  }),
  start_date: parameter.startDate.optional().meta({
    description:
      "Start on the wall clock of the event's time zone, in the forms of `addEvent`. The end stays where it is, so send `end_date` too " +
      "to move an event. A date alone is for all-day events.",
    example: "2026-07-04T15:00",
  }),
  end_date: clearable.endDate.optional().meta({
    description:
      "End, in the forms of `start_date` and not before it. An empty value means an hour after the start.",
    example: "2026-07-04T16:00",
  }),
  all_day_event: clearable.allDay.optional().meta({
    description: "Whether the event takes whole days. An empty value means `false`.",
    example: "false",
  }),
  ...changeable,
  ...added,
});

/** Parameters of an update that an empty value clears. */
export const eventClearable = [
  "title",
  "timezone",
  "color_id",
  "end_date",
  "all_day_event",
  "description",
  "location",
  "organizer",
  "organizer_email",
  "reminder",
  "status",
  "custom_data",
  "categories",
];

const changesParams = z.object({ calendar_id: ids.calendar, since: cursorParameter.optional() });
/** A union by `change`, so that a generated type says which fields there are. */
const eventChange = z
  .discriminatedUnion("change", [
    z
      .object({
        event_id: ids.event,
        change: z
          .literal("saved")
          .meta({ description: "`saved`: the event was created or changed.", example: "saved" }),
        event,
      })
      .meta({ id: "SavedEventChange", description: "The event as it is now." }),
    z
      .object({
        event_id: ids.event,
        change: z
          .literal("deleted")
          .meta({ description: "`deleted`: the event was deleted.", example: "deleted" }),
        date_deleted: instant.meta({ description: "When it was deleted.", example: "2026-07-02T12:00:00Z" }),
      })
      .meta({ id: "DeletedEventChange", description: "What is left of a deleted event." }),
  ])
  .meta({ id: "EventChange", description: "The last change of an event: `change` says which one." });
const changesPayload = z.object({
  changes: z.array(eventChange).meta({
    description:
      "The events that have changed since the cursor, each once, in the order of their last changes.",
  }),
  cursor: z.string().meta({
    description: "Send it as `since` to get what changes from here on. It is good for 30 days.",
    example: "MS4xNzgyOTkzNjAwLjE3ODI5OTM2MDAuNw",
  }),
  has_more: z
    .boolean()
    .meta({ description: "Whether there are more changes now: ask again at once.", example: false }),
});
const savedExample = { event_id: "7", change: "saved", event: exampleOf(event) };
const deletedExample = {
  event_id: "6",
  change: "deleted",
  date_deleted: "2026-07-02T12:00:00Z",
};

const shared = { codeType: "string", tag: "Events", auth: "token" } as const;
const read = { ...shared, kind: "read", methods: ["get"] } as const;
const write = { ...shared, kind: "write", methods: ["post"] } as const;

export const eventExtensions = {
  findEvents: operation({
    ...read,
    section: "custom-data",
    path: "/api/kalends/v1/events/list/",
    summary: "Find events of a calendar",
    returns: "A page of the events of the calendar.",
    description:
      "Returns the events of a calendar in pages, as the contract's `listEvents` does, in the shape of the extensions, and filtered by " +
      "`custom_data` where asked.",
    params: listParams,
    ignoredWith: { order_by: "upcoming" },
    together: ["month", "year"],
    payload: listPayload,
    errors: ["calendar_not_found"],
    example: {
      request: requestExample(listParams, "calendar_id", "custom_data_key", "custom_data_value"),
      payload: payloadExample(listPayload),
      mistake: { month: "13" },
    },
  }),
  getEvent: operation({
    ...read,
    section: "change-an-event",
    path: "/api/kalends/v1/events/details/",
    summary: "Get an event",
    returns: "The event.",
    description: "Returns one event.",
    params: detailsParams,
    payload: eventPayload,
    errors: ["event_not_found"],
    example: {
      request: requestExample(detailsParams),
      payload: payloadExample(eventPayload),
      mistake: { event_id: "07" },
    },
  }),
  addEvent: operation({
    ...write,
    section: "custom-data",
    path: "/api/kalends/v1/events/create/",
    summary: "Add an event",
    returns: "The created event.",
    description:
      "Creates an event, as the contract's `createEvent` does, with `status`, `custom_data` and `categories`.",
    params: createParams,
    structured: { custom_data: "object", categories: "list" },
    payload: eventPayload,
    errors: ["calendar_not_found"],
    example: {
      request: requestExample(createParams),
      payload: payloadExample(eventPayload),
      mistake: { start_date: "04.07.2026 13:30", status: "postponed" },
    },
  }),
  updateEvent: operation({
    ...write,
    section: "change-an-event",
    path: "/api/kalends/v1/events/update/",
    summary: "Change an event",
    returns: "The changed event.",
    description:
      "Changes the fields of an event that are sent, and no others; an empty value clears. It adds 1 to `updated_times`. With " +
      "`If-Match` it changes only the event that you have read.",
    params: updateParams,
    structured: { custom_data: "object", categories: "list" },
    clearable: eventClearable,
    partial: true,
    ifMatch: true,
    payload: eventPayload,
    errors: ["event_not_found"],
    example: {
      request: requestExample(updateParams, "event_id", "location"),
      payload: payloadExample(eventPayload, {
        event: { date_modified: "2026-07-02T13:00:00Z", updated_times: 1 },
      }),
      mistake: { color_id: "21" },
    },
  }),
  listEventChanges: operation({
    ...read,
    section: "follow-changes",
    path: "/api/kalends/v1/events/changes/",
    summary: "List what has changed in a calendar",
    returns: "The next changes, and the cursor for those after them.",
    description:
      "Returns the events that were created, changed or deleted since a cursor, in the order of their last changes. None is left out; " +
      "one may come again. Without `since` it begins with every event that the calendar has.",
    params: changesParams,
    payload: changesPayload,
    errors: ["calendar_not_found", "cursor_expired"],
    example: {
      request: requestExample(changesParams, "calendar_id"),
      payload: { ...payloadExample(changesPayload), changes: [savedExample, deletedExample] },
      mistake: { since: "last week" },
    },
  }),
} satisfies Record<string, Operation>;
