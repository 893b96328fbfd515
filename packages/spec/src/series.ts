import * as z from "zod";
import { access } from "./access.js";
import { draftParams, newsParams } from "./event-filters.js";
import { eventClearable } from "./event-fields.js";
import { addParams, updateParams } from "./events.js";
import { rule as stated } from "./failures.js";
import { count, ids, parameter, wallClock } from "./fields.js";
import { mostOfSeries } from "./limits.js";
import { extensionRead, extensionWrite, operation, type OperationTable } from "./operation.js";

const { events: most } = mostOfSeries;

const rrule = z
  .string()
  .max(1000, "must be at most 1000 characters")
  .regex(/^[A-Za-z0-9:=;,+-]*$/, "must have the form FREQ=WEEKLY;BYDAY=MO,WE, without blanks")
  .meta({
    description:
      "Recurrence rule (RFC 5545, section 3.3.10), on the wall clock of the time zone: `FREQ` is `DAILY`, `WEEKLY`, `MONTHLY` or `YEARLY`. It " +
      `makes at most ${most} events within 100 years. With neither \`COUNT\` nor \`UNTIL\` it is endless: events are made two years ahead, at most ${most}, and a few ` +
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
  .refine((text) => text.split(",").length <= most, {
    message: stated("too_many", `must be at most ${most} dates`, most),
  });

const listed = `at most ${most}. In a form, with commas between them. A date alone means the start time of the series.`;
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

const dryRunParameter = z.enum(["true", "false"], "must be true or false").meta({
  description:
    "`true` changes nothing and returns what the same request without it would do, or its error. Without a value, `false`.",
  example: "false",
});

const clockNotes = z
  .array(
    z
      .object({
        date: wallClock.meta({
          description: "The start that the rule names, on the wall clock.",
          example: "2027-03-14T02:30",
        }),
        becomes: wallClock.meta({
          description: "The start of the event: another one where the clock skips that of the rule.",
          example: "2027-03-14T03:30",
        }),
        note: z.string().meta({
          description: "What the change of the clock does, in English.",
          example: "skipped by the clock change, becomes 03:30",
        }),
      })
      .meta({ id: "ClockNote", description: "A start that a change of the clock skips or repeats." }),
  )
  .meta({ description: "The starts that a change of the clock skips or repeats." });

const number = (description: string, example: number) => count.meta({ description, example });
const dates = (description: string, example: readonly string[]) =>
  starts.meta({ description, example: [...example] });

/** The result of a write or of its dry run (extensions X8.2). */
const outcome = z
  .object({
    created: number("How many events it would create.", 1),
    changed: number("How many events it would change.", 0),
    deleted: number("How many events it would delete.", 0),
    kept: number("How many events of the series would stay as they are.", 0),
    created_dates: dates("Starts of the events that it would create, soonest first.", ["2026-07-11T13:30"]),
    changed_dates: z
      .array(
        z
          .object({
            event_id: ids.event,
            from: wallClock.meta({ description: "Its start now.", example: "2026-07-04T13:30" }),
            to: wallClock.meta({ description: "Its start then.", example: "2026-07-04T14:30" }),
          })
          .meta({ id: "ChangedDate", description: "An event that would be changed." }),
      )
      .meta({ description: "The events that it would change, soonest first.", example: [] }),
    deleted_dates: dates("Starts of the events that it would delete, soonest first.", []),
    notes: clockNotes,
  })
  .meta({ id: "DryRun", description: "What a request would do." });
const dryRunResult = outcome.optional();

const payload = z.object({
  series,
  event_ids: eventIds.meta({
    description: "The events that were created or changed, soonest first.",
    example: ["7", "8"],
  }),
  dry_run: dryRunResult,
});

const withoutEventId = " Required unless `event_id` is given, and not accepted with it.";
const createSeriesParams = addParams.extend({
  ...draftParams,
  ...newsParams,
  calendar_id: ids.calendar.optional().meta({
    description: `Id of the calendar: digits, as a string.${withoutEventId}`,
    example: "1",
  }),
  title: addParams.shape.title.optional().meta({
    description: `Title of the events. It must hold more than white space.${withoutEventId}`,
    example: "Opening night",
  }),
  start_date: addParams.shape.start_date.optional().meta({
    description: `Start of the first event, in the forms of \`eventsCreate\`.${withoutEventId}`,
    example: "07/04/2026 01:30 PM",
  }),
  event_id: ids.event.optional().meta({
    description:
      "Id of an event that is in no series: it becomes the first one, and keeps its UID. Beside it only `rrule`, `rdate`, `exdate`, " +
      "`dry_run`, `tell` and `note` are accepted.",
    example: "7",
  }),
  ...rule,
  rrule: rrule.min(1),
  dry_run: dryRunParameter.optional(),
});
const updateSeriesParams = z.object({
  event_id: ids.event,
  scope,
  ...updateParams.omit({ event_id: true, calendar_id: true }).shape,
  ...rule,
  ...newsParams,
  dry_run: dryRunParameter.optional(),
});
const deleteSeriesParams = z.object({
  event_id: ids.event,
  scope,
  ...newsParams,
  dry_run: dryRunParameter.optional(),
});
const deletedPayload = z.object({
  status: z
    .literal("deleted")
    .meta({ description: "Always `deleted`, with `dry_run=true` too.", example: "deleted" }),
  event_ids: eventIds.meta({
    description: "The events that were deleted, soonest first.",
    example: ["7", "8"],
  }),
  dry_run: dryRunResult,
});

const detailsParams = z.object({ series_id: seriesId });
const detailsPayload = z.object({
  series,
  first_event_id: z
    .string()
    .meta({ description: "Id of its soonest event; empty when it has none any more.", example: "7" }),
  upcoming_count: number("How many of its events have not begun.", 24),
  changed_event_ids: eventIds.meta({
    description:
      "The events that were changed by themselves: they differ from what the series has, soonest first.",
    example: ["8"],
  }),
  deleted_dates: dates("Starts that its rule names and whose events were deleted, soonest first.", [
    "2026-08-03T13:30",
  ]),
  left_out_count: number("How many dates of its rule an import left out after its last event.", 0),
  left_out_from: z.string().meta({
    description: "Start of the first of these; empty when there are none.",
    example: "",
  }),
  ends_on: z.string().meta({
    description:
      "Day of the last date of a series that `scope=following` has divided, as `YYYY-MM-DD`: its rule still says the end of the whole. Empty when " +
      "it was not divided, or never ends.",
    example: "",
  }),
});

const previewParams = z.object({
  start_date: addParams.shape.start_date,
  timezone: parameter.zone.meta({
    description: "Time zone label of the events.",
    example: "America/New_York",
  }),
  all_day_event: parameter.allDay.optional(),
  rrule: rrule.optional(),
  rdate: places.optional().meta({
    description: "Starts of further events, as of `eventsSeriesCreate`, with commas between them.",
    example: "2026-12-21T13:30",
  }),
  exdate: places.optional().meta({
    description: "Starts that are left out, as of `eventsSeriesCreate`, with commas between them.",
    example: "2026-09-07T13:30",
  }),
});
const mostPreviewed = 60;
const previewPayload = z.object({
  dates: dates(`The first ${mostPreviewed} starts, on the wall clock of the time zone.`, [
    "2026-07-04T13:30",
    "2026-08-03T13:30",
  ]),
  count: number("How many events `events/series/create/` would make now.", 25),
  endless: z.boolean().meta({ description: "Whether more events would be made each day.", example: true }),
  notes: clockNotes,
});

const shared = { ...extensionWrite, tag: "Events", section: "repeat-an-event" } as const;
const written = {
  structured: { custom_data: "object", categories: "list", rdate: "list", exdate: "list" },
  trimmed: ["rdate", "exdate"],
} as const;

const reading = { ...extensionRead, tag: "Events", section: "read-and-try-a-series" } as const;

export const seriesOperations = {
  eventsSeriesDetails: operation({
    ...reading,
    access: access.viewer,
    path: "/api/kalends/v1/events/series/details/",
    summary: "Get a series",
    returns: "The series, and what differs from its rule.",
    description:
      "Returns a series: its rule, its first event, how many are to come, which were changed by themselves and which were deleted.",
    params: detailsParams,
    payload: detailsPayload,
    errors: ["series_not_found"],
    example: { mistake: { series_id: "abc" } },
  }),
  eventsSeriesPreview: operation({
    ...reading,
    access: access.anyone,
    path: "/api/kalends/v1/events/series/preview/",
    summary: "Preview the dates of a rule",
    returns: "The dates of the rule.",
    description:
      "Returns the dates that a series would have, and which of them a change of the clock skips or repeats. It needs no calendar and " +
      "writes nothing.",
    params: previewParams,
    trimmed: ["rdate", "exdate"],
    payload: previewPayload,
    errors: [],
    example: { sends: ["start_date", "timezone", "rrule"], mistake: { rrule: "every monday" } },
  }),
  eventsSeriesCreate: operation({
    ...shared,
    access: access.editor,
    path: "/api/kalends/v1/events/series/create/",
    summary: "Add a series of events",
    returns: "The series and the ids of its events.",
    description:
      "Creates an event and those that repeat it by `rrule` and `rdate`. The parameters of the event are those of `eventsCreate`. The first event is " +
      "always one of the series, also when `rrule` does not name its start. With `event_id` an event that is there becomes the first one. " +
      "With `published=false` all of them are drafts.",
    params: createSeriesParams,
    ...written,
    payload,
    errors: ["calendar_not_found", "event_not_found"],
    example: {
      answers: { dry_run: null },
      sends: ["calendar_id", "title", "start_date", "rrule"],
      mistake: { rrule: "every monday" },
    },
  }),
  eventsSeriesUpdate: operation({
    ...shared,
    access: access.editor,
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
    example: {
      answers: { dry_run: null },
      sends: ["event_id", "scope", "location"],
      mistake: { scope: "some" },
    },
  }),
  eventsSeriesDelete: operation({
    ...shared,
    access: access.editor,
    path: "/api/kalends/v1/events/series/delete/",
    summary: "Delete events of a series",
    returns: "The ids of the deleted events.",
    description:
      "Deletes this event of a series, it and those that follow, or all. An endless series ends with `following`.",
    params: deleteSeriesParams,
    ifMatch: true,
    payload: deletedPayload,
    errors: ["event_not_found"],
    example: {
      answers: { dry_run: null },
      sends: ["event_id", "scope"],
      mistake: { event_id: "abc" },
    },
  }),
} satisfies OperationTable;
