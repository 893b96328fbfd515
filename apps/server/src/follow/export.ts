import { calendarEnd, calendarStart, eventText } from "@kalends/ical";
import type { Db } from "../db/database.js";
import type { ImportedEventRow } from "../db/import-rows.js";
import type { CalendarRow, EventRow } from "../db/rows.js";
import { eventsAfter } from "../events/queries.js";
import { initial } from "../events/revisions.js";
import { formatWallClock } from "../time/formats.js";
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
      ["X-KALENDS-REMINDER", row.status === "cancelled" ? row.reminder : ""], // which has no alarm
      ["X-KALENDS-CUSTOM-DATA", row.custom_data === initial.custom_data ? "" : inAscii(row.custom_data)],
      ...ownClocks(row),
    ],
  });
}

/** Whole days may have times of day, which their entry does not show. */
function ownClocks({ all_day, start_local, end_local }: EventRow) {
  if (all_day === 0 || (isMidnight(start_local) && isMidnight(end_local))) return [];
  return [
    ["X-KALENDS-START", formatWallClock(start_local)],
    ["X-KALENDS-END", formatWallClock(end_local)],
  ] as const;
}

function isMidnight(local: number): boolean {
  return local % 86_400 === 0;
}

/** JSON without the characters that a line of a file would lose. */
function inAscii(json: string): string {
  return json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
