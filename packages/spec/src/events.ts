import * as z from "zod";
import { eventParams, freeParams, listedEvent, savedEvent } from "./event-fields.js";
import { payloadExample, requestExample } from "./example.js";
import { answer, ids, parameter } from "./fields.js";
import { type Operation, operation, pagingSchema } from "./operation.js";

const listParams = z.object({
  calendar_id: ids.calendar,
  order_by: parameter.orderBy.optional(),
  month: parameter.month.optional(),
  year: parameter.year.optional(),
  upcoming: parameter.upcoming.optional(),
  page: parameter.page.optional(),
});
const listPayload = z.object({
  calendar: z
    .object({ id: ids.calendar, events_count: answer.integer })
    .meta({ id: "CalendarEventsCount", description: "The calendar, and how many of its events match." }),
  events: z.array(listedEvent).meta({ description: "The events of this page." }),
  paging: pagingSchema,
});

const savedPayload = z.object({ event: savedEvent });

const createParams = z.object({ calendar_id: ids.calendar, ...eventParams, ...freeParams("") });
const saveParams = z.object({
  event_id: ids.event,
  ...eventParams,
  ...freeParams(" When absent it is kept, when empty it is cleared."),
});

const deleteParams = z.object({ event_id: ids.event });
const deletePayload = z.object({
  event: z
    .object({ id: ids.event, status: answer.deleted })
    .meta({ id: "DeletedCalendarEvent", description: "The id of an event that was deleted." }),
});

/** What the writes share (rulings R1.1). */
const write = {
  kind: "write",
  methods: ["get", "post"],
  codeType: "string",
  tag: "Events",
  auth: "token",
} as const;

export const eventOperations = {
  listEvents: operation({
    section: "4.5",
    path: "/api/v1/calendars/events/list/",
    kind: "read",
    methods: ["get"],
    codeType: "string",
    tag: "Events",
    summary: "List the events of a calendar",
    returns: "A page of the events of the calendar.",
    description:
      "Returns the events of a calendar in pages: newest created first, or as `order_by` says. `month` with `year` keeps the events " +
      "that start in that month on their own wall clock; `upcoming` keeps those that start at a moment or later. With both, both apply.",
    auth: "token",
    params: listParams,
    ignoredWith: { order_by: "upcoming" },
    together: ["month", "year"],
    payload: listPayload,
    errors: ["calendar_not_found"],
    example: {
      request: requestExample(listParams, "calendar_id", "month", "year"),
      payload: payloadExample(listPayload),
      mistake: { month: "13" },
    },
  }),
  createEvent: operation({
    ...write,
    section: "4.6",
    path: "/api/v1/calendars/events/create/",
    summary: "Create an event",
    returns: "The created event.",
    description:
      "Creates an event in a calendar and returns it. A start that the clock skips when summer time begins moves forward by the " +
      "gap; one that occurs twice is the first of the two (RFC 5545, section 3.3.5).",
    params: createParams,
    payload: savedPayload,
    errors: ["calendar_not_found"],
    example: {
      request: requestExample(createParams),
      payload: payloadExample(savedPayload),
      mistake: { start_date: "04.07.2026 13:30", organizer_email: "parks" },
    },
  }),
  saveEvent: operation({
    ...write,
    section: "4.7",
    path: "/api/v1/calendars/events/save/",
    summary: "Save an event",
    returns: "The saved event.",
    description:
      "Replaces the fields of an event, adds 1 to `updated_times` and returns the event. A parameter with a default takes the default " +
      "when it is absent or empty; `description`, `location`, `organizer`, `organizer_email` and `reminder` are kept when absent and " +
      "cleared when empty.",
    params: saveParams,
    clearable: ["description", "location", "organizer", "organizer_email", "reminder"],
    ifMatch: true,
    payload: savedPayload,
    errors: ["event_not_found"],
    example: {
      request: requestExample(saveParams),
      payload: payloadExample(savedPayload, { event: { date_modified: 1782997200, updated_times: "1" } }),
      mistake: { color_id: "21" },
    },
  }),
  deleteEvent: operation({
    ...write,
    section: "4.8",
    path: "/api/v1/calendars/events/delete/",
    summary: "Delete an event",
    returns: "The id of the deleted event.",
    description: "Deletes an event. This cannot be undone; a second delete answers 404.",
    params: deleteParams,
    ifMatch: true,
    payload: deletePayload,
    errors: ["event_not_found"],
    example: {
      request: requestExample(deleteParams),
      payload: payloadExample(deletePayload),
      mistake: { event_id: "07" },
    },
  }),
} satisfies Record<string, Operation>;
