import type { CalendarRow } from "../db/rows.js";
import type { Read } from "../events/all.js";
import { FileAnswer } from "../http/file-answer.js";
import { subscribersAfter } from "../subscribers/queries.js";
import { subscriberDetails } from "../subscribers/serialize.js";
import { byteOrderMark, csvLine } from "./csv.js";

const columns = [
  "id",
  "name",
  "email",
  "ip",
  "postal",
  "city",
  "state",
  "country",
  "calendar_type",
  "active",
  "blocked",
  "categories",
  "date_subscribed",
  "date_seen",
  "date_unfollowed",
] as const;

const batchSize = 500;

/** Returns the subscribers of a calendar as a file, with all that is stored about them. */
export function subscribersFile(read: Read, calendar: CalendarRow): FileAnswer {
  return new FileAnswer(
    `${calendar.calendarname} subscribers`,
    "text/csv",
    subscriberLines(read, calendar.id),
  );
}

async function* subscriberLines(read: Read, calendarId: number): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(columns);
  for (let id = 0; ;) {
    const rows = await read((on) => subscribersAfter(on, calendarId, { id, limit: batchSize }));
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows
      .map(subscriberDetails)
      .map((subscriber) => csvLine(columns.map((column) => String(subscriber[column]))))
      .join("");
    id = last.id;
  }
}
