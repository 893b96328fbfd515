import { type LockedCalendar, requireSpace } from "../calendars/lock-queries.js";
import { bytesOfEvent } from "../calendars/stored-bytes.js";
import { namesOf } from "../categories/names.js";
import { storeCategories } from "../categories/queries.js";
import { storeEventValues } from "../custom-data/queries.js";
import { type Member, requireRoom, takeRoom } from "../db/batch.js";
import { initial } from "../db/columns.js";
import type { EventRow } from "../db/rows.js";
import { announceEvent, changeType } from "./announce.js";
import { findMoving, forgetDeletion, storeIdentity } from "./move-queries.js";
import * as queries from "./queries.js";
import { recordEvent } from "./record-history.js";
import { changedInstants } from "./rezone.js";
import { type EventChange, type NewEvent, newRow, savedRow } from "./revisions.js";
import { isFoundAs } from "./search.js";
import { storeSearched } from "./search-queries.js";

// What a write of an event consists of, whichever operation makes it: the row, what it is found by, the history, the webhooks.

/** Stores a new event of a locked calendar and announces it. */
export async function storeNewEvent(
  trx: Member,
  calendar: LockedCalendar,
  event: NewEvent,
  now: number,
): Promise<EventRow> {
  const made = newRow(calendar, event, now);
  const bytes = bytesOfEvent(made);
  requireCost(trx, calendar, bytes);
  requireSpace(trx, calendar, bytes);
  const row = await queries.insertEvent(trx, made, bytes, now);
  await Promise.all([
    storeSearched(trx, row),
    index(trx, row, initial),
    recordEvent(trx, "created", [row, row], now),
  ]);
  await announceEvent(trx, calendar, "event.created", row, now);
  return row;
}

/** Changes a locked event and announces that. */
export async function storeEventChange(
  trx: Member,
  found: queries.LockedEvent,
  change: EventChange,
  now: number,
): Promise<EventRow> {
  const row = savedRow(found.event, change, found.calendar.feed_version + 1, now);
  const bytes = bytesOfEvent(row);
  const growth = bytes - bytesOfEvent(found.event);
  requireCost(trx, found.calendar, bytes);
  requireSpace(trx, found.calendar, growth);
  await Promise.all([
    queries.updateEvent(trx, found, row, growth, now),
    index(trx, row, found.event),
    ...(isFoundAs(row, found.event) ? [] : [storeSearched(trx, row)]),
    recordEvent(trx, "changed", [found.event, row], now),
    announceEvent(trx, found.calendar, changeType(found.event, row), row, now),
  ]);
  return row;
}

/**
 * Stores an event that no one saw as it was and announces it. To those who follow it is a save: its version and `updated_times` rise.
 * Zone data that is newer than its deletion counts.
 */
export async function storeRestoredEvent(
  trx: Member,
  calendar: LockedCalendar,
  before: EventRow,
  now: number,
): Promise<EventRow> {
  const instants = before.start_at > now ? changedInstants(before) : undefined;
  const row = savedRow(before, instants ?? {}, calendar.feed_version + 1, now);
  requireCost(trx, calendar, bytesOfEvent(row));
  await queries.insertEventAgain(trx, row, 0, now);
  await Promise.all([
    storeSearched(trx, row),
    index(trx, row, initial),
    announceEvent(trx, calendar, "event.created", row, now),
  ]);
  return row;
}

/**
 * Moves a locked event to another locked calendar: those who follow its own see a deletion, the others a new event. It keeps its id and its
 * UID and leaves its series; of a sync it becomes an event that was imported.
 */
export async function storeMovedEvent(
  trx: Member,
  { event, calendar }: queries.LockedEvent,
  target: LockedCalendar,
  change: EventChange,
  now: number,
): Promise<EventRow> {
  const { id } = event;
  const left = { ...event, calendar_id: target.id, series_id: 0, series_place: 0, synced_by: null };
  const row = savedRow(left, change, target.feed_version + 1, now);
  const bytes = bytesOfEvent(row);
  requireCost(trx, target, bytes);
  requireSpace(trx, target, bytes - bytesOfEvent(event));
  const identity = await findMoving(trx, { id, calendar_id: target.id });
  await queries.deleteEvent(trx, { event, calendar }, now, "calendar");
  await forgetDeletion(trx, { id, calendar_id: target.id });
  await queries.insertEventAgain(trx, row, bytes, now);
  await Promise.all([
    storeSearched(trx, row),
    index(trx, row, initial),
    identity && storeIdentity(trx, { ...identity, calendar_id: target.id, sync_id: null }),
    recordEvent(trx, "moved", [event, row], now),
  ]);
  await announceEvent(trx, calendar, "event.deleted", event, now);
  await announceEvent(trx, target, "event.created", row, now);
  return row;
}

/** Ensures that an event of so many bytes may be written. Each webhook stores its texts once more. */
export function requireCost(trx: Member, { webhooks }: LockedCalendar, bytes: number): void {
  const rows = 1 + webhooks;
  takeRoom(trx, rows * bytes);
  requireRoom(trx, rows, bytes);
}

/** Stores what the event is found by, where it has changed. */
async function index(trx: Member, row: EventRow, before: Pick<EventRow, "custom_data" | "categories">) {
  const { calendar_id, id, custom_data, categories } = row;
  if (custom_data !== before.custom_data)
    await storeEventValues(trx, {
      owner: calendar_id,
      item: id,
      json: custom_data,
      before: before.custom_data,
    });
  if (categories !== before.categories)
    await storeCategories(trx, { calendarId: calendar_id, eventId: id, names: namesOf(categories) });
}
