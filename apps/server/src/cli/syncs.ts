import type { Command } from "commander";
import { pino } from "pino";
import type { Database } from "../db/open-database.js";
import type { CalendarSyncRow } from "../db/import-rows.js";
import { readConfig } from "../settings/config.js";
import { deleteSync, insertSync, listSyncs } from "../syncs/queries.js";
import { claim, runSync, type SyncContext } from "../syncs/run.js";
import { sourceOf } from "../syncs/source.js";
import { sendingOf } from "../webhooks/attempt.js";
import { command, id, interval, notBlank } from "./arguments.js";
import { addList, formatTime, type Report, reports, table } from "./database.js";
import { existingCalendar } from "./run-operation.js";

/** Adds a sync, which is due at once. @throws Error when the calendar does not exist or the URL is refused */
export async function addSync(
  db: Database,
  calendarId: number,
  { url, every: every_seconds, now }: { readonly url: string; readonly every: number; readonly now: number },
): Promise<Report> {
  const { account_id } = await existingCalendar(db, calendarId);
  const source = sourceOf(url, readConfig().WEBHOOK_ALLOW_PRIVATE === "on");
  if (typeof source === "string") throw new Error(`The URL ${source}.`);
  const due = { every_seconds, next_at: now, created_at: now };
  const row = await db.transaction((trx) =>
    insertSync(trx, { ...source, account_id, calendar_id: calendarId, ...due }),
  );
  return {
    json: { sync: shown(row) },
    text: `Sync ${row.id} of calendar ${calendarId}: a running server fetches the file within a minute, then every ${intervalText(every_seconds)}.`,
  };
}

/** Lists the syncs of all calendars, or of one, with the last error of each. */
export async function showSyncs(db: Database, calendarId?: number): Promise<Report> {
  if (calendarId !== undefined) await existingCalendar(db, calendarId);
  const rows = await listSyncs(db.read, calendarId);
  return {
    json: { syncs: rows.map(shown) },
    text: table([
      ["ID", "CALENDAR", "EVERY", "TRIED", "NEXT", "LAST RESULT", "URL"],
      ...rows.map((row) => [
        row.id,
        row.calendar_id,
        intervalText(row.every_seconds),
        formatTime(row.tried_at),
        formatTime(row.next_at),
        row.error === "" ? row.report : row.error,
        row.url,
      ]),
    ]),
  };
}

/** Deletes a sync. @throws Error when it does not exist */
export async function removeSync(db: Database, id: number): Promise<Report> {
  const row = await db.transaction((trx) => deleteSync(trx, { id }));
  if (row === undefined) throw noSync(id);
  return {
    json: { sync_id: String(id), status: "deleted" },
    text: `Sync ${id} is deleted. The events that it has made stay in calendar ${row.calendar_id}.`,
  };
}

/** Fetches and imports a file now. @throws Error when the sync does not exist, is being run, or fails */
export async function runNow(db: Database, id: number): Promise<Report> {
  const { signal } = new AbortController();
  const context: SyncContext = {
    db,
    log: pino({ level: "silent" }),
    clock: () => Math.floor(Date.now() / 1000),
    sending: sendingOf(readConfig()),
    signal,
  };
  if (!(await listSyncs(db.read)).some((row) => row.id === id)) throw noSync(id);
  const sync = await claim(context, id);
  if (sync === undefined) throw new Error("A file of this host is being fetched now; try again later.");
  const failure = await runSync(sync, context);
  if (failure !== "") throw new Error(failure);
  const row = (await listSyncs(db.read, sync.calendar_id)).find((one) => one.id === id) ?? sync;
  // The report is that of the last import, which may have been an earlier one.
  const done = row.read_at === sync.read_at ? "the file has not changed" : row.report;
  return { json: { sync: shown(row) }, text: `Sync ${id}: ${done}.` };
}

function noSync(id: number): Error {
  return new Error(`There is no sync ${id}; run "calendar sync list" to see all.`);
}

function shown(row: CalendarSyncRow) {
  return {
    id: String(row.id),
    calendar_id: String(row.calendar_id),
    url: row.url,
    every_seconds: row.every_seconds,
    tried: row.tried_at === null ? "" : formatTime(row.tried_at),
    next: formatTime(row.next_at),
    failures: row.failures,
    error: row.error,
    report: row.report,
  };
}

function intervalText(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400}d`;
  return seconds % 3_600 === 0 ? `${seconds / 3_600}h` : `${seconds / 60}m`;
}

/** Files that a running server fetches again and again (docs/extensions.md). */
export function addSyncs(calendar: Command): void {
  const sync = command(calendar, "sync", "calendar files that the server fetches again and again");
  reports(
    command(sync, "add", "fetch a calendar file regularly, which a running server does", "calendar")
      .argument("<url>", "where the file is: https, on the public Internet", notBlank)
      .option(
        "--every <interval>",
        "how often, 15 minutes to 30 days, such as 30m, 1h or 1d",
        interval,
        3_600,
      ),
    (db, now, calendarId: number, url: string, { every }: { every: number }) =>
      addSync(db, calendarId, { url, every, now }),
  );
  addList(sync, "list the syncs of all calendars, and why the last attempts failed", "calendar", showSyncs);
  reports(
    command(sync, "remove", "fetch a file no more; its events stay").argument("<sync>", "id of the sync", id),
    (db, _now, syncId: number) => removeSync(db, syncId),
  );
  reports(
    command(sync, "run", "fetch a file now").argument("<sync>", "id of the sync", id),
    (db, _now, syncId: number) => runNow(db, syncId),
  );
}
