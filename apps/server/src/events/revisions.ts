import { randomBytes, randomUUID } from "node:crypto";
import type { LockedCalendar } from "../calendars/lock-queries.js";
import { initial, type templateColumns } from "../db/columns.js";
import type { EventRow, StoredEventRow } from "../db/rows.js";
import { listedJson } from "./listed-json.js";

/** What operations decide of an event. */
type Decided = Omit<
  EventRow,
  | "id"
  | "account_id"
  | "calendar_id"
  | "uid"
  | "updated_times"
  | "created_at"
  | "modified_at"
  | "feed_version"
  | "moves"
  | "moved_at"
  | "deleted_at"
  | "preview_key"
>;

/** What a save may change. */
export type EventChange = Partial<Decided>;

type Optional = keyof typeof initial | "state" | "publish_at" | "series_id" | "series_place";

/** The fields of an event that its copies and the next ones of its series get too. */
export type Template = Pick<EventRow, (typeof templateColumns)[number]>;

/** What an operation says of a new event. */
export type NewEvent = Omit<Decided, Optional> & Partial<Pick<Decided, Optional>>;

/** Returns a new event of a locked calendar; its id is 0 until it is stored. */
export function newRow(calendar: LockedCalendar, event: NewEvent, now: number): EventRow {
  const { state = "published", publish_at = null } = event;
  // The event comes first: V8 copies what a literal begins with as a whole, and the rest name by name.
  return {
    ...event,
    status: event.status ?? initial.status,
    custom_data: event.custom_data ?? initial.custom_data,
    categories: event.categories ?? initial.categories,
    url: event.url ?? initial.url,
    picture_id: event.picture_id ?? initial.picture_id,
    picture_alt: event.picture_alt ?? initial.picture_alt,
    series_id: event.series_id ?? 0,
    series_place: event.series_place ?? 0,
    state,
    publish_at,
    preview_key: previewKey(state, null),
    deleted_at: null,
    id: 0,
    account_id: calendar.account_id,
    calendar_id: calendar.id,
    uid: randomUUID(),
    feed_version: calendar.feed_version + 1,
    created_at: now,
    modified_at: now,
    updated_times: 0,
    moves: 0,
    moved_at: 0,
  };
}

/** Returns the key that shows a draft. */
function previewKey(state: EventRow["state"], before: string | null): string | null {
  return state === "published" ? null : (before ?? randomBytes(16).toString("base64url"));
}

/** Returns the event after a save, which is never in the trash. `feed_version` is the one that the change makes. */
export function savedRow(row: EventRow, change: EventChange, feed_version: number, now: number): EventRow {
  return {
    ...row,
    ...change,
    preview_key: previewKey(change.state ?? row.state, row.preview_key),
    deleted_at: null,
    feed_version,
    updated_times: row.updated_times + 1,
    modified_at: Math.max(row.modified_at, now), // never goes back, even when the clock does
    moved_at: row.modified_at < now && row.moved_at < now ? row.moved_at : afterFeedTime(row),
  };
}

/** Returns the event after new zone data gave it other instants of the same wall clock. */
export function rescheduledRow(
  row: EventRow,
  instants: Pick<EventRow, "start_at" | "end_at" | "feed_version">,
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
 * A second after the time that the event's feed entry shows, the later of the two columns: some apps take an entry only when
 * its time has grown, which a second save within a second, or a clock that was set back, would not do.
 */
function afterFeedTime({ modified_at, moved_at }: EventRow): number {
  return 1 + Math.max(modified_at, moved_at);
}

/** Returns the row with its list item, which is written with everything that it shows. */
export function stored(row: EventRow): StoredEventRow {
  return { ...row, json: listedJson(row) };
}
