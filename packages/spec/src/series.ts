import * as z from "zod";
import { addParams, eventClearable, updateParams } from "./events.js";
import { rule as stated } from "./failures.js";
import { count, ids, wallClock } from "./fields.js";
import { extensionWrite, operation, type OperationTable } from "./operation.js";

const rrule = z
  .string()
  .max(1000, "must be at most 1000 characters")
  .regex(/^[A-Za-z0-9:=;,+-]*$/, "must have the form FREQ=WEEKLY;BYDAY=MO,WE, without blanks")
  .meta({
    description:
      "Recurrence rule (RFC 5545, section 3.3.10), on the wall clock of the time zone: `FREQ` is `DAILY`, `WEEKLY`, `MONTHLY` or `YEARLY`. It " +
      "makes at most 366 events within 100 years. With neither `COUNT` nor `UNTIL` it is endless: events are made two years ahead, at most 366, and a few " +
      "more each day.",
    example: "FREQ=MONTHLY;BYDAY=1MO",
  });

const place =
  "(19|[2-9][0-9])[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?)?";
const places = z
  .string()
  .regex(
    new RegExp(`^(${place}(,${place})*)?$`),
    stated("not_a_date", "must be real dates as YYYY-MM-DDTHH:MM or YYYY-MM-DD, with commas between them"),
  )
  .refine((text) => text.split(",").length <= 366, {
    message: stated("too_many", "must be at most 366 dates", 366),
  });

const listed =
  "at most 366. In a form, with commas between them. A date alone means the start time of the series.";
const listMeta = { type: "array", items: { type: "string" } } as const;
const rdate = places.meta({
  ...listMeta,
  description: `Starts of further events: \`YYYY-MM-DDTHH:MM\` on the wall clock of the series, ${listed}`,
  example: ["2026-12-21T13:30"],
});
const exdate = places.meta({
  ...listMeta,
  description: `Starts that are left out, although \`rrule\` names them: \`YYYY-MM-DDTHH:MM\` on the wall clock of the series, ${listed}`,
  example: ["2026-09-07T13:30"],
});
const rule = { rrule: rrule.optional(), rdate: rdate.optional(), exdate: exdate.optional() };

const scope = z.enum(["this", "following", "all"], "must be this, following or all").meta({
  description:
    "Which events: `this` is the one event, `following` it and those after it, `all` those of the whole series.",
  example: "following",
});

const seriesId = ids.event.meta({ description: "Id of the series: digits, as a string.", example: "1" });
const starts = z.array(wallClock);
const eventIds = z.array(ids.event);

/** A series, everywhere in the extensions. */
const series = z
  .object({
    id: seriesId,
    calendar_id: ids.calendar,
    rrule: z.string().meta({
      description: "The rule as it was given; empty when there is none.",
      example: "FREQ=MONTHLY;BYDAY=1MO",
    }),
    rdate: starts.meta({ description: "Starts of further events.", example: [] }),
    exdate: starts.meta({ description: "Starts that were left out.", example: ["2026-09-07T13:30"] }),
    shift_minutes: z.int().meta({
      description:
        "How much later its events start than `rrule` says, since they were moved after it was given; negative when earlier.",
      format: "int64",
      example: 0,
    }),
    timezone: z.string().meta({ description: "Time zone label of the series.", example: "America/New_York" }),
    all_day_event: z.boolean().meta({ description: "Whether its events take whole days.", example: false }),
    endless: z.boolean().meta({ description: "Whether more events are made each day.", example: true }),
    events_count: count.meta({ description: "How many events it has now.", example: 24 }),
  })
  .meta({
    id: "Series",
    description: "Events that repeat. Each is an event like any other, with its `series_id`.",
  });

const payload = z.object({
  series,
  event_ids: eventIds.meta({
    description: "The events that were created or changed, soonest first.",
    example: ["7", "8"],
  }),
});

const createSeriesParams = addParams.extend({ ...rule, rrule: rrule.min(1) });
const updateSeriesParams = z.object({
  event_id: ids.event,
  scope,
  ...updateParams.omit({ event_id: true }).shape,
  ...rule,
});
const deleteSeriesParams = z.object({ event_id: ids.event, scope });
const deletedPayload = z.object({
  status: z.literal("deleted").meta({ description: "Always `deleted`.", example: "deleted" }),
  event_ids: eventIds.meta({
    description: "The events that were deleted, soonest first.",
    example: ["7", "8"],
  }),
});

const shared = { ...extensionWrite, tag: "Events", section: "repeat-an-event" } as const;
const written = {
  structured: { custom_data: "object", categories: "list", rdate: "list", exdate: "list" },
  trimmed: ["rdate", "exdate"],
} as const;

export const seriesOperations = {
  createSeries: operation({
    ...shared,
    path: "/api/kalends/v1/events/series/create/",
    summary: "Add a series of events",
    returns: "The series and the ids of its events.",
    description:
      "Creates an event and those that repeat it by `rrule` and `rdate`. The parameters of the event are those of `addEvent`. The first event is " +
      "always one of the series, also when `rrule` does not name its start.",
    params: createSeriesParams,
    ...written,
    payload,
    errors: ["calendar_not_found"],
    example: { sends: ["calendar_id", "title", "start_date", "rrule"], mistake: { rrule: "every monday" } },
  }),
  updateSeries: operation({
    ...shared,
    path: "/api/kalends/v1/events/series/update/",
    summary: "Change events of a series",
    returns: "The series and the ids of the changed events.",
    description:
      "Changes the fields that are sent in this event of a series, in it and those that follow, or in all. Fields that are not sent stay, also where a " +
      "single event has its own. A new `start_date` moves all of them by the same time on the wall clock. `following` makes a series of its own of the " +
      "events that it changes.",
    params: updateSeriesParams,
    ...written,
    clearable: [...eventClearable, "rrule", "rdate", "exdate"],
    partial: true,
    ifMatch: true,
    payload,
    errors: ["event_not_found"],
    example: { sends: ["event_id", "scope", "location"], mistake: { scope: "some" } },
  }),
  deleteSeries: operation({
    ...shared,
    path: "/api/kalends/v1/events/series/delete/",
    summary: "Delete events of a series",
    returns: "The ids of the deleted events.",
    description:
      "Deletes this event of a series, it and those that follow, or all. An endless series ends with `following`.",
    params: deleteSeriesParams,
    ifMatch: true,
    payload: deletedPayload,
    errors: ["event_not_found"],
    example: { mistake: { event_id: "abc" } },
  }),
} satisfies OperationTable;
