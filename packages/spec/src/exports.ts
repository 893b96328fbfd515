import * as z from "zod";
import { access } from "./access.js";
import { ids } from "./fields.js";
import { extensionRead, operation, type OperationTable } from "./operation.js";

const csvExample = [
  "event_id,uid,title,start_date,end_date",
  "7,0f8fad5b-d9cb-469f-a165-70867728950e,Opening night,2026-07-04T13:30,2026-07-04T14:30",
  "",
].join("\r\n");

const icsExample = ["BEGIN:VCALENDAR", "VERSION:2.0", "END:VCALENDAR", ""].join("\r\n");

const file = { ...extensionRead, section: "export-files", payload: z.object({}) } as const;

export const calendarFileOperations = {
  calendarsExport: operation({
    ...file,
    tag: "Calendars",
    access: access.viewer,
    path: "/api/kalends/v1/calendars/export/",
    summary: "Export a calendar",
    returns: "The file, named after the calendar.",
    description:
      "Returns a calendar with all its events as one file: iCalendar, which an import turns into the same events, or CSV with a line " +
      "for each event, whose columns have the names of the parameters of `eventsCreate`.",
    params: z.object({
      calendar_id: ids.calendar,
      format: z.enum(["ics", "csv"], "must be ics or csv").optional().meta({
        description: "`ics` or `csv`. Without a value, `ics`.",
        example: "ics",
      }),
    }),
    fileAnswer: { "text/calendar": icsExample, "text/csv": csvExample },
    errors: ["calendar_not_found"],
    example: { mistake: { format: "pdf" } },
  }),
} satisfies OperationTable;

export const subscriberFileOperations = {
  subscribersExport: operation({
    ...file,
    tag: "Subscribers",
    access: access.viewerOfFollowers,
    path: "/api/kalends/v1/subscribers/export/",
    summary: "Export the subscribers of a calendar",
    returns: "The file, named after the calendar.",
    description:
      "Returns all subscribers of a calendar as a CSV file, whose columns have the names of the fields of `subscribersList`.",
    params: z.object({ calendar_id: ids.calendar }),
    fileAnswer: {
      "text/csv": "id,name,email,calendar_type\r\n9,Ada Byron,ada@example.com,apple\r\n",
    },
    errors: ["calendar_not_found"],
    example: { mistake: { calendar_id: "abc" } },
  }),
} satisfies OperationTable;
