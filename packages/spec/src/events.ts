import { z } from "zod";
import { answer, ids, parameter } from "./fields.js";
import { operation, pagingSchema } from "./operation.js";

/** Fields that the list form and the create/save form share (service.md 2.4). */
const shared = {
  title: z.string().meta({ description: "Title.", example: "Opening night" }),
  description: z.string().meta({
    description: "Text; line breaks are carried as `\\r\\n`.",
    example: "Doors open at 13:00.\r\nBring a blanket.",
  }),
  location: z.string().meta({ description: "Place; empty when not set.", example: "Central Park, New York" }),
  organizer: z.string().meta({ description: "Organizer; empty when not set.", example: "Parks Department" }),
  organizer_email: z.string().meta({ description: "Empty when not set.", example: "parks@example.com" }),
  date_start: answer.date.meta({ description: "Start date, `MM/DD/YYYY`, on the event's wall clock." }),
  date_start_time: answer.clock.meta({ description: "Start time, `HH:MM:SS`, 24-hour clock." }),
  date_start_ampm: answer.meridiem,
  date_end: answer.date.meta({ description: "End date, `MM/DD/YYYY`, on the event's wall clock." }),
  date_end_time: answer.clock.meta({
    description: "End time, `HH:MM:SS`, 24-hour clock.",
    example: "14:30:00",
  }),
  date_end_ampm: answer.meridiem,
  all_day_event: answer.flag.meta({
    description: "Whether it is an all-day event, as a string.",
    example: "false",
  }),
  date_format: z.string().meta({ description: "Format of the date fields.", example: "MM/DD/YYYY" }),
  timezone: answer.zone,
  reminder: z
    .string()
    .regex(/^[0-9]*$/)
    .meta({ description: "Reminder in minutes; empty when not set.", example: "30" }),
  date_create: answer.unixTime.meta({ description: "Creation, Unix time." }),
  date_modified: answer.unixTime.meta({ description: "Last save, Unix time." }),
  updated_times: answer.count.meta({ description: "Number of saves: `0` after creation.", example: "0" }),
};

const colour = parameter.colorId.meta({ description: "Colour id, 1 to 20; empty when not set." });

const listedEvent = z
  .object({
    id: ids.event,
    ...shared,
    date_start_unix: answer.unixTime.meta({
      description: "Start as Unix time in seconds.",
      example: 1783186200,
    }),
    date_end_unix: answer.unixTime.meta({ description: "End as Unix time in seconds.", example: 1783189800 }),
    color: colour,
  })
  .meta({ id: "CalendarEventListItem", description: "An event as the list returns it (service.md 2.4)." });

const savedEvent = z
  .object({
    id: z
      .int()
      .min(1)
      .meta({ description: "Id of the event, an integer here (service.md 2.4).", example: 7 }),
    calendar: ids.calendar,
    ...shared,
    color_id: colour,
  })
  .meta({ id: "CalendarEvent", description: "An event as create and save return it (service.md 2.4)." });

const savedEventPayload = z.object({ event: savedEvent });

/** Parameters of create and save (service.md 4.6), but for the five that behave otherwise on save. */
const eventParams = {
  title: parameter.title.meta({ description: "Title of the event.", example: "Opening night" }),
  timezone: parameter.zone.optional().meta({
    description: "Time zone label. Default: the time zone of the calendar.",
    example: "America/New_York",
  }),
  color_id: parameter.colorId.optional().meta({
    description: "A colour of the calendar's palette, 1 to 20. Default: no colour.",
    example: "4",
  }),
  start_date: parameter.startDate.meta({
    description:
      "Start, `MM/DD/YYYY HH:MM`, optionally followed by `AM` or `PM`. Also accepted: seconds, `YYYY-MM-DD HH:MM`, " +
      "`YYYY-MM-DDTHH:MM`, and a date alone on all-day events.",
  }),
  end_date: parameter.startDate.optional().meta({
    description: "End, same formats, not before the start. Default: `start_date` plus 1 hour.",
    example: "07/04/2026 02:30 PM",
  }),
  all_day_event: parameter.allDay.optional(),
};

/** The parameters without a default: on save, absent keeps the value and empty clears it (rulings R4.6). */
function freeParams(onSave: string) {
  return {
    description: parameter.description.optional().meta({
      description: `Text; a line feed or the two characters \`\\n\` are a line break.${onSave}`,
      example: "Doors open at 13:00.\\nBring a blanket.",
    }),
    location: parameter.short
      .optional()
      .meta({ description: `Place, free text.${onSave}`, example: "Central Park, New York" }),
    organizer: parameter.short
      .optional()
      .meta({ description: `Free text.${onSave}`, example: "Parks Department" }),
    organizer_email: parameter.email
      .optional()
      .meta({ description: `E-mail address.${onSave}`, example: "parks@example.com" }),
    reminder: parameter.reminder
      .optional()
      .meta({ description: `Reminder in minutes, 0 to 40320.${onSave}`, example: "30" }),
  };
}

