import * as z from "zod";
import { access } from "./access.js";
import {
  answer,
  clearable,
  count,
  customData,
  customDataFilters,
  customDataParameter,
  ids,
  instant,
  parameter,
} from "./fields.js";
import {
  accentParameter,
  listedParameter,
  pictureParameters,
  shownAccent,
  shownPicture,
} from "./look-fields.js";
import {
  contractRead,
  contractWrite,
  extensionRead,
  extensionWrite,
  operation,
  type OperationTable,
  pagingSchema,
} from "./operation.js";

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

const shownCover = shownPicture("the cover, for which that of the account stands where it has none");

/** A calendar, everywhere in the extensions. */
export const calendarDetails = z
  .object({
    id: ids.calendar,
    uniquekey: z.string().meta({
      description: "Short unique key of the calendar, used in its public address `/c/{uniquekey}`.",
      example: "k3m9x7q2w8ra",
    }),
    calendarname: z.string().meta({ description: "Name of the calendar.", example: "Concerts" }),
    title: z.string().meta({ description: "Title of the calendar.", example: "Summer concerts" }),
    description: z.string().meta({
      description: "Description of the calendar; empty when not set.",
      example: "Open air, free entry.",
    }),
    timezone: z
      .string()
      .meta({ description: "Time zone label of the calendar.", example: "America/New_York" }),
    palette_id: z.string().meta({ description: "Id of the colour palette.", example: "1" }),
    accent: shownAccent,
    picture_id: shownCover.id,
    picture_alt: shownCover.alt,
    listed: z.boolean().meta({ description: "Whether the account's portal shows it.", example: false }),
    custom_data: customData,
    followers_active: count.meta({
      description: "Number of subscribers that are active and not blocked.",
      example: 0,
    }),
    followers_total: count.meta({ description: "Number of all subscribers.", example: 0 }),
    events_total: count.meta({ description: "Number of events in the calendar.", example: 0 }),
    feed_omits: z.enum(["nothing", "past", "upcoming"]).meta({
      description:
        "Which events the feed omits, because with all of them it would be larger than 1,000,000 bytes: `nothing`, the oldest of the " +
        "`past` ones, or all past and the most distant `upcoming` ones. As the feed was when it was last read in full.",
      example: "nothing",
    }),
    date_create: instant.meta({ description: "Time of creation.", example: "2026-07-02T12:00:00Z" }),
    date_modified: instant.meta({ description: "Time of the last save.", example: "2026-07-02T12:00:00Z" }),
  })
  .meta({ id: "CalendarDetails", description: "A calendar. Counters are integers, times are ISO 8601." });

export const calendarPayload = z.object({ calendar: calendarDetails });
const detailsParams = z.object({ calendar_id: ids.calendar });

const findParams = z.object({ ...customDataFilters, page: parameter.page.optional() });
const findPayload = z.object({
  calendars: z
    .array(calendarDetails)
    .meta({ description: "The calendars of this page, most recently saved first." }),
  paging: pagingSchema,
});

/** The cover of a calendar on the pages of its account (extensions X11.1). */
const cover = pictureParameters("the cover");
const look = {
  accent: accentParameter,
  picture_id: cover.id,
  picture_alt: cover.alt,
  listed: listedParameter,
};

const addParams = z.object({
  ...calendarParams,
  timezone: calendarParams.timezone.optional(),
  description: description(""),
  ...look,
  custom_data: customDataParameter.optional(),
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
  ...look,
  custom_data: customDataParameter.optional(),
});

const tag = "Calendars";

