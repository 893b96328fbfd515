import { countEventsChange, type LockedCalendar, requireSpace } from "../calendars/lock-queries.js";
import { bytesOfEvent } from "../calendars/stored-bytes.js";
import { keepsTrash } from "../calendars/trash-days.js";
import { namesOf } from "../calendars/category-names.js";
import { storeCategories } from "../calendars/category-queries.js";
import { storeEventValues } from "../calendars/custom-data-queries.js";
import type { Transaction } from "../db/transaction.js";
import { initial } from "../db/columns.js";
import type { EventRow } from "../db/rows.js";
import { forgetChanges } from "../calendars/entry-queries.js";
import { announceEvent, changeType } from "./announce.js";
import { forgetDeletion, moveIdentity } from "./move-queries.js";
import * as queries from "./queries.js";
import { recordEvent } from "./record-history.js";
import { changedInstants } from "./rezone.js";
import { type EventChange, type NewEvent, newRow, savedRow } from "./revisions.js";
import { isFoundAs } from "./search.js";
import { removeSearched, storeSearched } from "./search-queries.js";

// What a write of an event consists of, whichever operation makes it: the row, the counts, what it is found by, the history, the
// webhooks. Drafts and events in the trash are rows of the same table; those who follow learn of none of them.

/** Stores a new event or draft of a locked calendar, and announces an event. */
export async function storeNewEvent(
  trx: Transaction,
  calendar: LockedCalendar,
  event: NewEvent,
  now: number,
): Promise<EventRow> {
  const made = newRow(calendar, event, now);
  const bytes = bytesOfEvent(made);
  const shown = isShown(made);
  requireSpace(trx, calendar, bytes);
  const drawn = calendar.next_event_id ?? undefined;
  const row = { ...made, id: drawn ?? (await queries.insertEvent(trx, made)) };
  if (drawn !== undefined) queries.insertEventWithId(trx, row);
  countEventsChange(trx, { calendarId: calendar.id, events: shown, changes: shown, bytes, now });
  storeSearched(trx, row);
  recordEvent(trx, "created", [row, row], now);
  await index(trx, row, { ...row, ...initial });
  if (shown === 1) await announceEvent(trx, calendar, "event.created", row, now);
  return row;
}

/** Changes a locked event or draft, publishes it, or takes it back, and announces what those who follow see of it. */
export async function storeEventChange(
  trx: Transaction,
  found: queries.LockedEvent,
  change: EventChange,
  now: number,
): Promise<EventRow> {
  return storeSaved(trx, found, "changed", change, now);
}

/** Restores a locked event, or draft, from the trash. */
export async function restoreEvent(
  trx: Transaction,
  found: queries.LockedEvent,
  now: number,
): Promise<EventRow> {
  const state = found.event.preview_key === null ? "published" : "draft";
  return storeSaved(trx, found, "restored", { state }, now);
}

/** The change of an event, which is published by today's zone data when no one saw it before. */
function byTodaysZones(event: EventRow, change: EventChange, now: number): EventChange {
  const changed = { ...event, ...change };
  const comes = isShown(changed) > isShown(event) && changed.start_at > now;
  return { ...change, ...(comes ? changedInstants(changed) : {}) };
}

/** Stores what a save makes of a locked event. */
async function storeSaved(
  trx: Transaction,
  found: queries.LockedEvent,
  action: "changed" | "restored",
  change: EventChange,
  now: number,
): Promise<EventRow> {
  const { event, calendar } = found;
  const saved = byTodaysZones(event, change, now);
  const row = savedRow(event, saved, calendar.feed_version + 1, now);
  const bytes = bytesOfEvent(row);
  requireSpace(trx, calendar, bytes - bytesOfEvent(event));
  await Promise.all([index(trx, row, event), storeState(trx, found, row, action, now)]);
  return row;
}

