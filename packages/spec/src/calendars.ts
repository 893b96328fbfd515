import * as z from "zod";
import { payloadExample, requestExample } from "./example.js";
import { answer, ids, parameter } from "./fields.js";
import { type Operation, operation, pagingSchema } from "./operation.js";

/** Without `timezone` (contract 2.3). */
const savedCalendar = z
  .object({
    id: ids.calendar,
    uniquekey: z
      .string()
      .regex(/^[a-z0-9]{12}$/)
      .meta({
        description: "Short unique key of the calendar, used in its public address `/c/{uniquekey}`.",
        example: "k3m9x7q2w8ra",
      }),
    calendarname: z.string().meta({ description: "Name of the calendar.", example: "Concerts" }),
    title: z.string().meta({ description: "Title of the calendar.", example: "Summer concerts" }),
    description: z.string().meta({
      description: "Description of the calendar. Line breaks are `\\r\\n`; empty when not set.",
      example: "Open air, free entry.",
    }),
    followers_active: answer.count.meta({
      description: "Number of subscribers that are active and not blocked, as a string.",
    }),
    followers_total: answer.count.meta({ description: "Number of all subscribers, as a string." }),
    events_total: answer.count.meta({ description: "Number of events in the calendar, as a string." }),
    palette_id: answer.paletteId.meta({ description: "Id of the colour palette.", example: "1" }),
    date_create: answer.unixTime.meta({ description: "Time of creation: Unix time in seconds." }),
    date_modified: answer.unixTime.meta({ description: "Time of the last save: Unix time in seconds." }),
  })
  .meta({
    id: "SavedCalendar",
    description: "A calendar as save returns it: a `Calendar` without `timezone`.",
  });

const calendar = z
  .object({
    ...savedCalendar.shape,
    timezone: answer.zone.meta({
      description: "Time zone label of the calendar, as it was sent.",
      example: "America/New_York",
    }),
  })
  .meta({
    id: "Calendar",
    description: "A calendar as list and create return it. Counters are strings, times are integers.",
  });

/** Parameters of create and save (contract 4.2). */
const calendarParams = {
  title: parameter.title.meta({
    description: "Title of the calendar. It must hold more than white space.",
    example: "Summer concerts",
  }),
  calendarname: parameter.short.optional().meta({
    description: "Name of the calendar. Without a value it is the title.",
    example: "Concerts",
  }),
  timezone: parameter.zone.meta({
    description:
      "Time zone label of `listTimeZones`, or any other name or alias of the IANA database. Without a value it is " +
      "`America/Los_Angeles`.",
    default: "America/Los_Angeles",
    example: "America/New_York",
  }),
  palette_id: parameter.paletteId.optional(),
};

function description(onSave: string) {
  return parameter.description.optional().meta({
    description: `Description of the calendar. A line feed or the two characters \`\\n\` are a line break.${onSave}`,
    example: "Open air, free entry.",
  });
}

/** The document marks `timezone` mandatory, as the contract does; without a value it takes this one (rulings R4.7). */
const defaults = { timezone: "America/Los_Angeles" };

const listParams = z.object({ page: parameter.page.optional() });
const listPayload = z.object({
  calendars: z
    .array(calendar)
    .meta({ description: "The calendars of this page, most recently saved first." }),
  paging: pagingSchema,
});

const createParams = z.object({ ...calendarParams, description: description("") });
const createPayload = z.object({ calendar });

const saveParams = z.object({
  calendar_id: ids.calendar,
  ...calendarParams,
  description: description(" When absent it is kept, when empty it is cleared."),
});
const savePayload = z.object({ calendar: savedCalendar });

const deleteParams = z.object({ calendar_id: ids.calendar });
const deletePayload = z.object({
  calendar: z
    .object({ id: ids.calendar, status: answer.deleted })
    .meta({ id: "DeletedCalendar", description: "The id of a calendar that was deleted." }),
});

/** What the writes share (rulings R1.1). */
const write = {
  kind: "write",
  methods: ["get", "post"],
  codeType: "string",
  tag: "Calendars",
  auth: "token",
} as const;

export const calendarOperations = {
  listCalendars: operation({
    section: "4.1",
    path: "/api/v1/calendars/list/",
    kind: "read",
    methods: ["get"],
    codeType: "string",
    tag: "Calendars",
    summary: "List calendars",
    returns: "A page of the calendars of the account.",
    description: "Returns the calendars of the account, most recently saved first, in pages.",
    auth: "token",
    params: listParams,
    payload: listPayload,
    errors: [],
    example: {
      request: requestExample(listParams),
      payload: payloadExample(listPayload),
      mistake: { page: "0" },
    },
  }),
  createCalendar: operation({
    ...write,
    section: "4.2",
    path: "/api/v1/calendars/create/",
    summary: "Create a calendar",
    returns: "The created calendar.",
    description:
      "Creates a calendar and returns it; its counters are `0`. `timezone` is required by the contract, but a request " +
      "without it is accepted and takes `America/Los_Angeles`.",
    params: createParams,
    defaults,
    payload: createPayload,
    errors: [],
    example: {
      request: requestExample(createParams),
      payload: payloadExample(createPayload),
      mistake: { title: "", palette_id: "11" },
    },
  }),
  saveCalendar: operation({
    ...write,
    section: "4.3",
    path: "/api/v1/calendars/save/",
    summary: "Save a calendar",
    returns: "The saved calendar, without its time zone.",
    description:
      "Replaces the fields of a calendar and returns it, without `timezone`. A parameter with a default takes the default when " +
      "it is absent or empty; `description` is kept when absent and cleared when empty.",
    params: saveParams,
    defaults,
    clearable: ["description"],
    payload: savePayload,
    errors: ["calendar_not_found"],
    example: {
      request: requestExample(saveParams),
      payload: payloadExample(savePayload, { calendar: { date_modified: 1782997200 } }),
      mistake: { calendar_id: "abc", timezone: "Mars/Olympus Mons" },
    },
  }),
  deleteCalendar: operation({
    ...write,
    section: "4.4",
    path: "/api/v1/calendars/delete/",
    summary: "Delete a calendar",
    returns: "The id of the deleted calendar.",
    description:
      "Deletes a calendar with its events and subscribers. This cannot be undone; a second delete answers 404.",
    params: deleteParams,
    payload: deletePayload,
    errors: ["calendar_not_found"],
    example: {
      request: requestExample(deleteParams),
      payload: payloadExample(deletePayload),
      mistake: { calendar_id: "" },
    },
  }),
} satisfies Record<string, Operation>;