export const calendarOperations = {
  listCalendars: operation({
    ...contractRead,
    tag,
    section: "4.1",
    path: "/api/v1/calendars/list/",
    summary: "List calendars",
    returns: "A page of the calendars of the account.",
    description: "Returns the calendars of the account, most recently saved first, in pages.",
    params: listParams,
    payload: listPayload,
    errors: [],
    example: { mistake: { page: "0" } },
  }),
  createCalendar: operation({
    ...contractWrite,
    tag,
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
    example: { mistake: { title: "", palette_id: "11" } },
  }),
  saveCalendar: operation({
    ...contractWrite,
    tag,
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
      answers: { calendar: { date_modified: 1782997200 } },
      mistake: { calendar_id: "abc", timezone: "Mars/Olympus Mons" },
    },
  }),
  deleteCalendar: operation({
    ...contractWrite,
    tag,
    section: "4.4",
    path: "/api/v1/calendars/delete/",
    summary: "Delete a calendar",
    returns: "The id of the deleted calendar.",
    description:
      "Deletes a calendar with its events and subscribers. This cannot be undone; a second delete answers 404.",
    params: deleteParams,
    payload: deletePayload,
    errors: ["calendar_not_found"],
    example: { mistake: { calendar_id: "" } },
  }),
  calendarsList: operation({
    ...extensionRead,
    tag,
    section: "custom-data",
    access: access.listed,
    path: "/api/kalends/v1/calendars/list/",
    summary: "Find calendars",
    returns: "A page of the calendars of the account.",
    description:
      "Returns the calendars of the account in pages, most recently saved first, in the shape of the extensions, and filtered by " +
      "`custom_data` where asked.",
    params: findParams,
    payload: findPayload,
    errors: [],
    example: { sends: ["custom_data_key", "custom_data_value"], mistake: { page: "0" } },
  }),
  calendarsDetails: operation({
    ...extensionRead,
    tag,
    section: "change-a-calendar",
    access: access.viewer,
    path: "/api/kalends/v1/calendars/details/",
    summary: "Get a calendar",
    returns: "The calendar.",
    description: "Returns one calendar.",
    params: detailsParams,
    payload: calendarPayload,
    errors: ["calendar_not_found"],
    example: { mistake: { calendar_id: "abc" } },
  }),
  calendarsCreate: operation({
    ...extensionWrite,
    tag,
    section: "create-and-delete",
    access: access.ownerOfAll,
    path: "/api/kalends/v1/calendars/create/",
    summary: "Add a calendar",
    returns: "The created calendar.",
    description:
      "Creates a calendar, as the contract's `createCalendar` does, with `custom_data` too. Only its title is required.",
    params: addParams,
    defaults,
    structured: { custom_data: "object" },
    payload: calendarPayload,
    errors: [],
    example: {
      sends: ["title", "timezone"],
      answers: { calendar: { calendarname: "Summer concerts", description: "" } },
      mistake: { title: "", palette_id: "11" },
    },
  }),
  calendarsUpdate: operation({
    ...extensionWrite,
    tag,
    section: "change-a-calendar",
    access: access.editor,
    path: "/api/kalends/v1/calendars/update/",
    summary: "Change a calendar",
    returns: "The changed calendar.",
    description: "Changes the fields of a calendar that are sent, and no others; an empty value clears.",
    params: updateParams,
    structured: { custom_data: "object" },
    clearable: [
      "title",
      "calendarname",
      "timezone",
      "palette_id",
      "description",
      ...Object.keys(look),
      "custom_data",
    ],
    partial: true,
    payload: calendarPayload,
    errors: ["calendar_not_found"],
    example: {
      sends: ["calendar_id", "description"],
      answers: { calendar: { date_modified: "2026-07-02T13:00:00Z" } },
      mistake: { palette_id: "11" },
    },
  }),
  calendarsDelete: operation({
    ...extensionWrite,
    tag,
    section: "create-and-delete",
    access: access.owner,
    path: "/api/kalends/v1/calendars/delete/",
    summary: "Remove a calendar",
    returns: "The id of the deleted calendar.",
    description:
      "Deletes a calendar with its events and subscribers, as the contract's `deleteCalendar` does.",
    params: deleteParams,
    payload: deletePayload,
    errors: ["calendar_not_found"],
    example: { mistake: { calendar_id: "abc" } },
  }),
} satisfies OperationTable;
