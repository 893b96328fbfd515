import type { LockedCalendar } from "../calendars/lock-queries.js";
import type { Transaction } from "../db/transaction.js";
import type { EventRow } from "../db/rows.js";
import { lastLocal } from "../events/dates.js";
import type { EventChange, Template } from "../events/revisions.js";
import { dayIndex } from "../time/formats.js";
import { datesInZone, isWithinYears } from "./moments.js";
import type { FormerKeys } from "./former-keys.js";
import type { Instance } from "./instances.js";
import { findByUid, findDrafts, findImported, type ImportedEvent, keyOf } from "./import-queries.js";
import type { Texts } from "./read-event.js";
import { linesText, lineText } from "./texts.js";

// Which event of a calendar is that of a file, and what the file changes of it.

export interface Match {
  readonly event: EventRow;
  /** Whether what it is known as in files changes: its place in its series, or its sync. */
  readonly isRenamed: boolean;
  /** Whether it became part of a series, or was one. */
  readonly isFormer: boolean;
  /** The sync that has made it, or takes it over. */
  readonly syncId: number | null;
}

/** Why an event of a file is not taken: the calendar has it and it is not the sync's to change, or it is a draft there. */
export const notItsOwn = "the calendar has it already, and not from this sync";
export const isDraft = "the calendar has it as a draft";
export type Refused = typeof notItsOwn | typeof isDraft;

/** Finds the events of a calendar that are those of a file: rows are found by their keys, whatever else has their UID. */
export async function findMatches(
  reading: Pick<Transaction, "query" | "dialect">,
  { id: calendarId }: Pick<LockedCalendar, "id">,
  instances: readonly Instance[],
  syncId: number | null,
  renamed: FormerKeys = new Map(),
): Promise<(instance: Instance) => Match | Refused | undefined> {
  const keys = instances.flatMap(({ uid, recurrenceId, formerId }) => {
    const known = [recurrenceId, ...(formerId === undefined ? [] : [formerId])];
    return known.map((id) => ({ uid, recurrenceId: id }));
  });
  keys.push(...renamed.values());
  const singles = instances.filter(({ recurrenceId }) => recurrenceId === "");
  const drafted = await findDrafts(reading, calendarId, keys);
  const byKey = await findImported(reading, calendarId, keys);
  const byUid = await findByUid(reading, calendarId, singles);
  return (instance) => {
    const { uid, recurrenceId, formerId } = instance;
    const before = renamed.get(instance);
    const own = byKey.get(keyOf(before?.uid ?? "", before?.recurrenceId ?? ""))?.find(isOf(syncId));
    if (before !== undefined && own !== undefined)
      return { event: own, isRenamed: true, isFormer: false, syncId };
    const same = byKey.get(keyOf(uid, recurrenceId)) ?? [];
    if (same.length > 0) return matchOf(same, syncId, false);
    const former = formerId === undefined ? [] : (byKey.get(keyOf(uid, formerId)) ?? []);
    if (former.length > 0) return matchOf(former, syncId, true);
    const event = recurrenceId === "" ? byUid.get(uid) : undefined;
    const ids = formerId === undefined ? [recurrenceId] : [recurrenceId, formerId];
    if (event === undefined) return ids.some((known) => drafted.has(keyOf(uid, known))) ? isDraft : undefined;
    return syncId === null ? { event, isRenamed: false, isFormer: false, syncId: null } : notItsOwn;
  };
}

const isOf =
  (syncId: number | null) =>
  ({ sync_id }: ImportedEvent): boolean =>
    sync_id === syncId;

/** A sync changes the events that it has made, and takes over those of a sync that was removed. */
function matchOf(rows: readonly ImportedEvent[], syncId: number | null, isFormer: boolean) {
  if (syncId === null) {
    const event = rows.find((row) => row.sync_id === null) ?? rows[0];
    return event && { event, isRenamed: isFormer, isFormer, syncId: event.sync_id };
  }
  const own = rows.find(isOf(syncId));
  if (own !== undefined) return { event: own, isRenamed: isFormer, isFormer, syncId };
  const left = rows.find((row) => row.sync_id !== null && row.synced_by === null);
  return left === undefined
    ? notItsOwn
    : { event: { ...left, synced_by: syncId }, isRenamed: true, isFormer, syncId };
}

/**
 * Returns what an import changes of an event; undefined when nothing. What the file does not say stays: the zone of a time in UTC, the
 * colour, the categories, the time of day of whole days. So does what a file cannot say otherwise, such as a text of blanks.
 */
export function changeOf(row: EventRow, instance: Instance): EventChange | undefined {
  const change = { ...textsChange(row, instance.texts), ...datesChange(row, instance) };
  return Object.keys(change).length === 0 ? undefined : change;
}

/** Returns what the texts of a file change of those that are stored. */
export function textsChange(row: Template, texts: Texts): Partial<Template> {
  return {
    ...(lineText(row.title).text === texts.title ? {} : { title: texts.title }),
    ...(linesText(row.description).text === texts.description ? {} : { description: texts.description }),
    ...(lineText(row.location).text === texts.location ? {} : { location: texts.location }),
    ...(lineText(row.organizer).text === texts.organizer ? {} : { organizer: texts.organizer }),
    ...(row.organizer_email === texts.organizer_email ? {} : { organizer_email: texts.organizer_email }),
    ...(row.status === texts.status ? {} : { status: texts.status }),
    ...(texts.reminder === undefined || row.reminder === texts.reminder ? {} : { reminder: texts.reminder }),
    ...(texts.color_id === undefined || row.color_id === texts.color_id ? {} : { color_id: texts.color_id }),
    ...(texts.categories === undefined || row.categories === texts.categories
      ? {}
      : { categories: texts.categories }),
    ...(texts.url === undefined || row.url === texts.url ? {} : { url: texts.url }),
    ...(texts.picture_id === undefined || isSamePicture(row, texts)
      ? {}
      : { picture_id: texts.picture_id, picture_alt: texts.picture_alt ?? "" }),
    ...(texts.custom_data === undefined || row.custom_data === texts.custom_data
      ? {}
      : { custom_data: texts.custom_data }),
  };
}

function isSamePicture(row: Template, { picture_id, picture_alt }: Texts): boolean {
  return row.picture_id === picture_id && lineText(row.picture_alt).text === picture_alt;
}

function datesChange(row: EventRow, instance: Instance): EventChange {
  const { isAllDay, zone, namesZone, dates } = instance;
  const timezone = namesZone ? zone : row.timezone;
  const all_day = isAllDay ? 1 : 0;
  if (row.timezone === timezone && row.all_day === all_day && isSameTime(row, instance)) return {};
  const moved = datesInZone(dates, timezone, isAllDay);
  // The wall clock of the event's own zone may be past the years where that of the calendar is not.
  return isWithinYears(moved) ? { timezone, all_day, ...moved } : { timezone: zone, all_day, ...dates };
}

function isSameTime(row: EventRow, { dates, namesClocks }: Instance): boolean {
  if (row.all_day === 0) return row.start_at === dates.start_at && row.end_at === dates.end_at;
  if (namesClocks) return row.start_local === dates.start_local && row.end_local === dates.end_local;
  return (
    dayIndex(row.start_local) === dayIndex(dates.start_local) &&
    dayIndex(lastLocal(row)) === dayIndex(lastLocal(dates))
  );
}
