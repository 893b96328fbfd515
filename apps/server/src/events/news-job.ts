import { overItems } from "../background/failures.js";
import { newestEntry } from "../calendars/prune-job.js";
import { findProperty, setProperty } from "../db/properties.js";
import type { Database, Db } from "../db/open-database.js";
import { countRows } from "../db/paging.js";
import type { EventRow, HistoryRow, NewsRow, NewsWindowRow } from "../db/rows.js";
import { newsPerDay } from "../http/limits.js";
import { addNews } from "../webhooks/mail-queries.js";
import {
  type CurrentEvent,
  type Entry,
  horizonSeconds,
  mostListed,
  newsOf,
  type NewsContent,
} from "./news-changes.js";
import { hasNotEnded, longestDaySeconds } from "./part-queries.js";

// Changes are found in the history, which has them in their own transactions: a write costs nothing more (extensions X12.1). A calendar's
// first change opens a window; when it closes, what it held becomes one piece of news.

const windows = (db: Db) => db<NewsWindowRow>("news_windows");
const history = (db: Db) => db<HistoryRow>("history");

/** How long changes are gathered, in seconds: a message is out within five minutes of the first. */
export const windowSeconds = 270;

/** Entries of so many seconds are read again: on PostgreSQL one with a lower id may be committed later. */
const lookBackSeconds = 60;

/** Older changes are no news, such as those of a time without SMTP_URL, in seconds. */
const newSeconds = 6 * 3_600;

/** Events of a window that are compared; news of more have only their number. */
const mostCompared = 1_000;

/** Characters of the entries of a window that are compared; the texts of more may not fit into memory. */
const mostCharacters = 4_000_000;

/** Events whose entries are read at once: each may have long texts. */
const sliceSize = 50;

/** Entries of moves that are read at once. */
const movesAtOnce = 20;

const cursorProperty = "news_cursor";

/** Returns what looks for changes, and what tells whether there may be some. */
export function createNewsJob(
  db: Database,
  clock: () => number,
): { readonly isDue: () => Promise<boolean>; readonly run: (isStopping: () => boolean) => Promise<void> } {
  let seen = -1;
  let rereadUntil = 0;
  return {
    isDue: async (): Promise<boolean> => {
      const now = clock();
      const newest = await newestEntry(db.read);
      if (newest !== seen) [seen, rereadUntil] = [newest, now + 2 * lookBackSeconds];
      return now <= rereadUntil || (await closing(db.read, now).first("calendar_id")) !== undefined;
    },
    run: (isStopping: () => boolean) => gatherNews(db, clock(), isStopping),
  };
}

const closing = (db: Db, now: number) => windows(db).where("closes_at", "<=", now).orderBy("closes_at");

/** Opens windows of calendars that have changed, and closes those whose time is over. */
export async function gatherNews(
  db: Database,
  now: number,
  isStopping: () => boolean = () => false,
): Promise<void> {
  await openWindows(db, now);
  const closed = await closing(db.read, now);
  await overItems(async (doItem) => {
    for (const window of closed) {
      if (isStopping()) return;
      await doItem(window.calendar_id, () => closeWindow(db, window, now));
    }
  });
}

/** The first and the last new entry of a calendar. */
type Touched = Pick<HistoryRow, "calendar_id" | "account_id"> & {
  readonly first: number;
  readonly last: number;
};

async function openWindows(db: Database, now: number): Promise<void> {
  const known = await findProperty(db.read, cursorProperty);
  const cursor = known === undefined ? await newestEntry(db.read) : Number(known);
  const entries = () =>
    history(db.read)
      .where("id", ">", cursor)
      .where("event_id", ">", 0)
      .where("created_at", ">", now - newSeconds);
  const touched = await touchedBy(entries);
  const old = history(db.read)
    .where("id", ">", cursor)
    .where("created_at", "<=", now - lookBackSeconds);
  const next = (await old.max({ id: "id" }).first())?.id ?? cursor;
  if (touched.length === 0 && known !== undefined && next === cursor) return;
  await db.transaction(async (trx) => {
    for (const one of touched) await openWindow(trx, one, now);
    await setProperty(trx, cursorProperty, String(next));
  });
}

/** Returns the first and the last entry of each calendar, among them the moves of events that have left it. */
async function touchedBy(entries: () => ReturnType<typeof history>): Promise<readonly Touched[]> {
  const groups = entries().groupBy("calendar_id", "account_id").min({ first: "id" }).max({ last: "id" });
  const rows: readonly Touched[] = await groups.select("calendar_id", "account_id");
  const touched = new Map(rows.map((row) => [row.calendar_id, row]));
  for (let after = 0, count = movesAtOnce; count === movesAtOnce;) {
    const moves = entries()
      .where({ action: "moved" })
      .where("id", ">", after)
      .orderBy("id")
      .limit(movesAtOnce);
    const some = await moves.select("id", "account_id", "changes");
    for (const { id, account_id, changes } of some) {
      after = id;
      const { calendar_id: left }: { readonly calendar_id?: readonly [number] } = JSON.parse(changes);
      if (left === undefined) continue;
      const [calendar_id] = left;
      const { first, last } = touched.get(calendar_id) ?? { first: id, last: id };
      touched.set(calendar_id, {
        calendar_id,
        account_id,
        first: Math.min(first, id),
        last: Math.max(last, id),
      });
    }
    count = some.length;
  }
  return [...touched.values()];
}

/**
 * Opens the window of a calendar, unless it is open or all its entries were gathered. It begins where the last one ended: an entry
 * that was gathered then may be among those that are read again, and what came after it is still to be told.
 */
