import * as z from "zod";
import { access } from "./access.js";
import { event } from "./event-fields.js";
import { newsParams } from "./event-filters.js";
import { ids, instant, parameter } from "./fields.js";
import { extensionRead, extensionWrite, operation, type OperationTable, pagingSchema } from "./operation.js";

const entryId = ids.event.meta({ description: "Id of the entry: digits, as a string.", example: "12" });

const change = z
  .object({
    field: z.string().meta({ description: "The parameter of `update/` that changes it.", example: "title" }),
    before: z.string().meta({
      description:
        "What it was, as that parameter takes it; of a long text an excerpt, with `…` where more was.",
      example: "Opening",
    }),
    after: z.string().meta({ description: "What it became.", example: "Opening night" }),
  })
  .meta({ id: "HistoryChange", description: "A field that a write changed." });

const author = z
  .object({
    kind: z
      .enum(["token", "person", "command_line", "sync", "service"])
      .meta({ description: "Who it was; `service`: the server by itself.", example: "person" }),
    id: z
      .string()
      .meta({ description: "Id of the token, the person or the sync; else empty.", example: "3" }),
    name: z.string().meta({
      description: "Name of the token or the person; empty for others, and to those who may not see people.",
      example: "Ada",
    }),
  })
  .meta({ id: "HistoryAuthor", description: "Who made a write." });

const entry = z
  .object({
    id: entryId,
    date: instant.meta({ description: "When it was made.", example: "2026-07-02T12:00:00Z" }),
    by: author,
    operation: z.string().meta({
      description: "The operation, such as `calendarsImport`; empty for a sync and the server itself.",
      example: "eventsUpdate",
    }),
    action: z
      .enum(["created", "changed", "moved", "deleted", "restored"])
      .meta({ description: "What became of it.", example: "changed" }),
    calendar_id: z
      .string()
      .meta({ description: "Id of the calendar; empty for the account itself.", example: "1" }),
    event_id: z
      .string()
      .meta({ description: "Id of the event; empty for the calendar or the account itself.", example: "7" }),
    title: z
      .string()
      .meta({ description: "Its title now; empty when it is removed.", example: "Opening night" }),
    series_id: z.string().meta({
      description: "The series of the event now; empty when it has none, or is removed.",
      example: "",
    }),
    start_date: z.string().meta({
      description:
        "When the event starts now, on the wall clock of its time zone; empty of a calendar, the account, and when it is removed.",
      example: "2026-07-04T13:30",
    }),
    changes: z.array(change).meta({ description: "The fields that were changed." }),
  })
  .meta({ id: "HistoryEntry", description: "What one write did to one event, or to a calendar." });

const shared = { section: "history", tag: "Events" } as const;

export const historyOperations = {
  historyList: operation({
    ...extensionRead,
    ...shared,
    access: access.listed,
    path: "/api/kalends/v1/history/list/",
    summary: "List who changed what",
    returns: "A page of the history, newest first.",
    description:
      "Returns what was written to the events and calendars of the account in the last 365 days, by whom, and what it was before.",
    params: z.object({
      calendar_id: ids.calendar.optional(),
      event_id: ids.event.optional(),
      person_id: ids.event
        .optional()
        .meta({ description: "Id of a person: what that person wrote.", example: "3" }),
      page: parameter.page.optional(),
    }),
    payload: z.object({
      history: z.array(entry).meta({ description: "The entries on this page." }),
      paging: pagingSchema,
    }),
    errors: ["calendar_not_found", "event_not_found"],
    example: { sends: ["calendar_id"], mistake: { calendar_id: "abc" } },
  }),
  eventsRevert: operation({
    ...extensionWrite,
    ...shared,
    access: access.editor,
    ifMatch: true,
    path: "/api/kalends/v1/events/revert/",
    summary: "Make an event what it was",
    returns: "The event.",
    description:
      "Gives the fields of an event, or a draft, the values that they had after an entry of its history. It stays in its calendar and adds 1 to `updated_times`.",
    params: z.object({ event_id: ids.event, entry_id: entryId, ...newsParams }),
    payload: z.object({ event }),
    errors: ["event_not_found", "entry_not_found", "event_replaced"],
    example: { answers: { event: { updated_times: 2 } }, mistake: { entry_id: "07" } },
  }),
} satisfies OperationTable;
