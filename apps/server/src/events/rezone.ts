import { overItems } from "../background/failures.js";
import { calendarIdsAfter, raiseFeedVersion } from "../calendars/queries.js";
import type { Database } from "../db/open-database.js";
import { findProperty, setProperty } from "../db/properties.js";
import type { EventRow } from "../db/rows.js";
import { toLocal, toUnix, tzdataVersion } from "../time/zones.js";
import { type FeedPosition, listEventsOfPart } from "./part-queries.js";
import { findEvents, updateInstants } from "./queries.js";
import { rescheduledRow } from "./revisions.js";

const batchSize = 500;

/** Name of the property that holds the version of tzdata that the times of the events were computed with. */
const tzdataProperty = "tzdata_version";

/**
 * Computes coming events again from their wall clock when the zone data is not the one they were computed with. Returns how
 * many events were rescheduled; undefined when the data has not changed. Safe to repeat, and on several servers at once. It stays to
 * be done while a calendar fails.
 */
export async function applyZoneData(
  db: Database,
  now: number,
  isStopping: () => boolean = () => false,
): Promise<number | undefined> {
  if ((await findProperty(db.read, tzdataProperty)) === tzdataVersion) return undefined;
  const rescheduled = await rescheduleEvents(db, now, isStopping);
  if (isStopping()) return rescheduled;
  await db.transaction((trx) => setProperty(trx, tzdataProperty, tzdataVersion));
  return rescheduled;
}

/**
 * Reschedules every coming event whose instant no longer shows its wall clock in its zone. The API's fields of the save
 * (`updated_times`, `date_modified`) stay; the feed entry gets a new SEQUENCE and LAST-MODIFIED. Returns how many.
 */
export async function rescheduleEvents(
  db: Database,
  now: number,
  isStopping: () => boolean = () => false,
): Promise<number> {
  return overItems(async (doItem) => {
    let count = 0;
    for (let after = 0; !isStopping();) {
      const calendars = await calendarIdsAfter(db.read, after, batchSize);
      for (const id of calendars)
        await doItem(id, async () => {
          count += await rescheduleEventsOf(db, id, now, isStopping);
        });
      const last = calendars.at(-1);
      if (last === undefined || calendars.length < batchSize) break;
      after = last;
    }
    return count;
  });
}

async function rescheduleEventsOf(db: Database, calendarId: number, now: number, isStopping: () => boolean) {
  let count = 0;
  let after: FeedPosition = { at: now, id: 0 };
  while (!isStopping()) {
    const place = { part: "upcoming", from: now, after } as const;
    const rows: readonly EventRow[] = await listEventsOfPart(db.read, calendarId, place, batchSize);
    const ids = rows.filter((row) => changedInstants(row) !== undefined).map(({ id }) => id);
    if (ids.length > 0) count += await rescheduleSome(db, calendarId, ids, now);
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return count;
    after = { at: last.start_at, id: last.id };
  }
  return count;
}

async function rescheduleSome(db: Database, calendarId: number, ids: readonly number[], now: number) {
  return db.transaction(async (trx) => {
    const calendar = await raiseFeedVersion(trx, calendarId, now);
    if (calendar === undefined) return 0; // it was deleted meanwhile
    let count = 0;
    // Read again: now that the calendar's row is locked, no one saves them.
    for (const row of await findEvents(trx, ids)) {
      const instants = changedInstants(row);
      if (instants === undefined) continue;
      const { feed_version } = calendar;
      await updateInstants(trx, rescheduledRow(row, { ...instants, feed_version }, now));
      count++;
    }
    return count;
  });
}

/** Start and end by today's zone data; undefined when they are what is stored. */
export function changedInstants(row: EventRow): Pick<EventRow, "start_at" | "end_at"> | undefined {
  const start_at = instantOf(row.start_local, row.start_at, row.timezone);
  const end_at = Math.max(start_at, instantOf(row.end_local, row.end_at, row.timezone));
  return start_at === row.start_at && end_at === row.end_at ? undefined : { start_at, end_at };
}

/** The stored instant as long as it shows that wall clock: a wall clock that exists twice may stand for the second time. */
function instantOf(local: number, stored: number, zone: string): number {
  return toLocal(stored, zone) === local ? stored : toUnix(local, zone);
}
