import type { LockedCalendar } from "../calendars/lock-queries.js";
import type { Transaction } from "../db/transaction.js";
import type { EventRow } from "../db/rows.js";
import type { Instance } from "./instances.js";
import { findByUid, findImported, hasDraftOf, type ImportedEvent } from "./queries.js";

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
): Promise<(instance: Instance) => Match | Refused | undefined> {
  const keys = instances.flatMap(({ uid, recurrenceId, formerId }) => {
    const known = [recurrenceId, ...(formerId === undefined ? [] : [formerId])];
    return known.map((id) => ({ calendarId, uid, recurrenceId: id }));
  });
  const singles = instances
    .filter(({ recurrenceId }) => recurrenceId === "")
    .map(({ uid }) => ({ calendarId, uid }));
  const [drafts, imported, own] = await Promise.all([
    hasDraftOf(reading, keys),
    findImported(reading, keys),
    findByUid(reading, singles),
  ]);
  const byKey = new Map(
    keys.map(({ uid, recurrenceId }, index) => [keyOf(uid, recurrenceId), imported[index]]),
  );
  const drafted = new Set(
    keys.flatMap((key, index) => (drafts[index] ? [keyOf(key.uid, key.recurrenceId)] : [])),
  );
  const byUid = new Map(singles.map(({ uid }, index) => [uid, own[index]]));
  return ({ uid, recurrenceId, formerId }) => {
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

/** What an event of a file is known by. */
export function keyOf(uid: string, recurrenceId: string): string {
  return `${recurrenceId} ${uid}`;
}

/** A sync changes the events that it has made, and takes over those of a sync that was removed. */
function matchOf(rows: readonly ImportedEvent[], syncId: number | null, isFormer: boolean) {
  if (syncId === null) {
    const event = rows.find((row) => row.sync_id === null) ?? rows[0];
    return event && { event, isRenamed: isFormer, isFormer, syncId: event.sync_id };
  }
  const own = rows.find((row) => row.sync_id === syncId);
  if (own !== undefined) return { event: own, isRenamed: isFormer, isFormer, syncId };
  const left = rows.find((row) => row.sync_id !== null && row.synced_by === null);
  return left === undefined
    ? notItsOwn
    : { event: { ...left, synced_by: syncId }, isRenamed: true, isFormer, syncId };
}
