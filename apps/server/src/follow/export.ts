import { calendarEnd, calendarStart, eventText } from "@kalends/ical";
import type { Db } from "../db/database.js";
import type { ImportedEventRow } from "../db/import-rows.js";
import type { CalendarRow, EventRow } from "../db/rows.js";
import { eventsAfter } from "../events/queries.js";
import { feedCalendar, feedEvent } from "./feed-entries.js";
import { importedAs } from "../imports/queries.js";

const batchSize = 500;

/** Yields a calendar as one file, in pieces, which an import turns into the same events. `on` is one state of the data. */
export async function* exportedCalendar(on: Db, calendar: CalendarRow): AsyncGenerator<string> {
  yield calendarStart(feedCalendar(calendar, { publicUrl: undefined, refreshMinutes: 60 }));
  let count = 0;
  for (let after = 0; ;) {
    const rows = await eventsAfter(on, calendar.id, { id: after, limit: batchSize });
    const known = await importedAs(
      on,
      rows.map(({ id }) => id),
    );
    if (rows.length > 0) yield rows.map((row) => exportedEvent(row, calendar, known.get(row.id))).join("");
    count += rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) break;
    after = last.id;
  }
  yield calendarEnd(count);
}

/**
 * An event as a file has it: as feeds do, with what an import needs besides. One that came from a file has the UID of that again, but
 * a date of a series its own: it is an event of its own here.
 */
function exportedEvent(row: EventRow, calendar: CalendarRow, known: ImportedEventRow | undefined): string {
  return eventText({
    ...feedEvent(row, calendar, { publicUrl: undefined }),
    uid: known?.import_recurrence_id === "" ? known.import_uid : row.uid,
    own: [
      ["X-KALENDS-TIMEZONE", row.timezone],
      ["X-KALENDS-COLOR-ID", row.color_id],
    ],
  });
}
