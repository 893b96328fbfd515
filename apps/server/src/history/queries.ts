import { type Member, requireRoom } from "../db/batch.js";
import type { Db, Reader } from "../db/database.js";
import type { HistoryRow, ListedEntry } from "../db/rows.js";
import { named } from "../db/trace.js";
import type { Difference } from "../record/differences.js";

const history = (db: Db) => db<HistoryRow>("history");

/** Which entries of an account. */
export interface HistoryFilter {
  readonly accountId: number;
  readonly calendarId: number | undefined;
  readonly eventId: number | undefined;
  readonly personId: number | undefined;
  /** The calendars that are shown; undefined for all. */
  readonly calendars: ReadonlySet<number> | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** SQL: calendars `c` that are there, or can be restored. */
const isKept = "(c.deleted_at is null or c.trashed = 1)";

/** Returns a page of the history, newest first. */
export async function listHistory(
  { read }: Reader,
  { accountId, calendarId, eventId, personId, calendars, limit, offset }: HistoryFilter,
): Promise<readonly ListedEntry[]> {
  const page = history(read)
    .where({ account_id: accountId })
    .whereRaw(`exists (select 1 from calendars as c where c.id = history.calendar_id and ${isKept})`);
  if (calendarId !== undefined) void page.where({ calendar_id: calendarId });
  if (eventId !== undefined) void page.where({ event_id: eventId });
  if (personId !== undefined) void page.where({ author: "person", author_id: personId });
  if (calendars !== undefined) void page.whereIn("calendar_id", [...calendars]);
  return read
    .from(page.orderBy("id", "desc").limit(limit).offset(offset).as("h"))
    .joinRaw("left join events as e on e.id = h.event_id")
    .joinRaw("left join trashed_events as t on t.id = h.event_id")
    .joinRaw("left join calendars as c on h.event_id = 0 and c.id = h.calendar_id")
    .joinRaw("left join tokens as k on h.author = 'token' and k.id = h.author_id")
    .joinRaw("left join people as p on h.author = 'person' and p.id = h.author_id")
    .orderBy("h.id", "desc")
    .select<ListedEntry[]>(
      "h.*",
      read.raw("coalesce(e.title, t.title, c.title) as title"),
      read.raw("coalesce(k.name, p.name) as name"),
    );
}

/** Reports whether the account has an event, a draft, or one that it can restore. */
export async function hasEvent(on: Reader, accountId: number, id: number): Promise<boolean> {
  return (await on.query(hasEventSql, [accountId, id])).length > 0;
}

const hasEventSql = named(
  "find event with history",
  `select 1 from events as e join calendars as c on c.id = e.calendar_id and ${isKept}
    where e.account_id = $1 and e.id = $2
  union all select 1 from trashed_events as e join calendars as c on c.id = e.calendar_id and ${isKept}
    and (e.deleted_at = 0 or e.feed_version > c.purged_version)
    where e.account_id = $1 and e.id = $2`,
);

/** Entries that are read at once: as many long texts fill 4 MB. */
const mostRead = 64;

/**
 * Returns what a locked event was after an entry of its history, by column: those that no later entry has are as they are now. Undefined
 * when the event has no such entry.
 * @throws BudgetExceeded when the entries since are more, or longer, than a write may read
 */
export async function stateAfter(
  member: Member,
  trx: Db,
  { account_id, event_id, id }: Pick<HistoryRow, "account_id" | "event_id" | "id">,
): Promise<Readonly<Record<string, Difference[0]>> | undefined> {
  if ((await history(trx).where({ id, event_id }).first("id")) === undefined) return undefined;
  const state: Record<string, Difference[0]> = {};
  let [entries, bytes] = [0, 0];
  for (let after = id; ;) {
    const later = history(trx)
      .where({ account_id, event_id })
      .where("id", ">", after)
      .orderBy("id")
      .limit(mostRead);
    const rows = await later.select("id", "changes");
    for (const row of rows) {
      const changes: Readonly<Record<string, Difference>> = JSON.parse(row.changes);
      for (const [name, [before]] of Object.entries(changes)) if (!(name in state)) state[name] = before;
      after = row.id;
      bytes += row.changes.length;
    }
    if (rows.length < mostRead) return state;
    entries += rows.length;
    requireRoom(member, entries, bytes);
  }
}
