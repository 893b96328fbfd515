import { lockAccount } from "../accounts/queries.js";
import { findCalendar } from "../calendars/queries.js";
import type { Db } from "../db/database.js";
import type { CalendarSyncRow } from "../db/import-rows.js";
import { ApiError } from "../http/errors.js";
import type { Context, Handlers } from "../http/handler.js";
import { hasCalendar } from "../webhooks/queries.js";
import * as queries from "./sync-queries.js";
import * as serialize from "./sync-serialize.js";
import { type Source, sourceOf } from "./source.js";

/** Syncs that an account may have. */
const mostOfAccount = 50;

const defaultMinutes = "60";

type SyncHandlers = Pick<Handlers, keyof typeof otherHandlers | "syncsCreate" | "syncsUpdate">;

/** Returns the handlers of syncs (extensions X8.6). */
export function syncHandlers({ allowsPrivate }: { readonly allowsPrivate: boolean }): SyncHandlers {
  const sourceIn = (url: string) => {
    const source = sourceOf(url, allowsPrivate);
    if (typeof source !== "string") return source;
    throw new ApiError("parameter_invalid", [{ parameter: "url", message: source, code: "not_a_url" }]);
  };
  return {
    ...otherHandlers,

    async syncsCreate(
      { calendar_id, url, every_minutes = defaultMinutes },
      { db, accountId, now, wrote, error },
    ) {
      const source = sourceIn(url);
      const calendar = { account_id: accountId, calendar_id: Number(calendar_id) };
      const every_seconds = 60 * Number(every_minutes);
      return db.transaction(async (trx) => {
        await requireRoom(trx, calendar, error);
        const due = { every_seconds, next_at: now, created_at: now };
        const row = await queries.insertSync(trx, { ...source, ...calendar, ...due });
        wrote({ calendarId: row.calendar_id });
        return { sync: printed(row, new Map(), now) };
      });
    },

    async syncsUpdate({ sync_id, url, every_minutes }, { db, accountId, now, wrote }) {
      const source = url === undefined ? undefined : sourceIn(url);
      return db.transaction(async (trx) => {
        const found = await lockOwn(trx, accountId, sync_id);
        const change = changeOf(found, source, every_minutes, now);
        const row = await queries.updateSync(trx, found, change);
        wrote({ calendarId: row.calendar_id });
        return { sync: await shown(trx, row, now) };
      });
    },
  };
}

/** @throws Error when the account has no such calendar, or as many syncs as it may have */
async function requireRoom(
  trx: Db,
  { account_id, calendar_id }: Pick<CalendarSyncRow, "account_id" | "calendar_id">,
  error: Context<"syncsCreate">["error"],
): Promise<void> {
  if (!(await lockAccount(trx, account_id))) throw new ApiError("token_unknown");
  if (!(await hasCalendar(trx, account_id, calendar_id))) throw error("calendar_not_found");
  if ((await queries.syncsOf(trx, account_id)).length >= mostOfAccount) throw error("sync_limit_reached");
}

/** What another URL, or another interval, changes of a sync. */
function changeOf(
  found: CalendarSyncRow,
  source: Source | undefined,
  every_minutes: string | undefined,
  now: number,
): Partial<CalendarSyncRow> {
  const every_seconds = every_minutes === undefined ? found.every_seconds : 60 * Number(every_minutes);
  const next_at = Math.min(found.next_at, now + every_seconds);
  // What is being fetched from where the file was is not stored as the result of this one.
  const other = isSame(found, source) ? {} : { ...source, ...unread, ...due(now) };
  return { every_seconds, next_at, ...other };
}

/** A URL comes back as it was shown, without the password. */
function isSame({ url, credentials }: Source, source: Source | undefined): boolean {
  return source === undefined || (source.url === url && ["", credentials].includes(source.credentials));
}

const otherHandlers = {
  async syncsList({ calendar_id }, { db, accountId, now, error }) {
    const calendarId = calendar_id === undefined ? undefined : Number(calendar_id);
    if (calendarId !== undefined && (await findCalendar(db, accountId, calendarId)) === undefined)
      throw error("calendar_not_found");
    return db.list(accountId, async ({ read }) => {
      const rows = await queries.syncsOf(read, accountId, calendarId);
      const ids = rows.map(({ id }) => id);
      const events = await queries.countEventsOfSyncs(read, ids);
      return { syncs: rows.map((row) => printed(row, events, now)) };
    });
  },

  async syncsRun({ sync_id }, { db, accountId, now, wrote }) {
    return db.transaction(async (trx) => {
      const found = await lockOwn(trx, accountId, sync_id);
      const row = await queries.updateSync(trx, found, due(now));
      wrote({ calendarId: row.calendar_id });
      return { sync: await shown(trx, row, now) };
    });
  },

  async syncsDelete({ sync_id }, { db, accountId, wrote }) {
    return db.transaction(async (trx) => {
      const found = await lockOwn(trx, accountId, sync_id);
      await queries.deleteSync(trx, found);
      wrote({ calendarId: found.calendar_id });
      return { sync: { id: sync_id, status: "deleted" } };
    });
  },
} satisfies Partial<Handlers>;

/** The sync of the account, of a calendar that is not deleted, locked. @throws ApiError when there is none */
async function lockOwn(trx: Db, accountId: number, id: string) {
  const row = await queries.lockSync(trx, { id: Number(id), account_id: accountId });
  if (row !== undefined && (await hasCalendar(trx, accountId, row.calendar_id))) return row;
  throw new ApiError("sync_not_found");
}

/** What makes a sync due at once. */
function due(now: number) {
  return { next_at: now };
}

/** Of a file of which nothing was read yet. */
const unread = {
  etag: "",
  last_modified: "",
  error: "",
  failures: 0,
  read_at: null,
  claimed_until: 0,
};

async function shown(trx: Db, row: CalendarSyncRow, now: number) {
  return printed(row, await queries.countEventsOfSyncs(trx, [row.id]), now);
}

function printed(row: CalendarSyncRow, events: ReadonlyMap<number, number>, now: number) {
  return serialize.sync(row, { events: events.get(row.id) ?? 0, now });
}
