import { randomInt } from "node:crypto";
import { writesAs } from "../db/transaction.js";
import { noteFailure, runUnit } from "../background/units.js";
import { AccountFull } from "../db/refusals.js";
import type { CalendarSyncRow } from "../db/import-rows.js";
import type { LostClaims } from "../db/set-aside.js";
import { ApiError } from "../http/errors.js";
import { fileText } from "../http/file-text.js";
import { ImportTooLarge } from "../imports/import-budget.js";
import type { Seen } from "../imports/decide.js";
import { FileRefused } from "../imports/reader.js";
import { CalendarMissing, runImport } from "../imports/run.js";
import type { Sending } from "../webhooks/attempt.js";
import { accountFull, notStored } from "./error-codes.js";
import { fetchFile, FetchFailed, fetchMs } from "./fetch.js";
import { claimSync, deleteSync, isOneDue, type Settled, settleSync } from "./queries.js";
import { vanishedEvents } from "./vanished.js";
import type { Services } from "../services.js";

export interface SyncContext extends Services {
  readonly sending: Omit<Sending, "timeoutMs">;
  /** Ends a fetch; it does not count. */
  readonly signal: AbortSignal;
  /** Where claims are noted whose outcome could not be stored. */
  readonly lost?: LostClaims;
}

/** How long a claim lasts, in seconds: a fetch and the import of the largest file. */
const claimSeconds = fetchMs / 1000 + 120;

/** A file that does not change is read whole after so long all the same: endless series go on. */
const wholeSeconds = 86_400;

/** Syncs of a process at a time, each of another host: so many jobs run, and one of them waits for no other. */
export const mostAtOnce = 4;

/** Runs the syncs that are due, one after the other, until none is left. Each is run by one server of all. */
export async function runDueSyncs(context: SyncContext, isStopping: () => boolean): Promise<void> {
  if (!(await isOneDue(context.db.read, context.clock()))) return;
  const { log, lost, signal } = context;
  while (!isStopping() && !signal.aborted) {
    const sync = await claim(context);
    if (sync === undefined) return;
    const unit = { log, kind: "sync", id: sync.id, limitMs: claimSeconds * 1_000 } as const;
    const isDone = await runUnit(unit, () => runSync(sync, context));
    if (!isDone) lost?.add(sync.claim); // which ends by itself
  }
}

/** Claims a sync; undefined when none is due, or the given one is being run. */
export function claim({ db, clock, lost }: SyncContext, id?: number): Promise<CalendarSyncRow | undefined> {
  const now = clock();
  const claims = lost === undefined ? {} : { lost: lost.all() };
  const wanted = { now, until: now + claimSeconds, ...claims, ...(id === undefined ? {} : { id }) };
  return db.transaction((trx) => claimSync(trx, wanted));
}

/** Fetches the file of a claimed sync, imports it and stores what became of it. Returns why it failed; "" when it did not. */
export async function runSync(sync: CalendarSyncRow, context: SyncContext): Promise<string> {
  const { db, log, clock, signal } = context;
  const { id, calendar_id, every_seconds } = sync;
  try {
    const imported = await fetchAndImport(sync, context);
    const now = clock();
    const settled = {
      ...imported,
      error: "",
      failures: 0,
      tried_at: now,
      next_at: now + spread(every_seconds),
    };
    await settle(sync, settled, context);
    return "";
  } catch (error) {
    if (error instanceof CalendarMissing) {
      await db.transaction((trx) => deleteSync(trx, { id }));
      return "The calendar was deleted.";
    }
    if (signal.aborted) {
      await settle(sync, { next_at: sync.next_at, tried_at: sync.tried_at }, context);
      return "The server is stopping.";
    }
    const reason = reasonOf(error);
    const failures = sync.failures + 1;
    log.warn({ sync_id: id, calendar_id, failures, reason }, "calendar sync failed");
    const now = clock();
    const next_at = now + spread(pauseAfter(failures, every_seconds));
    await settle(sync, { error: reason, failures, tried_at: now, next_at }, context);
    // What is wrong with the source is its owner's, anything else a failure of this server.
    if (reason === notStored) noteFailure({ log, kind: "sync", id }, error);
    return reason;
  }
}

function settle(sync: CalendarSyncRow, settled: Settled, { db }: SyncContext): Promise<void> {
  return db.transaction((trx) => settleSync(trx, sync, settled));
}

async function fetchAndImport(sync: CalendarSyncRow, { db, log, clock, sending, signal }: SyncContext) {
  const { id: syncId, account_id: accountId, calendar_id: calendarId, url, read_at } = sync;
  const isWhole = sync.error !== "" || read_at === null || read_at <= clock() - wholeSeconds;
  const known = isWhole ? undefined : { etag: sync.etag, lastModified: sync.last_modified };
  const file = await fetchFile(url, known, sending, signal);
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
  const report = await runImport<string>(own, request, ({ report: { totals }, deleted }) => {
    const { created, changed, unchanged, skipped } = totals;
    const readAs = encoding === "UTF-8" ? "" : `, read as ${encoding}`;
    return `${created} created, ${changed} changed, ${unchanged} unchanged, ${skipped} skipped, ${deleted} deleted${readAs}`;
  });
  if (hidden > 0) log.info({ sync_id: syncId, calendar_id: calendarId, deleted: hidden }, hiddenMessage);
  return { report, etag: file.etag, last_modified: file.lastModified, read_at: now };
}

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
