import type { Database } from "../db/connect.js";
import type { CalendarRow, EventRow, PropertyRow } from "../db/rows.js";
import { countEventChange } from "../calendars/queries.js";
import { toLocal, toUnix, tzdataVersion } from "../time/zones.js";
import { movedRow } from "./changes.js";
import { findEvents, listFeedEvents, type FeedPosition, storeMove } from "./queries.js";

/** Events read in one go. */
const batchSize = 500;

/** Name of the property that tells which tzdata the times of the events were computed with. */
const tzdataProperty = "tzdata_version";

/**
 * Computes coming events anew from their wall clock when the zone data is not the one they were computed with. Returns how
 * many events moved; undefined when the data has not changed. Safe to repeat, and on several servers at once.
 */
export async function followZoneData(
  db: Database,
  now: number,
  isStopping: () => boolean = () => false,
): Promise<number | undefined> {
  const known = await db.read<PropertyRow>("properties").where({ name: tzdataProperty }).first();
  if (known?.value === tzdataVersion) return undefined;
  const moved = await moveEvents(db, now, isStopping);
  if (isStopping()) return moved;
  await db.transaction((trx) =>
    trx<PropertyRow>("properties")
      .insert({ name: tzdataProperty, value: tzdataVersion })
      .onConflict("name")
      .merge(["value"]),
  );
  return moved;
}

/**
 * Moves every coming event whose instant no longer shows its wall clock in its zone. The API's fields of the save
 * (`updated_times`, `date_modified`) stay; the feed entry gets a new SEQUENCE and LAST-MODIFIED. Returns how many moved.
 */
export async function moveEvents(
  db: Database,
  now: number,
  isStopping: () => boolean = () => false,
): Promise<number> {
  let moved = 0;
  for (let after = 0; !isStopping();) {
    const calendars = await db
      .read<CalendarRow>("calendars")
      .where("id", ">", after)
      .whereNull("deleted_at")
      .orderBy("id")
      .limit(batchSize)
      .select("id", "account_id");
    for (const calendar of calendars) moved += await moveEventsOf(db, calendar, now, isStopping);
    const last = calendars.at(-1);
    if (last === undefined || calendars.length < batchSize) return moved;
    after = last.id;
  }
  return moved;
}

async function moveEventsOf(
  db: Database,
  calendar: Pick<CalendarRow, "id" | "account_id">,
  now: number,
  isStopping: () => boolean,
): Promise<number> {
  let moved = 0;
  let position: FeedPosition = { direction: "later", startAt: now, id: 0 };
  while (!isStopping()) {
    const rows: readonly EventRow[] = await listFeedEvents(db.read, calendar.id, position, batchSize);
    const ids = rows.filter((row) => movedInstants(row) !== undefined).map(({ id }) => id);
    if (ids.length > 0) {
      moved += await db.transaction(async (trx) => {
        const kept = await countEventChange(trx, calendar.account_id, calendar.id, 0, now);
        if (kept === undefined) return 0; // the calendar was deleted meanwhile
        let count = 0;
        // Read again: now that the calendar's row is locked, nobody saves them.
        for (const row of await findEvents(trx, ids)) {
          const instants = movedInstants(row);
          if (instants === undefined) continue;
          await storeMove(trx, movedRow(row, instants, now));
          count++;
        }
        return count;
      });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return moved;
    position = { direction: "later", startAt: last.start_at, id: last.id };
  }
  return moved;
}

/** Start and end by today's zone data; undefined when they are what is stored. */
function movedInstants(row: EventRow): Pick<EventRow, "start_at" | "end_at"> | undefined {
  const start_at = instantOf(row.start_local, row.start_at, row.timezone);
  const end_at = Math.max(start_at, instantOf(row.end_local, row.end_at, row.timezone));
  return start_at === row.start_at && end_at === row.end_at ? undefined : { start_at, end_at };
}

/** The stored instant as long as it shows that wall clock: a wall clock that exists twice may stand for the second time. */
function instantOf(local: number, stored: number, zone: string): number {
  return toLocal(stored, zone) === local ? stored : toUnix(local, zone);
}
