import * as z from "zod";
import { payloadExample, requestExample } from "../example.js";
import { clearable, ids, parameter } from "../fields.js";
import { type Operation, operation, pagingSchema } from "../operation.js";
import { calendarDetails, customDataFilters, customDataParameter } from "./fields.js";

const calendarPayload = z.object({ calendar: calendarDetails });
const detailsParams = z.object({ calendar_id: ids.calendar });

const listParams = z.object({ ...customDataFilters, page: parameter.page.optional() });
const listPayload = z.object({
  calendars: z
    .array(calendarDetails)
    .meta({ description: "The calendars of this page, most recently saved first." }),
  paging: pagingSchema,
});

const updateParams = z.object({
  calendar_id: ids.calendar,
  title: parameter.title
    .optional()
    .meta({ description: "Title of the calendar. It cannot be cleared.", example: "Summer concerts" }),
  calendarname: parameter.short.optional().meta({
    description: "Name of the calendar. An empty value means its title.",
    example: "Concerts",
  }),
  timezone: clearable.zone.optional().meta({
    description:
      "Time zone label. Events keep the zone that they have. An empty value means `America/Los_Angeles`.",
    example: "America/New_York",
  }),
  palette_id: clearable.paletteId.optional().meta({
    description: "Id of a colour palette, `1` to `10`. An empty value means `1`.",
    example: "1",
  }),
  description: parameter.description.optional().meta({
    description: "Description of the calendar. An empty value clears it.",
    example: "Open air, free entry.",
  }),
  custom_data: customDataParameter.optional(),
});

const shared = { codeType: "string", tag: "Calendars", auth: "token" } as const;

export const calendarExtensions = {
  findCalendars: operation({
    ...shared,
    kind: "read",
    methods: ["get"],
    section: "custom-data",
    path: "/api/kalends/v1/calendars/list/",
    summary: "Find calendars",
    returns: "A page of the calendars of the account.",
    description:
      "Returns the calendars of the account in pages, most recently saved first, in the shape of the extensions, and filtered by " +
      "`custom_data` where asked.",
    params: listParams,
    payload: listPayload,
    errors: [],
    example: {
      request: requestExample(listParams, "custom_data_key", "custom_data_value"),
      payload: payloadExample(listPayload),
      mistake: { page: "0" },
    },
  }),
  getCalendar: operation({
    ...shared,
    kind: "read",
    methods: ["get"],
    section: "change-a-calendar",
    path: "/api/kalends/v1/calendars/details/",
    summary: "Get a calendar",
    returns: "The calendar.",
    description: "Returns one calendar.",
    params: detailsParams,
    payload: calendarPayload,
    errors: ["calendar_not_found"],
    example: {
      request: requestExample(detailsParams),
      payload: payloadExample(calendarPayload),
      mistake: { calendar_id: "abc" },
    },
  }),
  updateCalendar: operation({
    ...shared,
    kind: "write",
    methods: ["post"],
    section: "change-a-calendar",
    path: "/api/kalends/v1/calendars/update/",
    summary: "Change a calendar",
    returns: "The changed calendar.",
    description: "Changes the fields of a calendar that are sent, and no others; an empty value clears.",
    params: updateParams,
    structured: { custom_data: "object" },
    clearable: ["title", "calendarname", "timezone", "palette_id", "description", "custom_data"],
    partial: true,
    payload: calendarPayload,
    errors: ["calendar_not_found"],
    example: {
      request: requestExample(updateParams, "calendar_id", "description"),
      payload: payloadExample(calendarPayload, { calendar: { date_modified: "2026-07-02T13:00:00Z" } }),
      mistake: { palette_id: "11" },
    },
  }),
} satisfies Record<string, Operation>;
