import { randomInt } from "node:crypto";
import type { Db } from "../db/database.js";
import type { EventRow } from "../db/rows.js";
import { writesAs } from "../db/transaction.js";
import type { Queue } from "../background/worker.js";
import { AccountFull } from "../db/refusals.js";
import type { CalendarSyncRow } from "../db/import-rows.js";
import { findEvents } from "../events/queries.js";
import { ApiError } from "../http/errors.js";
import { fileText } from "../http/file-text.js";
import { dayIndex } from "../time/formats.js";
import type { Seen } from "./decide.js";
import { eventsOfSync, keyOf } from "./import-queries.js";
import { ImportTooLarge } from "./import-plan.js";
import { FileRefused } from "./reader.js";
import { CalendarMissing, runImport } from "./import-run.js";
import { accountFull, notStored } from "./error-codes.js";
import { fetchFile, FetchFailed, type Fetching, fetchMs } from "./fetch.js";
import { deleteOrphan, dueSyncs, lockDueSync, type Settled, settleSync, updateSync } from "./sync-queries.js";
import type { Services } from "../services.js";

/** A fetch that its signal ends does not count. */
export type SyncContext = Services & Fetching;

/** How long a server may take for a sync, in seconds: a fetch and the import of the largest file. */
const claimSeconds = fetchMs / 1000 + 120;

/** A file that does not change is read whole after so long all the same: endless series go on. */
const wholeSeconds = 86_400;

/** Syncs of a process at a time: each holds a whole file. So the slow ones of several accounts leave some for others. */
const most = 8;

/** Returns the queue of syncs (extensions X8.6). */
export function syncQueue(context: SyncContext): Queue {
  const { db, clock } = context;
  const due: Queue["due"] = async (busy) => {
    const syncs = await dueSyncs(db.read, { now: clock(), busy, limit: 4 * most });
    return syncs.map(({ id, account_id: accountId }) => ({ id, accountId, run: () => runSync(id, context) }));
  };
  return { kind: "sync", everyMs: 15_000, most, due };
}

/** Counts an attempt of a sync and stores the time of the next one. Returns the sync as it was before. */
function take(id: number, { db, clock }: SyncContext): Promise<CalendarSyncRow | undefined> {
  const now = clock();
  const claimed_until = now + claimSeconds;
  return db.transaction(async (trx) => {
    const sync = await lockDueSync(trx, id, now);
    if (sync === undefined) return undefined;
    const failures = sync.failures + 1;
    const next_at = now + spread(pauseAfter(failures, sync.every_seconds));
    await updateSync(trx, sync, { failures, next_at, tried_at: now, claimed_until });
    return { ...sync, claimed_until };
  });
}

/** Fetches the file of a sync, imports it and stores what became of it. */
async function runSync(id: number, context: SyncContext): Promise<void> {
  const { db, log, clock, signal } = context;
  const sync = await take(id, context);
  if (sync === undefined) return;
  const { calendar_id, every_seconds } = sync;
  try {
    const imported = await fetchAndImport(sync, context);
    const now = clock();
    const next_at = now + spread(every_seconds);
    await settle(sync, { ...imported, error: "", failures: 0, tried_at: now, next_at }, context);
  } catch (error) {
    const isMissing = error instanceof CalendarMissing;
    if (isMissing) await db.transaction((trx) => deleteOrphan(trx, id));
    if (isMissing || signal.aborted) {
      const { next_at, tried_at, failures } = sync;
      await settle(sync, { next_at, tried_at, failures }, context);
      return;
    }
    const reason = reasonOf(error);
    const failures = sync.failures + 1;
    log.warn({ sync_id: id, calendar_id, failures, reason }, "calendar sync failed");
    const now = clock();
    const next_at = now + spread(pauseAfter(failures, every_seconds));
    await settle(sync, { error: reason, tried_at: now, next_at }, context);
    // What is wrong with the source is its owner's, anything else a failure of this server.
    if (reason === notStored) throw error;
  }
}

function settle(sync: CalendarSyncRow, settled: Settled, { db }: SyncContext): Promise<void> {
  return db.transaction((trx) => settleSync(trx, sync, settled));
}

