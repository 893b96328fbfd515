import * as z from "zod";
import { access } from "./access.js";
import { draftParams, findFilters, newsParams } from "./event-filters.js";
import {
  event,
  eventClearable,
  eventExtras,
  eventParams,
  freeParams,
  listedEvent,
  savedEvent,
} from "./event-fields.js";
import { exampleOf } from "./example.js";
import {
  answer,
  clearable,
  count,
  cursorParameter,
  customDataFilters,
  ids,
  instant,
  parameter,
  wallClock,
} from "./fields.js";
import {
  contractRead,
  contractWrite,
  extensionRead,
  extensionWrite,
  operation,
  type OperationTable,
  pagingSchema,
} from "./operation.js";

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

const eventPayload = z.object({ event });

const detailsParams = z.object({ event_id: ids.event });

const findParams = listParams.extend({
  order_by: parameter.anyOrder.optional(),
  ...findFilters,
  ...customDataFilters,
});
const shownTimes = {
  shown_start: wallClock
    .meta({
      description:
        "With `wall=calendar`: the start on the wall clock of the event's calendar. Of an all-day event it is `start_date`.",
      example: "2026-07-04T13:30",
    })
    .optional(),
  shown_end: wallClock
    .meta({
      description:
        "With `wall=calendar`: the end on the wall clock of the event's calendar, never before `shown_start`.",
      example: "2026-07-04T14:30",
    })
    .optional(),
};
const findPayload = z.object({
  calendar: z
    .object({
      id: ids.calendar,
      events_count: count.meta({ description: "How many events match, over all pages.", example: 1 }),
    })
    .meta({
      id: "EventsCount",
      description: "The calendar, and how many events match, those of `calendar_ids` too.",
    }),
  events: z
    .array(event.extend(shownTimes).meta({ id: "FoundEvent", description: "An event of a list." }))
    .meta({ description: "The events of this page." }),
  paging: pagingSchema,
});

export const addParams = z.object({
  calendar_id: ids.calendar,
  ...eventParams,
  ...freeParams(""),
  ...eventExtras,
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
      "Start on the wall clock of the event's time zone, in the forms of `eventsCreate`. The end stays where it is, so send `end_date` too " +
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
  ...eventExtras,
  calendar_id: ids.calendar.optional().meta({
    description:
      "Id of another calendar: the event moves there, with its id and its UID, and leaves its series. Without a value it stays where it is.",
    example: "1",
  }),
});

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

const tag = "Events";

export const eventOperations = {
  listEvents: operation({
    ...contractRead,
    tag,
    section: "4.5",
    path: "/api/v1/calendars/events/list/",
    summary: "List the events of a calendar",
    returns: "A page of the events of the calendar.",
    description:
      "Returns the events of a calendar in pages: newest created first, or as `order_by` says. `month` with `year` keeps the events " +
      "that start in that month on their own wall clock; `upcoming` keeps those that start at a moment or later. With both, both apply.",
    params: listParams,
    ignoredWith: { order_by: "upcoming" },
    together: ["month", "year"],
    payload: listPayload,
    errors: ["calendar_not_found"],
    example: { sends: ["calendar_id", "month", "year"], mistake: { month: "13" } },
  }),
  createEvent: operation({
    ...contractWrite,
    tag,
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
    example: { mistake: { start_date: "04.07.2026 13:30", organizer_email: "parks" } },
  }),
  saveEvent: operation({
    ...contractWrite,
    tag,
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
      answers: { event: { date_modified: 1782997200, updated_times: "1" } },
      mistake: { color_id: "21" },
    },
  }),
  deleteEvent: operation({
    ...contractWrite,
    tag,
    section: "4.8",
    path: "/api/v1/calendars/events/delete/",
    summary: "Delete an event",
    returns: "The id of the deleted event.",
    description: "Deletes an event. This cannot be undone; a second delete answers 404.",
    params: deleteParams,
    ifMatch: true,
    payload: deletePayload,
    errors: ["event_not_found"],
    example: { mistake: { event_id: "07" } },
  }),
  eventsList: operation({
    ...extensionRead,
    tag,
    section: "find-events",
    access: access.viewer,
    path: "/api/kalends/v1/events/list/",
    summary: "Find events of calendars",
    returns: "A page of the events of the calendars.",
    description:
      "Returns the events of one calendar or several in pages, as the contract's `listEvents` does, in the shape of the extensions. All " +
      "filters that are sent apply.",
    params: findParams,
    ignoredWith: { order_by: "upcoming" },
    together: ["month", "year"],
    payload: findPayload,
    errors: ["calendar_not_found"],
    example: { sends: ["calendar_id", "from", "to", "q", "wall"], mistake: { from: "next week" } },
  }),
  eventsDetails: operation({
    ...extensionRead,
    tag,
    section: "change-an-event",
    access: access.viewer,
    path: "/api/kalends/v1/events/details/",
    summary: "Get an event",
    returns: "The event.",
    description: "Returns one event.",
    params: detailsParams,
    payload: eventPayload,
    errors: ["event_not_found"],
    example: { mistake: { event_id: "07" } },
  }),
  eventsCreate: operation({
    ...extensionWrite,
    tag,
    section: "custom-data",
    access: access.editor,
    path: "/api/kalends/v1/events/create/",
    summary: "Add an event",
    returns: "The created event.",
    description:
      "Creates an event, as the contract's `createEvent` does, with `status`, `custom_data` and `categories`; with `published=false` a draft.",
    params: addParams.extend({ ...draftParams, ...newsParams }),
    structured: { custom_data: "object", categories: "list" },
    payload: eventPayload,
    errors: ["calendar_not_found"],
    example: {
      sends: Object.keys(addParams.shape).filter((name) => !name.startsWith("picture_")),
      mistake: { start_date: "04.07.2026 13:30", status: "postponed" },
    },
  }),
  eventsUpdate: operation({
    ...extensionWrite,
    tag,
    section: "change-an-event",
    access: access.editor,
    path: "/api/kalends/v1/events/update/",
    summary: "Change an event",
    returns: "The changed event.",
    description:
      "Changes the fields of an event that are sent, and no others; an empty value clears. It adds 1 to `updated_times`. With " +
      "`If-Match` it changes only the event that you have read. With `published` it publishes a draft, or makes an event one. With " +
      "`calendar_id` it moves the event to another calendar.",
    params: updateParams.extend({ ...draftParams, ...newsParams }),
    structured: { custom_data: "object", categories: "list" },
    clearable: [...eventClearable, "publish_at"],
    partial: true,
    ifMatch: true,
    payload: eventPayload,
    errors: ["calendar_not_found", "event_not_found", "event_replaced"],
    example: {
      sends: ["event_id", "location"],
      answers: { event: { date_modified: "2026-07-02T13:00:00Z", updated_times: 1 } },
      mistake: { color_id: "21" },
    },
  }),
  eventsChanges: operation({
    ...extensionRead,
    tag,
    section: "follow-changes",
    access: access.viewer,
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
      sends: ["calendar_id"],
      answers: { changes: [savedExample, deletedExample] },
      mistake: { since: "last week" },
    },
  }),
  eventsDelete: operation({
    ...extensionWrite,
    tag,
    section: "create-and-delete",
    access: access.editor,
    path: "/api/kalends/v1/events/delete/",
    summary: "Remove an event",
    returns: "The id of the deleted event.",
    description: "Deletes an event, as the contract's `deleteEvent` does.",
    params: deleteParams.extend(newsParams),
    ifMatch: true,
    payload: deletePayload,
    errors: ["event_not_found"],
    example: { mistake: { event_id: "abc" } },
  }),
} satisfies OperationTable;
