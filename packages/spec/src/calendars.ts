import { z } from "zod";
import { answer, ids, parameter } from "./fields.js";
import { operation, pagingSchema } from "./operation.js";

const savedCalendar = z
  .object({
    id: ids.calendar,
    uniquekey: z
      .string()
      .regex(/^[a-z0-9]{12}$/)
      .meta({
        description: "Short unique key of the calendar, used in its public address.",
        example: "k3m9x7q2w8ra",
      }),
    calendarname: z.string().meta({ description: "Name of the calendar.", example: "Summer concerts" }),
    title: z.string().meta({ description: "Title of the calendar.", example: "Summer concerts" }),
    description: z
      .string()
      .meta({ description: "Description; empty when not set.", example: "Open air, free entry." }),
    followers_active: answer.count.meta({
      description: "Followers that are active and not blocked.",
      example: "0",
    }),
    followers_total: answer.count.meta({ description: "All followers.", example: "0" }),
    events_total: answer.count.meta({ description: "Events in the calendar.", example: "0" }),
    palette_id: parameter.paletteId.meta({ description: "Colour palette of the calendar.", example: "1" }),
    date_create: answer.unixTime.meta({ description: "Creation, Unix time." }),
    date_modified: answer.unixTime.meta({ description: "Last save, Unix time." }),
  })
  .meta({
    id: "SavedCalendar",
    description: "A calendar as save returns it: without `timezone` (service.md 2.3).",
  });

const calendar = z
  .object({ ...savedCalendar.shape, timezone: answer.zone })
  .meta({ id: "Calendar", description: "A calendar as list and create return it (service.md 2.3)." });

/** Parameters of create and save (service.md 4.2). */
const calendarParams = {
  title: parameter.title.meta({ description: "Title of the calendar.", example: "Summer concerts" }),
  calendarname: parameter.short
    .optional()
    .meta({ description: "Name of the calendar. When empty, the title is used.", example: "Concerts" }),
  timezone: parameter.zone.meta({
    description: "Time zone label. When it has no value, `America/Los_Angeles` is used.",
    example: "America/New_York",
  }),
  palette_id: parameter.paletteId
    .optional()
    .meta({ description: "Colour palette, 1 to 10. When empty, palette 1 is used.", example: "1" }),
};

/** The document marks `timezone` mandatory, as the contract does; without a value it takes this one (rulings R4.7). */
const defaults = { timezone: "America/Los_Angeles" };

const exampleCalendar = {
  id: "1",
  uniquekey: "k3m9x7q2w8ra",
  calendarname: "Summer concerts",
  title: "Summer concerts",
  description: "Open air, free entry.",
  followers_active: "0",
  followers_total: "0",
  events_total: "0",
  palette_id: "1",
  date_create: 1782993600,
  date_modified: 1782993600,
};
const exampleZone = "America/New_York";

export const listCalendars = operation({
  section: "4.1",
  path: "/api/v1/calendars/list/",
  methods: ["get"],
  tag: "Calendars",
  summary: "List calendars",
  description: "The calendars of the account, most recently saved first.",
  auth: "token",
  params: z.object({ page: parameter.page.optional() }),
  payload: z.object({
    calendars: z.array(calendar).meta({ description: "One page." }),
    paging: pagingSchema,
  }),
  errors: [],
  example: {
    request: { page: "1" },
    payload: {
      calendars: [{ ...exampleCalendar, timezone: exampleZone }],
      paging: { previous: "", next: "" },
    },
  },
});

export const createCalendar = operation({
  section: "4.2",
  path: "/api/v1/calendars/create/",
  methods: ["get", "post"],
  tag: "Calendars",
  summary: "Create a calendar",
  description:
    "Makes a calendar and returns it with its counters at `0`. The server also accepts a request without `timezone` " +
    "and takes `America/Los_Angeles` (rulings R4.7).",
  auth: "token",
  params: z.object({
    ...calendarParams,
    description: parameter.description
      .optional()
      .meta({ description: "Description of the calendar.", example: "Open air, free entry." }),
  }),
  defaults,
  payload: z.object({ calendar }),
  errors: [],
  example: {
    request: { title: "Summer concerts", timezone: exampleZone, description: "Open air, free entry." },
    payload: { calendar: { ...exampleCalendar, timezone: exampleZone } },
  },
});

export const saveCalendar = operation({
  section: "4.3",
  path: "/api/v1/calendars/save/",
  methods: ["get", "post"],
  tag: "Calendars",
  summary: "Save a calendar",
  description:
    "Replaces the calendar's fields: a parameter with a default takes it when absent or empty. `description` keeps its " +
    "value when absent and is cleared when sent empty (rulings R4.6).",
  auth: "token",
  params: z.object({
    calendar_id: ids.calendar,
    ...calendarParams,
    description: parameter.description.optional().meta({
      description: "Description of the calendar. Absent keeps it, empty clears it.",
      example: "Open air, free entry.",
    }),
  }),
  defaults,
  clearable: ["description"],
  payload: z.object({ calendar: savedCalendar }),
  errors: ["calendar_not_found"],
  example: {
    request: { calendar_id: "1", title: "Summer concerts", timezone: exampleZone },
    payload: { calendar: { ...exampleCalendar, date_modified: 1782997200 } },
  },
});

export const deleteCalendar = operation({
  section: "4.4",
  path: "/api/v1/calendars/delete/",
  methods: ["get", "post"],
  tag: "Calendars",
  summary: "Delete a calendar",
  description: "Deletes the calendar with its events and subscribers. This cannot be undone.",
  auth: "token",
  params: z.object({ calendar_id: ids.calendar }),
  payload: z.object({
    calendar: z
      .object({ id: ids.calendar, status: answer.deleted })
      .meta({ id: "DeletedCalendar", description: "A calendar that was deleted (service.md 2.3)." }),
  }),
  errors: ["calendar_not_found"],
  example: { request: { calendar_id: "1" }, payload: { calendar: { id: "1", status: "deleted" } } },
});
