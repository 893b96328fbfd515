import * as z from "zod";
import { access } from "./access.js";
import { newsParams } from "./event-filters.js";
import { count, flag, ids } from "./fields.js";
import { mostFileBytes } from "./limits.js";
import { extensionWrite, operation, type OperationTable } from "./operation.js";

const exampleFile = [
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  "BEGIN:VEVENT",
  "UID:opening@example.com",
  "DTSTART;TZID=America/New_York:20260704T133000",
  "DTEND;TZID=America/New_York:20260704T143000",
  "SUMMARY:Opening night",
  "END:VEVENT",
  "END:VCALENDAR",
  "",
].join("\n");

const params = z.object({
  calendar_id: ids.calendar,
  tell: newsParams.tell,
  dry_run: flag.optional().meta({
    description: "`true` returns the report and changes nothing. Without a value, `false`.",
    example: "false",
  }),
  classes: z
    .enum(["public", "all"], "must be public or all")
    .optional()
    .meta({
      description:
        "`all` also takes events whose CLASS is not `PUBLIC`: whoever opens the page or follows the calendar sees them. Without a value, " +
        "`public`: they are skipped.",
      example: "public",
    }),
  ics: z
    .string()
    .regex(
      /^\s*[Bb][Ee][Gg][Ii][Nn]:[Vv][Cc][Aa][Ll][Ee][Nn][Dd][Aa][Rr]/,
      "must be the text of an iCalendar file, which begins with BEGIN:VCALENDAR",
    )
    .meta({
      description:
        "The text of the file (RFC 5545), up to 1 MiB here. Send a larger one, up to 10 MB, as a body of the type `text/calendar` " +
        "with the other parameters in the query.",
      example: exampleFile,
    }),
});

const outcome = z
  .object({
    result: z.enum(["created", "changed", "unchanged", "skipped"]).meta({
      description: "What became of it.",
      example: "created",
    }),
    event_id: z.string().meta({
      description: "Id of the event; empty when it was skipped, or would be created.",
      example: "7",
    }),
    uid: z.string().meta({ description: "UID in the file.", example: "opening@example.com" }),
    recurrence_id: z.string().meta({
      description:
        "Which date of a series it is: `20260704`, or `20260704T173000Z` in UTC. Empty for an event of its own.",
      example: "",
    }),
    title: z.string().meta({ description: "Its title.", example: "Opening night" }),
    start_date: z.string().meta({
      description:
        "Its start in the file, on the wall clock of its time zone; a date alone for whole days. Empty when it was skipped unread.",
      example: "2026-07-04T13:30",
    }),
    end_date: z.string().meta({ description: "Its end, in the same way.", example: "2026-07-04T14:30" }),
    location: z.string().meta({ description: "Its place; empty for none.", example: "" }),
    status: z.enum(["confirmed", "tentative", "cancelled"]).meta({
      description:
        "Whether it takes place in the file; `confirmed` where the file does not say, and when it was skipped unread.",
      example: "confirmed",
    }),
    reason: z.string().meta({ description: "Why it was skipped; empty when it was not.", example: "" }),
    notes: z.array(z.string()).meta({
      description: "What of it was left out or read otherwise.",
      example: [],
    }),
    dates: count.meta({
      description: "How many dates of a series it stands for, all skipped for one reason; otherwise 1.",
      example: 1,
    }),
  })
  .meta({ id: "ImportedEvent", description: "An event of an imported file, and what became of it." });

const number = (description: string, example: number) => count.meta({ description, example });

const payload = z.object({
  import: z
    .object({
      calendar_id: ids.calendar,
      dry_run: z.boolean().meta({ description: "Whether nothing was changed.", example: false }),
      created: number("How many events were created.", 1),
      changed: number("How many events were changed.", 0),
      unchanged: number("How many events were as they are in the file.", 0),
      skipped: number("How many events could not be imported.", 0),
      omitted: number(
        "How many entries `events` leaves out, so that the response has at most 4 MB; the others count them.",
        0,
      ),
      encoding: z.string().meta({
        description:
          "What the file was read as: `UTF-8`, `UTF-16`, `Windows-1252`, or what the Encoding Standard calls another one, such as `iso-8859-2`.",
        example: "UTF-8",
      }),
    })
    .meta({ id: "ImportSummary", description: "What an import did, in numbers, and how its file was read." }),
  events: z.array(outcome).meta({ description: "The events of the file; of a series each of its dates." }),
});

export const importOperations = {
  calendarsImport: operation({
    ...extensionWrite,
    tag: "Calendars",
    section: "import-a-calendar-file",
    access: access.editor,
    path: "/api/kalends/v1/calendars/import/",
    summary: "Import a calendar file",
    returns: "What became of each event of the file.",
    description:
      "Creates and changes events as an iCalendar file has them, all or none. Events are recognised by their UID and RECURRENCE-ID, so the " +
      "same file changes nothing the second time. No event is deleted.",
    params,
    file: { parameter: "ics", mediaType: "text/calendar", bytes: mostFileBytes },
    payload,
    errors: ["calendar_not_found", "calendar_file_invalid", "write_too_large"],
    example: { sends: ["calendar_id", "ics"], mistake: { dry_run: "maybe" } },
  }),
} satisfies OperationTable;