async function openWindow(
  trx: Db,
  { calendar_id, account_id, first, last }: Touched,
  now: number,
): Promise<void> {
  const window = await windows(trx).where({ calendar_id }).first("entry_id", "closes_at");
  if (window !== undefined && (window.closes_at !== null || window.entry_id >= last)) return;
  const seconds = (await hasManyNews(trx, calendar_id, now)) ? newsPerDay.thenEverySeconds : windowSeconds;
  const opened = { entry_id: Math.max(window?.entry_id ?? 0, first - 1), closes_at: now + seconds };
  await windows(trx)
    .insert({ calendar_id, account_id, ...opened })
    .onConflict("calendar_id")
    .ignore();
  await windows(trx)
    .where({ calendar_id })
    .whereNull("closes_at")
    .where("entry_id", "<", last)
    .update(opened);
}

async function hasManyNews(trx: Db, calendar_id: number, now: number): Promise<boolean> {
  const oldest = await trx<NewsRow>("news")
    .where({ calendar_id, kind: "changes" })
    .orderBy("id", "desc")
    .offset(newsPerDay.many - 1)
    .first("created_at");
  return oldest !== undefined && oldest.created_at > now - 86_400;
}

async function closeWindow(db: Database, window: NewsWindowRow, now: number): Promise<void> {
  const { content, last } = await db.list(window.account_id, (on) =>
    on.snapshot((trx) => gather(trx, window, now)),
  );
  const { calendar_id, account_id, entry_id, closes_at } = window;
  await db.transaction(async (trx) => {
    // Another server may have closed it, or the calendar was removed.
    const closed = await windows(trx)
      .where({ calendar_id, entry_id, closes_at })
      .update({ entry_id: last, closes_at: null });
    if (closed === 0 || content.total === 0) return;
    const row = {
      account_id,
      calendar_id,
      created_at: now,
      shown_until: 0,
      kind: "changes",
      subject: "",
    } as const;
    await addNews(trx, { ...row, content: JSON.stringify(content) });
  });
}

/** Reads what has changed since the last window, on one state of the data. */
async function gather(
  trx: Db,
  { calendar_id, account_id, entry_id }: NewsWindowRow,
  now: number,
): Promise<{ readonly content: NewsContent; readonly last: number }> {
  const entries = () =>
    history(trx)
      .where({ account_id })
      .where("id", ">", entry_id)
      .where("event_id", ">", 0)
      .where("created_at", ">", now - newSeconds - newsPerDay.thenEverySeconds)
      .where((of) => void of.where({ calendar_id }).orWhere((move) => void leaves(move, calendar_id)));
  const last = (await entries().max({ id: "id" }).first())?.id ?? entry_id;
  const ids = await comparable(trx, entries);
  if (ids === undefined)
    return { last, content: { changes: [], total: await countSoon(trx, entries, calendar_id, now) } };
  const changes = [];
  for (let from = 0; from < ids.length; from += sliceSize) {
    const slice = ids.slice(from, from + sliceSize);
    const events = await trx<EventRow>("events").whereIn("id", slice).select<CurrentEvent[]>(currentColumns);
    const rows = await entries().whereIn("event_id", slice).orderBy("id");
    const parsed = rows.map((row): Entry => ({ ...row, changes: JSON.parse(row.changes) }));
    for (const event of events) {
      const change = newsOf(
        parsed.filter((entry) => concerns(entry, event, calendar_id)),
        event,
        calendar_id,
        now,
      );
      if (change !== undefined) changes.push(change);
    }
  }
  changes.sort((one, other) => one.start_at - other.start_at || one.event_id - other.event_id);
  return { last, content: { changes: changes.length > mostListed ? [] : changes, total: changes.length } };
}

/** Returns the events that entries tell of; undefined where they are too many, or their texts too long. */
async function comparable(
  trx: Db,
  entries: () => ReturnType<typeof history>,
): Promise<readonly number[] | undefined> {
  const told = entries()
    .where({ quiet: 0 })
    .distinct()
    .orderBy("event_id")
    .limit(mostCompared + 1);
  const ids: number[] = await told.pluck("event_id");
  const size = await entries()
    .sum({ characters: trx.raw("length(changes)") })
    .first();
  return ids.length > mostCompared || Number(size?.characters) > mostCharacters ? undefined : ids;
}

/** Takes the moves of events that left a calendar, as `changes` is written. */
function leaves(entries: ReturnType<typeof history>, calendar_id: number) {
  return entries.where({ action: "moved" }).where("changes", "like", `%"calendar_id":[${calendar_id},%`);
}

/** Whether an entry is of the event and of what followers of the calendar saw of it: what another one had does not concern them. */
function concerns(
  { event_id, calendar_id, changes }: Entry,
  { id }: CurrentEvent,
  calendarId: number,
): boolean {
  return event_id === id && (calendar_id === calendarId || changes["calendar_id"]?.[0] === calendarId);
}

const currentColumns = [
  "id",
  "calendar_id",
  "uid",
  "title",
  "categories",
  "status",
  "state",
  "preview_key",
  "location",
  "start_at",
  "end_at",
  "start_local",
  "end_local",
  "all_day",
  "description",
  "url",
  "organizer",
] as const satisfies readonly (keyof CurrentEvent)[];

/** How many events that have not ended, of today and the next days, were written. */
async function countSoon(
  trx: Db,
  entries: () => ReturnType<typeof history>,
  calendar_id: number,
  now: number,
): Promise<number> {
  const soon = trx("published_events")
    .where({ calendar_id })
    .whereRaw(hasNotEnded, [now, now - longestDaySeconds])
    .where("start_at", "<=", now + horizonSeconds);
  return countRows(soon.whereIn("id", entries().where({ quiet: 0 }).select("event_id")));
}