const exampleEvent = {
  title: "Opening night",
  description: "Doors open at 13:00.\r\nBring a blanket.",
  location: "Central Park, New York",
  organizer: "Parks Department",
  organizer_email: "parks@example.com",
  date_start: "07/04/2026",
  date_start_time: "13:30:00",
  date_start_ampm: "PM",
  date_end: "07/04/2026",
  date_end_time: "14:30:00",
  date_end_ampm: "PM",
  all_day_event: "false",
  date_format: "MM/DD/YYYY",
  timezone: "America/New_York",
  reminder: "30",
  date_create: 1782993600,
  date_modified: 1782993600,
  updated_times: "0",
};
const exampleRequest = {
  title: "Opening night",
  start_date: "07/04/2026 01:30 PM",
  description: "Doors open at 13:00.\\nBring a blanket.",
  location: "Central Park, New York",
  organizer: "Parks Department",
  organizer_email: "parks@example.com",
  color_id: "4",
  reminder: "30",
};

export const listEvents = operation({
  section: "4.5",
  path: "/api/v1/calendars/events/list/",
  methods: ["get"],
  tag: "Events",
  summary: "List the events of a calendar",
  description:
    "Newest created first, or as `order_by` says; `month` with `year` keeps the events that start in that month on " +
    "their own wall clock; `upcoming` lists what starts at a moment or later, soonest first.",
  auth: "token",
  params: z.object({
    calendar_id: ids.calendar,
    order_by: parameter.orderBy.optional(),
    month: parameter.month.optional(),
    year: parameter.year.optional(),
    upcoming: parameter.upcoming.optional(),
    page: parameter.page.optional(),
  }),
  ignoredWith: { order_by: "upcoming" },
  together: ["month", "year"],
  payload: z.object({
    calendar: z
      .object({ id: ids.calendar, events_count: answer.integer })
      .meta({ description: "The calendar of the events." }),
    events: z.array(listedEvent).meta({ description: "One page." }),
    paging: pagingSchema,
  }),
  errors: ["calendar_not_found"],
  example: {
    request: { calendar_id: "1", month: "07", year: "2026" },
    payload: {
      calendar: { id: "1", events_count: 1 },
      events: [
        { id: "7", ...exampleEvent, date_start_unix: 1783186200, date_end_unix: 1783189800, color: "4" },
      ],
      paging: { previous: "", next: "" },
    },
  },
});

export const createEvent = operation({
  section: "4.6",
  path: "/api/v1/calendars/events/create/",
  methods: ["get", "post"],
  tag: "Events",
  summary: "Create an event",
  description:
    "Makes an event in a calendar. A start that the clock skips moves forward by the gap; one that occurs twice is the " +
    "first (RFC 5545 3.3.5).",
  auth: "token",
  params: z.object({ calendar_id: ids.calendar, ...eventParams, ...freeParams("") }),
  payload: savedEventPayload,
  errors: ["calendar_not_found"],
  example: {
    request: { calendar_id: "1", ...exampleRequest },
    payload: { event: { id: 7, calendar: "1", ...exampleEvent, color_id: "4" } },
  },
});

export const saveEvent = operation({
  section: "4.7",
  path: "/api/v1/calendars/events/save/",
  methods: ["get", "post"],
  tag: "Events",
  summary: "Save an event",
  description:
    "Replaces the event's fields and raises `updated_times`. A parameter with a default takes it when absent or empty; " +
    "the others keep their value when absent and are cleared when sent empty (rulings R4.6).",
  auth: "token",
  params: z.object({
    event_id: ids.event,
    ...eventParams,
    ...freeParams(" Absent keeps it, empty clears it."),
  }),
  clearable: ["description", "location", "organizer", "organizer_email", "reminder"],
  payload: savedEventPayload,
  errors: ["event_not_found"],
  example: {
    request: { event_id: "7", ...exampleRequest },
    payload: { event: { id: 7, calendar: "1", ...exampleEvent, color_id: "4", updated_times: "1" } },
  },
});

export const deleteEvent = operation({
  section: "4.8",
  path: "/api/v1/calendars/events/delete/",
  methods: ["get", "post"],
  tag: "Events",
  summary: "Delete an event",
  description: "Deletes the event. This cannot be undone.",
  auth: "token",
  params: z.object({ event_id: ids.event }),
  payload: z.object({
    event: z
      .object({ id: ids.event, status: answer.deleted })
      .meta({ id: "DeletedCalendarEvent", description: "An event that was deleted (service.md 2.4)." }),
  }),
  errors: ["event_not_found"],
  example: { request: { event_id: "7" }, payload: { event: { id: "7", status: "deleted" } } },
});
