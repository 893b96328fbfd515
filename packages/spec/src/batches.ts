import * as z from "zod";
import { access } from "./access.js";
import { extensionFailure } from "./errors.js";
import { draftParams, newsParams } from "./event-filters.js";
import { eventClearable } from "./event-fields.js";
import { updateParams } from "./events.js";
import { rule as stated } from "./failures.js";
import { flag, ids, parameter, startDateRule } from "./fields.js";
import { mostOfBatch } from "./limits.js";
import { extensionWrite, operation, type OperationTable } from "./operation.js";

const named = "[1-9][0-9]{0,15}(:[0-9]{1,15})?";
const namesEachOnce = (text: string): boolean => {
  const found = text.split(",").map((item) => item.split(":", 1)[0]);
  return new Set(found).size === found.length;
};

const namesIds = (text: string): boolean =>
  text.split(",").every((item) => ids.event.safeParse(item.split(":", 1)[0]).success);
const eventsRule = stated(
  "not_an_id",
  "must be ids, each optionally with a colon and the event's updated_times, with commas between them",
);

const events = z
  .string()
  .regex(new RegExp(`^${named}(,${named})*$`), eventsRule)
  .refine(namesIds, { message: eventsRule })
  .refine((text) => text.split(",").length <= mostOfBatch.events, {
    message: stated("too_many", `must be at most ${mostOfBatch.events} events`, mostOfBatch.events),
  })
  .refine(namesEachOnce, { message: stated("repeated", "must name each event once") })
  .meta({
    type: "array",
    items: { type: "string" },
    description:
      `The events, at most ${mostOfBatch.events}: the id of each, or the id, a colon and the \`updated_times\` that you have read, so that an ` +
      "event that was changed since is not changed. In a form, with commas between them.",
    example: ["7:0", "8:3"],
  });

const shift = (unit: string, most: number): z.ZodString =>
  z
    .string()
    .regex(/^-?[0-9]{1,6}$/, stated("out_of_range", `must be a whole number from -${most} to ${most}`, most))
    .refine((text) => Math.abs(Number(text)) <= most, {
      message: stated("out_of_range", `must be a whole number from -${most} to ${most}`, most),
    })
    .meta({
      description: `Moves each event by so many ${unit} on its own wall clock; negative: to an earlier time. Its length stays.`,
    });

const {
  event_id: _event,
  start_date: _start,
  end_date: _end,
  all_day_event: _allDay,
  timezone: _zone,
  ...fields
} = updateParams.shape;

const batchParams = z.object({
  events,
  shift_days: shift("days", 36_525).optional().meta({ example: "7" }),
  shift_minutes: shift("minutes", 525_600).optional().meta({ example: "-30" }),
  delete: flag
    .optional()
    .meta({ description: "`true` deletes the events, and is sent without changes.", example: "false" }),
  ...fields,
  ...draftParams,
  ...newsParams,
  partial: flag.optional().meta({
    description: "`true` changes those that can be changed. Without a value, `false`: all of them or none.",
    example: "false",
  }),
  dry_run: flag.optional().meta({
    description: "`true` returns what would be done and changes nothing. Without a value, `false`.",
    example: "false",
  }),
});

const eventIds = z.array(ids.event);

const failed = z
  .object({
    event_id: ids.event,
    error_type: z.enum(["event_not_found", "event_changed", "event_replaced", "parameter_invalid"]).meta({
      description: "Why the event cannot be changed, as an error of `eventsUpdate` says it.",
      example: "event_changed",
    }),
    errors: z
      .array(extensionFailure)
      .meta({ description: "The parameters that this event does not allow; empty otherwise.", example: [] }),
  })
  .meta({ id: "FailedEvent", description: "An event that cannot be changed." });

const batchPayload = z.object({
  done: z.boolean().meta({
    description:
      "Whether the events were changed: not in a dry run, and not where one cannot be, unless `partial` is `true`.",
    example: true,
  }),
  event_ids: eventIds.meta({
    description:
      "The events that were changed, or can be where nothing was done, in the order of the request.",
    example: ["7"],
  }),
  failed: z
    .array(failed)
    .meta({ description: "The events that cannot be changed, in the order of the request." }),
});

const copyParams = z.object({
  event_id: ids.event,
  start_dates: z
    .string()
    .refine((text) => text.split(",").every((one) => parameter.startDate.safeParse(one).success), {
      message: startDateRule,
    })
    .refine((text) => text.split(",").length <= mostOfBatch.copies, {
      message: stated("too_many", `must be at most ${mostOfBatch.copies} dates`, mostOfBatch.copies),
    })
    .meta({
      type: "array",
      items: { type: "string" },
      description:
        `The starts of the copies, at most ${mostOfBatch.copies}, in the forms of \`eventsCreate\`, on the wall clock of the event's time zone. In a ` +
        "form, with commas between them.",
      example: ["2026-07-11T13:30", "2026-07-18T13:30"],
    }),
  calendar_id: ids.calendar.optional().meta({
    description: "Id of the calendar that gets the copies. Without a value, that of the event.",
    example: "1",
  }),
  published: flag.optional().meta({
    description: "`false`: the copies are drafts. Without a value they are where the event is one.",
    example: "false",
  }),
  ...newsParams,
});

const shared = { ...extensionWrite, tag: "Events", section: "many-at-once" } as const;

export const batchOperations = {
  eventsBatch: operation({
    ...shared,
    access: access.editor,
    path: "/api/kalends/v1/events/batch/",
    summary: "Change many events",
    returns: "What was done, and the events that cannot be changed.",
    description:
      "Moves, changes or deletes up to 500 events in one transaction. The fields that are sent change in each, as in `eventsUpdate`. When one of the " +
      "events cannot be changed, none is, and `failed` names each with the reason; with `partial=true` the others are.",
    params: batchParams,
    structured: { events: "list", custom_data: "object", categories: "list" },
    clearable: [...eventClearable.filter((name) => name in fields), "publish_at"],
    partial: true,
    payload: batchPayload,
    errors: ["calendar_not_found"],
    example: { sends: ["events", "shift_days"], mistake: { shift_days: "a week" } },
  }),
  eventsCopy: operation({
    ...shared,
    access: access.editor,
    path: "/api/kalends/v1/events/copy/",
    summary: "Copy an event",
    returns: "The ids of the copies.",
    description:
      "Creates copies of an event at other starts, in its calendar or in another one. Each has its fields, its length on the wall clock and a UID of its " +
      "own, and belongs to no series. A colour that the other calendar's palette lacks is left out.",
    params: copyParams,
    structured: { start_dates: "list" },
    payload: z.object({
      event_ids: eventIds.meta({
        description: "The copies, in the order of their starts in the request.",
        example: ["9", "10"],
      }),
    }),
    errors: ["calendar_not_found", "event_not_found"],
    example: { sends: ["event_id", "start_dates"], mistake: { start_dates: "next week" } },
  }),
} satisfies OperationTable;
