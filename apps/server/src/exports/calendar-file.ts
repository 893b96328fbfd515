import type { CalendarRow, EventRow } from "../db/rows.js";
import { allEvents, type Read } from "../events/all.js";
import { event } from "../events/serialize.js";
import { exportedCalendar } from "../follow/export.js";
import { FileAnswer } from "../http/file-answer.js";
import { byteOrderMark, csvLine } from "./csv.js";

/** Returns a calendar as a file. What `read` reads is one state of the data, or the events are each as they are when their piece is made. */
export function calendarFile(read: Read, calendar: CalendarRow, format: "ics" | "csv"): FileAnswer {
  return format === "ics"
    ? new FileAnswer(calendar.calendarname, "text/calendar", exportedCalendar(read, calendar))
    : new FileAnswer(calendar.calendarname, "text/csv", eventLines(read, calendar));
}

/** What names an event, and what `addEvent` takes: a line is all that it needs to make the event again. */
const columns = [
  "event_id",
  "uid",
  "title",
  "start_date",
  "end_date",
  "timezone",
  "all_day_event",
  "description",
  "location",
  "organizer",
  "organizer_email",
  "reminder",
  "color_id",
  "status",
  "categories",
  "custom_data",
] as const;

async function* eventLines(read: Read, { id }: CalendarRow): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(columns);
  for await (const rows of allEvents(read, id)) yield rows.map(eventLine).join("");
}

function eventLine(row: EventRow): string {
  const { id, custom_data, ...shown } = event(row);
  const data = JSON.stringify(custom_data);
  const cells = { ...shown, event_id: id, custom_data: data === "{}" ? "" : data };
  return csvLine(columns.map((column) => String(cells[column]))); // categories with commas between them
}
