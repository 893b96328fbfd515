import * as z from "zod";
import { access } from "./access.js";
import { calendarPayload } from "./calendars.js";
import { event } from "./event-fields.js";
import { newsParams } from "./event-filters.js";
import { ids, instant, parameter } from "./fields.js";
import { extensionRead, extensionWrite, operation, type OperationTable, pagingSchema } from "./operation.js";

const item = z
  .object({
    kind: z.enum(["event", "calendar"]).meta({ description: "What was deleted.", example: "event" }),
    id: ids.event.meta({ description: "Its id.", example: "7" }),
    calendar_id: ids.calendar.meta({
      description: "The calendar of the event; of a calendar, its own id.",
      example: "1",
    }),
    title: z.string().meta({ description: "Its title.", example: "Opening night" }),
    start_date: z.string().meta({
      description: "When the event starts, on the wall clock of its time zone. Empty of a calendar.",
      example: "2026-07-04T13:30",
    }),
    series_id: z.string().meta({
      description:
        "The series of the event; empty when it has none. Events of one deletion have the same `date_deleted`.",
      example: "",
    }),
    date_deleted: instant.meta({ description: "When it was deleted.", example: "2026-07-02T12:00:00Z" }),
    date_expires: instant.meta({
      description: "Until when it can be restored. Then it is removed for good.",
      example: "2026-08-01T12:00:00Z",
    }),
  })
  .meta({ id: "TrashItem", description: "What was deleted and can be restored." });

const listParams = z.object({
  calendar_id: ids.calendar.optional(),
  page: parameter.page.optional(),
});

const seriesId = ids.event.meta({ description: "Id of the series: digits, as a string.", example: "1" });

const purgeParams = z.object({
  event_id: ids.event.optional().meta({ description: "Id of an event in the trash." }),
  calendar_id: ids.calendar.optional().meta({
    description: "Id of a calendar: it, where it is in the trash, else its events that are.",
  }),
  all: z
    .literal("true", "must be true")
    .optional()
    .meta({ description: "`true`: everything that the account has in the trash.", example: "true" }),
});

const shared = { section: "trash" } as const;

export const trashOperations = {
  trashList: operation({
    ...extensionRead,
    ...shared,
    tag: "Trash",
    access: access.listed,
    path: "/api/kalends/v1/trash/list/",
    summary: "List what can be restored",
    returns: "A page of what was deleted and can be restored, newest first.",
    description:
      "Returns the deleted events and calendars of the account that can be restored, those deleted last first; with `calendar_id` only that calendar, and its events.",
    params: listParams,
    payload: z.object({
      trash: z.array(item).meta({ description: "What was deleted, on this page." }),
      paging: pagingSchema,
    }),
    errors: ["calendar_not_found"],
    example: { sends: ["calendar_id"], mistake: { calendar_id: "abc" } },
  }),
  eventsRestore: operation({
    ...extensionWrite,
    ...shared,
    tag: "Trash",
    access: access.editor,
    path: "/api/kalends/v1/events/restore/",
    summary: "Restore a deleted event",
    returns: "The restored event.",
    description:
      "Restores a deleted event with its id, its UID and everything it had. It adds 1 to `updated_times`.",
    params: z.object({ event_id: ids.event, ...newsParams }),
    payload: z.object({ event }),
    errors: ["event_not_found", "calendar_deleted", "event_replaced"],
    example: { answers: { event: { updated_times: 1 } }, mistake: { event_id: "07" } },
  }),
  eventsSeriesRestore: operation({
    ...extensionWrite,
    ...shared,
    tag: "Trash",
    access: access.editor,
    path: "/api/kalends/v1/events/series/restore/",
    summary: "Restore deleted events of a series",
    returns: "The ids of the restored events.",
    description:
      "Restores the events of a series that its last deletion took, all at once; called again, those of the deletion before. The series goes on as before the deletion.",
    params: z.object({ series_id: seriesId, ...newsParams }),
    payload: z.object({
      event_ids: z
        .array(ids.event)
        .meta({ description: "The events that were restored, soonest first.", example: ["7", "8"] }),
    }),
    errors: ["series_not_found", "calendar_deleted", "event_replaced"],
    example: { mistake: { series_id: "abc" } },
  }),
  calendarsRestore: operation({
    ...extensionWrite,
    ...shared,
    tag: "Trash",
    access: access.owner,
    path: "/api/kalends/v1/calendars/restore/",
    summary: "Restore a deleted calendar",
    returns: "The restored calendar.",
    description:
      "Restores a deleted calendar with its key, its events, its followers and everything else it had. Its pages and feeds are there again.",
    params: z.object({ calendar_id: ids.calendar }),
    payload: calendarPayload,
    errors: ["calendar_not_found"],
    example: { mistake: { calendar_id: "abc" } },
  }),
  trashPurge: operation({
    ...extensionWrite,
    ...shared,
    tag: "Trash",
    access: access.owner,
    path: "/api/kalends/v1/trash/purge/",
    summary: "Remove what was deleted for good",
    returns: "That it is removed.",
    description:
      "Removes from the trash one event, a calendar with all that it has there, or everything of the account. From then on none of it can be restored; its " +
      "data is removed from the database within a minute.",
    params: purgeParams,
    payload: z.object({
      trash: z
        .object({ status: z.literal("purged").meta({ description: "Always `purged`.", example: "purged" }) })
        .meta({ id: "PurgedTrash", description: "What was asked for cannot be restored any more." }),
    }),
    errors: ["calendar_not_found", "event_not_found"],
    example: { sends: ["event_id"], mistake: { event_id: "07" } },
  }),
} satisfies OperationTable;
