import * as z from "zod";
import {
  answer,
  categoriesParameter,
  count,
  customData,
  customDataParameter,
  ids,
  instant,
  instantOrNone,
  parameter,
  statuses,
  statusParameter,
  wallClock,
} from "./fields.js";

import { pictureParameters, shownPicture as pictureOf, webAddress } from "./look-fields.js";

/** The texts that every form of an event has, that of the extensions too. */
export const eventTexts = {
  title: z.string().meta({ description: "Title of the event.", example: "Opening night" }),
  description: z.string().meta({
    description: "Description of the event. Line breaks are `\\r\\n`; empty when not set.",
    example: "Doors open at 13:00.\r\nBring a blanket.",
  }),
  location: z
    .string()
    .meta({ description: "Place of the event; empty when not set.", example: "Central Park, New York" }),
  organizer: z
    .string()
    .meta({ description: "Name of the organizer; empty when not set.", example: "Parks Department" }),
  organizer_email: z.string().meta({
    description: "E-mail address of the organizer; empty when not set.",
    example: "parks@example.com",
  }),
};

/** The reminder, in every form of an event. */
export const eventReminder = z
  .string()
  .regex(/^[0-9]*$/)
  .meta({ description: "Reminder, in minutes before the start; empty when not set.", example: "30" });

/** Fields that the list form and the create/save form share (contract 2.4). */
const shared = {
  ...eventTexts,
  date_start: answer.date.meta({
    description: "Start date, `MM/DD/YYYY`, on the wall clock of the event's time zone.",
  }),
  date_start_time: answer.clock.meta({
    description: "Start time, `HH:MM:SS` on a 24-hour clock.",
    example: "13:30:00",
  }),
  date_start_ampm: answer.meridiem.meta({
    description: "`AM` when the event starts before noon, else `PM`; the start time does not depend on it.",
  }),
  date_end: answer.date.meta({
    description: "End date, `MM/DD/YYYY`, on the wall clock of the event's time zone.",
  }),
  date_end_time: answer.clock.meta({
    description: "End time, `HH:MM:SS` on a 24-hour clock.",
    example: "14:30:00",
  }),
  date_end_ampm: answer.meridiem.meta({
    description: "`AM` when the event ends before noon, else `PM`; the end time does not depend on it.",
  }),
  all_day_event: answer.flag.meta({
    description: "Whether the event takes whole days, as a string.",
    example: "false",
  }),
  date_format: z.string().meta({
    description: "Format of `date_start` and `date_end`.",
    example: "MM/DD/YYYY",
  }),
  timezone: answer.zone.meta({
    description: "Time zone label of the event, as it was sent, or that of the calendar.",
    example: "America/New_York",
  }),
  reminder: eventReminder,
  date_create: answer.unixTime.meta({ description: "Time of creation: Unix time in seconds." }),
  date_modified: answer.unixTime.meta({ description: "Time of the last save: Unix time in seconds." }),
  updated_times: answer.count.meta({
    description: "How often the event was saved, as a string: `0` after creation.",
  }),
};

const colour = answer.colorId.meta({
  description: "Number of the colour in the calendar's palette, `1` to `20`; empty when not set.",
  example: "4",
});

export const listedEvent = z
  .object({
    id: ids.event,
    ...shared,
    date_start_unix: answer.unixTime.meta({
      description: "Start: Unix time in seconds.",
      example: 1783186200,
    }),
    date_end_unix: answer.unixTime.meta({ description: "End: Unix time in seconds.", example: 1783189800 }),
    color: colour,
  })
  .meta({
    id: "CalendarEventListItem",
    description:
      "An event as the list returns it: `id` is a string, the colour is `color`, and start and end are there as Unix time too.",
  });

export const savedEvent = z
  .object({
    id: z
      .int()
      .min(1)
      .meta({ description: "Id of the event, an integer here.", format: "int64", example: 7 }),
    calendar: ids.calendar,
    ...shared,
    color_id: colour,
  })
  .meta({
    id: "CalendarEvent",
    description:
      "An event as create and save return it: `id` is an integer, the colour is `color_id`, `calendar` is the id of the calendar.",
  });

/** Parameters of create and save (contract 4.6), except the five that behave differently on save. */
export const eventParams = {
  title: parameter.title.meta({
    description: "Title of the event. It must hold more than white space.",
    example: "Opening night",
  }),
  timezone: parameter.zone.optional().meta({
    description:
      "Time zone label of `listTimeZones`, or any other name or alias of the IANA database. Without a value it is the time zone " +
      "of the calendar.",
    example: "America/New_York",
  }),
  color_id: parameter.colorId.optional().meta({
    description:
      "Number of a colour in the calendar's palette, `1` to `20`, or fewer where the palette has fewer. Without a value the event " +
      "has no colour.",
    example: "4",
  }),
  start_date: parameter.startDate.meta({
    description:
      "Start on the wall clock of the event's time zone: `MM/DD/YYYY HH:MM`, optionally followed by `AM` or `PM`. Also accepted: " +
      "`MM/DD/YYYY HH:MM:SS`, `YYYY-MM-DD HH:MM`, `YYYY-MM-DDTHH:MM`, both with seconds too, which are dropped; on all-day events " +
      "a date alone. Offsets and `Z` are not accepted.",
    example: "07/04/2026 01:30 PM",
  }),
  end_date: parameter.startDate.optional().meta({
    description:
      "End, in the formats of `start_date` and not before it. Without a value it is one hour after the start.",
    example: "07/04/2026 02:30 PM",
  }),
  all_day_event: parameter.allDay.optional(),
};