/** Deletes a locked event or draft, which can be restored from the trash. */
export async function deleteEvent(trx: Transaction, found: queries.LockedEvent, now: number): Promise<void> {
  const { event, calendar } = found;
  const feed_version = calendar.feed_version + 1;
  const row = { ...event, state: "trashed", deleted_at: now, publish_at: null, feed_version } as const;
  await storeState(trx, found, row, "deleted", now);
  if (keepsTrash()) return;
  await forgetChanges(trx, event);
  queries.deleteEventRow(trx, event);
  const bytes = -bytesOfEvent(event);
  countEventsChange(trx, { calendarId: calendar.id, events: 0, changes: 0, bytes, now });
}

const isShown = ({ state }: Pick<EventRow, "state">): 0 | 1 => (state === "published" ? 1 : 0);

/** Stores a row in its calendar, whatever its state was and is. To those who follow a published event that gets another state is deleted. */
async function storeState(
  trx: Transaction,
  { event, calendar }: queries.LockedEvent,
  row: EventRow,
  action: "changed" | "restored" | "deleted",
  now: number,
): Promise<void> {
  const [was, is] = [isShown(event), isShown(row)];
  const bytes = bytesOfEvent(row) - bytesOfEvent(event);
  const changes = Math.max(was, is);
  const type = was === is ? changeType(event, row) : is === 1 ? "event.created" : "event.deleted";
  queries.updateEvent(trx, event, row);
  countEventsChange(trx, { calendarId: calendar.id, events: is - was, changes, bytes, now });
  if (was > is) queries.storeDeletion(trx, { ...row, deleted_at: now });
  if (is > was) forgetDeletion(trx, row);
  recordEvent(trx, action, [event, row], now);
  if (changes === 1) await announceEvent(trx, calendar, type, is === 1 ? row : event, now);
}

/**
 * Moves a locked event or draft to another locked calendar: those who follow its own see a deletion, the others a new event, and neither
 * of a draft. It keeps its id and its UID and leaves its series; of a sync it becomes an event that was imported.
 */
export async function storeMovedEvent(
  trx: Transaction,
  { event, calendar }: queries.LockedEvent,
  target: LockedCalendar,
  change: EventChange,
  now: number,
): Promise<EventRow> {
  const left = { ...event, calendar_id: target.id, series_id: 0, series_place: 0, synced_by: null };
  const row = savedRow(left, byTodaysZones(event, change, now), target.feed_version + 1, now);
  const [was, is] = [isShown(event), isShown(row)];
  const [before, bytes] = [bytesOfEvent(event), bytesOfEvent(row)];
  requireSpace(trx, target, bytes - before);
  const deletion = { ...event, feed_version: calendar.feed_version + 1, deleted_at: now };
  queries.updateEvent(trx, event, row);
  countEventsChange(trx, { calendarId: calendar.id, events: -was, changes: was, bytes: -before, now });
  countEventsChange(trx, { calendarId: target.id, events: is, changes: is, bytes, now });
  if (was === 1) queries.storeDeletion(trx, deletion);
  if (is === 1) forgetDeletion(trx, row);
  moveIdentity(trx, row);
  removeSearched(trx, event);
  recordEvent(trx, "moved", [event, row], now);
  await index(trx, row, event);
  if (was === 1) await announceEvent(trx, calendar, "event.deleted", event, now);
  if (is === 1) await announceEvent(trx, target, "event.created", row, now);
  return row;
}

/** Stores what the event is found by, where it has changed. */
async function index(trx: Transaction, row: EventRow, before: EventRow): Promise<void> {
  const { calendar_id, id, custom_data, categories } = row;
  const isMoved = calendar_id !== before.calendar_id;
  if (isMoved || !isFoundAs(row, before)) storeSearched(trx, row);
  if (isMoved || custom_data !== before.custom_data)
    await storeEventValues(trx, {
      owner: calendar_id,
      item: id,
      json: custom_data,
      before: before.custom_data,
    });
  if (isMoved || categories !== before.categories)
    await storeCategories(trx, { calendarId: calendar_id, eventId: id, names: namesOf(categories) });
}
