import * as z from "zod";
import { access } from "./access.js";
import { rule } from "./failures.js";
import { answer, count, ids, instant, instantOrNone } from "./fields.js";
import { extensionRead, extensionWrite, operation, type OperationTable } from "./operation.js";

const syncId = ids.calendar.meta({ description: "Id of the sync: digits, as a string.", example: "1" });
const exampleUrl = "https://calendar.example/town.ics";

/** Reasons why a file was not fetched or imported. */
export const syncErrorCodes = [
  "address",
  "connection",
  "response",
  "too_large",
  "unreadable",
  "account_full",
  "interrupted",
  "server",
] as const;

const sync = z
  .object({
    id: syncId,
    calendar_id: ids.calendar,
    url: z
      .string()
      .meta({ description: "Where the file is, without a user name and a password.", example: exampleUrl }),
    every_minutes: z.int().meta({ description: "How often it is fetched.", format: "int64", example: 60 }),
    status: z.enum(["ready", "running", "failing"]).meta({
      description:
        "`running`: it is being fetched. `failing`: the last attempt failed, as `last_error` says. Otherwise `ready`.",
      example: "ready",
    }),
    last_at: instantOrNone.meta({
      description: "When it was last tried; empty when it was not yet.",
      example: "2026-07-02T12:00:00Z",
    }),
    last_error: z
      .string()
      .meta({ description: "Why the last attempt failed; empty when it did not.", example: "" }),
    last_error_code: z.string().meta({
      description: `The kind of \`last_error\`: ${syncErrorCodes.join(", ")}; empty for none of these.`,
      example: "",
    }),
    last_result: z.string().meta({
      description: "What the last import did.",
      example: "1 created, 0 changed, 4 unchanged, 0 skipped, 0 deleted",
    }),
    next_at: instant.meta({ description: "When it is due next.", example: "2026-07-02T13:00:00Z" }),
    events: count.meta({ description: "How many events of the calendar it has made.", example: 5 }),
    date_create: instant.meta({ description: "Time of creation.", example: "2026-07-01T12:00:00Z" }),
  })
  .meta({
    id: "Sync",
    description: "A calendar file that the server fetches again and again into a calendar.",
  });

const url = z
  .string()
  .regex(
    /^([Hh][Tt][Tt][Pp][Ss]?|[Ww][Ee][Bb][Cc][Aa][Ll][Ss]?):\/\/\S+$/,
    rule("not_a_url", "must be a URL that begins with https:// or webcal://"),
  )
  .max(2048, "must be at most 2048 characters")
  .meta({
    description:
      "Where the file is: an `https` URL on the public Internet, without a fragment. `webcal` means `https`. A user name and a password in it are sent to that host alone (Basic), and never returned.",
    example: exampleUrl,
  });

const everyMinutes = z
  .string()
  .regex(
    /^(?:1[5-9]|[2-9][0-9]|[1-9][0-9]{2,3}|[1-3][0-9]{4}|4[0-2][0-9]{3}|43[01][0-9]{2}|43200)$/,
    rule("out_of_range", "must be a whole number of minutes, 15 to 43200", 43_200),
  )
  .optional();

const intervals = "15 to 43200, which is 30 days.";
const syncPayload = z.object({ sync });
const shared = { tag: "Calendars", section: "sync-a-calendar-file" } as const;
const ofOne = { params: z.object({ sync_id: syncId }), errors: ["sync_not_found"] } as const;

export const syncOperations = {
  syncsList: operation({
    ...extensionRead,
    ...shared,
    access: access.owner,
    path: "/api/kalends/v1/syncs/list/",
    summary: "List syncs",
    returns: "The syncs of the account, or of one calendar.",
    description: "Returns the syncs of the account or of one calendar, oldest first.",
    params: z.object({
      calendar_id: ids.calendar
        .optional()
        .meta({ description: "Returns only the syncs of this calendar.", example: "1" }),
    }),
    payload: z.object({ syncs: z.array(sync).meta({ description: "The syncs." }) }),
    errors: ["calendar_not_found"],
    example: { mistake: { calendar_id: "abc" } },
  }),
  syncsCreate: operation({
    ...extensionWrite,
    ...shared,
    access: access.owner,
    path: "/api/kalends/v1/syncs/create/",
    summary: "Add a sync",
    returns: "The sync, which is due at once.",
    description:
      "Adds a calendar file that a running server fetches within a minute and then again and again. It changes only the events that it has made.",
    params: z.object({
      calendar_id: ids.calendar,
      url,
      every_minutes: everyMinutes.meta({
        description: `How often it is fetched, in minutes: ${intervals} Without a value, 60.`,
        example: "60",
      }),
    }),
    payload: syncPayload,
    errors: ["calendar_not_found", "sync_limit_reached"],
    example: {
      sends: ["calendar_id", "url"],
      answers: { sync: { last_at: "", last_result: "", events: 0 } },
      mistake: { url: "ftp://calendar.example" },
    },
  }),
  syncsUpdate: operation({
    ...extensionWrite,
    ...shared,
    access: access.owner,
    path: "/api/kalends/v1/syncs/update/",
    summary: "Change a sync",
    returns: "The changed sync.",
    description: "Changes where a file is, or how often it is fetched. With another URL it is due at once.",
    params: z.object({
      sync_id: syncId,
      url: url.optional(),
      every_minutes: everyMinutes.meta({
        description: `How often it is fetched, in minutes: ${intervals}`,
        example: "1440",
      }),
    }),
    payload: syncPayload,
    errors: ["sync_not_found"],
    example: {
      sends: ["sync_id", "every_minutes"],
      answers: { sync: { every_minutes: 1440 } },
      mistake: { every_minutes: "5" },
    },
  }),
  syncsRun: operation({
    ...extensionWrite,
    ...shared,
    ...ofOne,
    access: access.owner,
    path: "/api/kalends/v1/syncs/run/",
    summary: "Run a sync now",
    returns: "The sync, which is due.",
    description: "Makes a sync due: a running server fetches the file within a minute.",
    payload: syncPayload,
    example: { mistake: { sync_id: "abc" } },
  }),
  syncsDelete: operation({
    ...extensionWrite,
    ...shared,
    ...ofOne,
    access: access.owner,
    path: "/api/kalends/v1/syncs/delete/",
    summary: "Delete a sync",
    returns: "The id of the deleted sync.",
    description: "Deletes a sync: the file is not fetched any more. The events that it has made stay.",
    payload: z.object({
      sync: z
        .object({ id: syncId, status: answer.deleted })
        .meta({ id: "DeletedSync", description: "The id of a sync that was deleted." }),
    }),
    example: { mistake: { sync_id: "0" } },
  }),
} satisfies OperationTable;
