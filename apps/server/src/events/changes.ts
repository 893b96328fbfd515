import type { EventRow, StoredEventRow } from "../db/rows.js";
import { listedJson, listedJsonVersion } from "./listed-json.js";

/*
 * Objects are put together here with the new fields first and the spread last: V8 gives an object that begins with a spread a
 * hidden class of its own, and each field added to it another one, which no inline cache ever knows again
 * (docs/decisions/0021-hidden-classes.md).
 */

/** What a save may change. */
export type EventChange = Partial<
  Omit<
    EventRow,
    | "id"
    | "account_id"
    | "calendar_id"
    | "uid"
    | "updated_times"
    | "created_at"
    | "modified_at"
    | "moves"
    | "moved_at"
  >
>;

/** An event that is not stored yet. */
export type NewEvent = Omit<EventRow, "id" | "updated_times" | "moves" | "moved_at">;

/** An event about to be stored, which gives it its id. */
export function newRow(event: NewEvent): EventRow {
  return { id: 0, updated_times: 0, moves: 0, moved_at: 0, ...event };
}

/** The event after a save. */
export function savedRow(row: EventRow, change: EventChange, now: number): EventRow {
  const { updated_times, modified_at, moved_at, ...others } = row;
  return {
    updated_times: updated_times + 1,
    modified_at: Math.max(modified_at, now), // never goes back, even when the clock does
    moved_at: modified_at < now && moved_at < now ? moved_at : afterFeedTime(row),
    ...others,
    ...change,
  };
}

/** The event after new zone data gave it other instants of the same wall clock. */
export function movedRow(
  row: EventRow,
  instants: Pick<EventRow, "start_at" | "end_at">,
  now: number,
): EventRow {
  return {
    ...row,
    ...instants,
    moves: row.moves + 1,
    moved_at: row.modified_at < now && row.moved_at < now ? now : afterFeedTime(row),
  };
}

/**
 * A second after the time that the event's feed entry tells, the later of the two columns: some apps take an entry only when
 * its time has grown, which a second save within a second, or a clock that was set back, would not do.
 */
function afterFeedTime({ modified_at, moved_at }: EventRow): number {
  return 1 + Math.max(modified_at, moved_at);
}

/** The row with its list item, which is written with everything that it shows. */
export function stored(row: EventRow): StoredEventRow {
  return { json: listedJson(row), json_of: listedJsonVersion(row), ...row };
}