async function fetchAndImport(sync: CalendarSyncRow, context: SyncContext) {
  const { db, log, clock } = context;
  const { id: syncId, account_id: accountId, calendar_id: calendarId, read_at } = sync;
  const isWhole = sync.failures > 0 || read_at === null || read_at <= clock() - wholeSeconds;
  const known = isWhole ? undefined : { etag: sync.etag, lastModified: sync.last_modified };
  const file = await fetchFile(sync, known, context);
  if (file === undefined) return {};
  const { text, encoding } = fileText(file.bytes, file.contentType);
  const now = clock();
  let hidden = 0;
  const vanished = (seen: Seen) => {
    hidden = 0; // it may be decided again
    return vanishedEvents(db.read, { syncId, now, onHidden: () => hidden++ }, seen);
  };
  const request = {
    accountId,
    calendarId,
    text,
    now,
    isDryRun: false,
    takesPrivate: false,
    syncId,
    vanished,
  };
  const own = writesAs(db, { by: { kind: "sync", id: syncId, operation: "" } });
  const report = await runImport<string>(own, request, ({ report: { totals }, deleted, renamed }) => {
    const { created, changed, unchanged, skipped } = totals;
    const readAs = encoding === "UTF-8" ? "" : `, read as ${encoding}`;
    return `${created} created, ${changed} changed, ${unchanged} unchanged, ${skipped} skipped, ${deleted} deleted${readAs}${renamed > 0 ? newUids : ""}`;
  });
  if (hidden > 0) log.info({ sync_id: syncId, calendar_id: calendarId, deleted: hidden }, hiddenMessage);
  return { report, etag: file.etag, last_modified: file.lastModified, read_at: now };
}

const newUids = "; the file has new UIDs: events were found by their times, titles and places";

const hiddenMessage = "events of a sync deleted: its file says that they are private";

/** For the owner: neither the URL, which may hold a secret, nor an address of the server's network. */
function reasonOf(error: unknown): string {
  if (error instanceof FetchFailed) return error.message;
  if (error instanceof FileRefused || error instanceof ImportTooLarge) return `${error.message}.`;
  if (error instanceof AccountFull) return accountFull;
  return error instanceof ApiError ? error.message : notStored;
}

/** Twice as long after each failure, up to a day. */
function pauseAfter(failures: number, every: number): number {
  return Math.max(every, Math.min(86_400, every * 2 ** Math.min(failures, 20)));
}

/** Up to a twentieth later, so that syncs of one time do not stay together. */
function spread(seconds: number): number {
  return seconds + randomInt(Math.floor(seconds / 20) + 1);
}

/** Events that are read at a time. */
const sliceSize = 200;

interface Vanishing {
  readonly syncId: number;
  readonly now: number;
  /** Is called for each event that is not for the public. */
  readonly onHidden: () => void;
}

/**
 * Returns the future events that a sync has made and that its file has no more. Those of a UID that could not be imported stay. Past ones
 * go too when they are not for the public, or dates of a series that the file has moved: else each of them would be there twice.
 */
async function* vanishedEvents(
  db: Db,
  { syncId, now, onHidden }: Vanishing,
  { keys, skipped, hidden, moved, events }: Seen,
): AsyncIterable<EventRow> {
  for (let after = 0; ;) {
    const rows = await eventsOfSync(db, syncId, { after, limit: sliceSize });
    const vanished = rows.filter((row) => {
      const { event_id, import_uid, start_at, series_id, series_place } = row;
      if (events.has(event_id) || keys.has(keyOf(import_uid, row.import_recurrence_id))) return false;
      if (hidden.has(import_uid)) onHidden();
      if (hidden.has(import_uid) || skipped.has(import_uid)) return hidden.has(import_uid);
      const movedFrom = series_id === 0 ? undefined : moved.get(import_uid);
      return start_at > now || dayIndex(series_place) >= (movedFrom ?? Infinity);
    });
    const ids = vanished.map(({ event_id }) => event_id);
    if (ids.length > 0) yield* await findEvents(db, ids);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.event_id;
  }
}