type FreeParameter = "description" | "location" | "organizer" | "organizer_email" | "reminder";

/** The parameters without a default: on save, absent keeps the value and empty clears it (rulings R4.6). */
export function freeParams(onSave: string): Readonly<Record<FreeParameter, z.ZodOptional<z.ZodString>>> {
  return {
    description: parameter.description.optional().meta({
      description: `Description of the event. A line feed or the two characters \`\\n\` are a line break.${onSave}`,
      example: "Doors open at 13:00.\\nBring a blanket.",
    }),
    location: parameter.short.optional().meta({
      description: `Place of the event.${onSave}`,
      example: "Central Park, New York",
    }),
    organizer: parameter.short.optional().meta({
      description: `Name of the organizer.${onSave}`,
      example: "Parks Department",
    }),
    organizer_email: parameter.email.optional().meta({
      description: `E-mail address of the organizer, without a display name.${onSave}`,
      example: "parks@example.com",
    }),
    reminder: parameter.reminder.optional().meta({
      description: `Reminder, in minutes before the start: \`0\` to \`40320\`, which is 28 days.${onSave}`,
      example: "30",
    }),
  };
}

const [sentPicture, shownPicture] = [pictureParameters("the picture"), pictureOf("the picture")];

/** Parameters that only the extensions have. */
export const eventExtras = {
  status: statusParameter.optional(),
  custom_data: customDataParameter.optional(),
  categories: categoriesParameter.optional(),
  url: webAddress.optional().meta({
    description:
      "Where more is said of it, such as tickets: an `https` URL of up to 1,000 characters. An empty value clears it.",
    example: "https://tickets.example/opening-night",
  }),
  picture_id: sentPicture.id,
  picture_alt: sentPicture.alt,
};

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
  "url",
  "picture_id",
  "picture_alt",
];

/** An event, everywhere in the extensions (extensions X1.3). */
export const event = z
  .object({
    id: ids.event,
    calendar_id: ids.calendar,
    uid: z.string().meta({
      description: "UID of the event in feeds (RFC 5545, section 3.8.4.7). It never changes.",
      example: "0f8fad5b-d9cb-469f-a165-70867728950e",
    }),
    series_id: z
      .string()
      .meta({ description: "Id of the series; empty when it belongs to none.", example: "" }),
    sync_id: z.string().meta({
      description:
        "Id of the sync that has made it, as long as there is that sync; empty when there is none.",
      example: "",
    }),
    status: z.enum(statuses).meta({
      description: "Whether it takes place: `confirmed`, `tentative` or `cancelled`.",
      example: "confirmed",
    }),
    published: z
      .boolean()
      .meta({ description: "Whether followers see it: `false` for a draft.", example: true }),
    publish_at: instantOrNone.meta({
      description: "When the draft is published by itself; empty when never, and for what is published.",
      example: "",
    }),
    preview_url: z.string().meta({
      description: "Shows the draft to whoever has it; empty for what is published.",
      example: "",
    }),
    categories: z.array(z.string()).meta({
      description: "Names of what it is about; followers pick from those of the calendar.",
      example: ["Concerts", "Children"],
    }),
    ...eventTexts,
    url: z.string().meta({
      description: "Where more is said of it; empty when not set.",
      example: "https://tickets.example/opening-night",
    }),
    picture_id: shownPicture.id,
    picture_alt: shownPicture.alt,
    start_date: wallClock.meta({
      description:
        "Start on the wall clock of `timezone`: `YYYY-MM-DDTHH:MM`. An all-day event begins at its date.",
      example: "2026-07-04T13:30",
    }),
    end_date: wallClock.meta({
      description: "End on the wall clock of `timezone`. An all-day event ends with the day of its date.",
      example: "2026-07-04T14:30",
    }),
    timezone: z.string().meta({ description: "Time zone label of the event.", example: "America/New_York" }),
    start_at: instant.meta({ description: "Start as an instant, in UTC.", example: "2026-07-04T17:30:00Z" }),
    end_at: instant.meta({
      description:
        "End as an instant, in UTC. Of an all-day event it lies on its last day, with which it ends.",
      example: "2026-07-04T18:30:00Z",
    }),
    all_day_event: z.boolean().meta({ description: "Whether the event takes whole days.", example: false }),
    color_id: z.string().meta({
      description: "Number of the colour in the calendar's palette; empty when not set.",
      example: "4",
    }),
    reminder: eventReminder,
    custom_data: customData,
    date_create: instant.meta({ description: "Time of creation.", example: "2026-07-02T12:00:00Z" }),
    date_modified: instant.meta({ description: "Time of the last change.", example: "2026-07-02T12:00:00Z" }),
    updated_times: count.meta({
      description: "How often the event was changed: 0 after creation. `If-Match` takes it, in quotes.",
      example: 0,
    }),
  })
  .meta({ id: "Event", description: "An event. The names are those of the parameters that set them." });
