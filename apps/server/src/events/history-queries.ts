import { requireSize } from "../db/refusals.js";
import type { Db, Reader } from "../db/database.js";
import { columnsExcept, historyColumns } from "../db/columns.js";
import type { Rows } from "../db/paging.js";
import type { EventRow, HistoryRow, ListedEntry } from "../db/rows.js";
import { isKept } from "../calendars/queries.js";
import { isThere } from "./queries.js";
import type { Difference } from "../calendars/differences.js";

const history = (db: Db) => db<HistoryRow>("history");

export interface HistoryFilter extends Rows {
  readonly accountId: number;
  readonly calendarId: number | undefined;
  readonly eventId: number | undefined;
  readonly personId: number | undefined;
  /** The calendars that are shown; undefined for all. */
  readonly calendars: ReadonlySet<number> | undefined;
}

/** SQL: an event `e`, or a draft, that is there, or can be restored. */
const isKeptEvent = `exists (select 1 from calendars as c where c.id = e.calendar_id and ${isKept("c")}
  and (e.${isThere} or e.feed_version > c.purged_version))`;

/** Entries of the account itself and of calendars that are there; of what was removed for good the texts are hidden until a job has removed them. */
function shown(db: Db, { accountId, calendars }: Pick<HistoryFilter, "accountId" | "calendars">) {
  const entries = history(db)
    .where({ account_id: accountId })
    .whereRaw(
      `(calendar_id = 0 or exists (select 1 from calendars as c where c.id = history.calendar_id and ${isKept("c")}))`,
    );
  return calendars === undefined ? entries : entries.whereIn("calendar_id", [...calendars]);
}

const columns = columnsExcept(historyColumns, "changes").map((name) => `h.${name}`);

/** Returns a page of the history, newest first. */
export async function listHistory(
  { read }: Reader,
  { calendarId, eventId, personId, limit, offset, ...of }: HistoryFilter,
): Promise<readonly ListedEntry[]> {
  const page = shown(read, of);
  if (calendarId !== undefined) void page.where({ calendar_id: calendarId });
  if (eventId !== undefined) void page.where({ event_id: eventId });
  if (personId !== undefined) void page.where({ author: "person", author_id: personId });
  return read
    .from(page.orderBy("id", "desc").limit(limit).offset(offset).as("h"))
    .joinRaw(`left join events as e on e.id = h.event_id and ${isKeptEvent}`)
    .joinRaw("left join calendars as c on h.event_id = 0 and c.id = h.calendar_id")
    .joinRaw("left join tokens as k on h.author = 'token' and k.id = h.author_id")
    .joinRaw("left join people as p on h.author = 'person' and p.id = h.author_id")
    .orderBy("h.id", "desc")
    .select<ListedEntry[]>(
      ...columns,
      read.raw("coalesce(e.title, c.title) as title"),
      read.raw("coalesce(e.calendar_id, c.id) as home_id"),
      "e.series_id",
      "e.start_local",
      read.raw(
        "case when h.calendar_id > 0 and coalesce(e.id, c.id) is null then '{}' else h.changes end as changes",
      ),
      read.raw("coalesce(k.name, p.name) as name"),
    );
}

/** Reports whether the account has an event, a draft, or one that it can restore. */
export async function hasEvent(on: Reader, accountId: number, id: number): Promise<boolean> {
  return (await on.query(hasEventSql, [accountId, id])).length > 0;
}

const hasEventSql = `select 1 from events as e where e.account_id = $1 and e.id = $2 and ${isKeptEvent}`;

/** Entries that are read at once: as many long texts fill 4 MB. */
const mostRead = 64;

/** Entries that are found before a transaction: as many as a revert may read. */
const mostFound = 20_000;

/** Entries of an event that were found before a transaction. */
export interface Found {
  readonly ids: readonly number[];
  /** All of the event that are newer were not found. */
  readonly last: number;
}

/**
 * Finds the entries of an event after one, for `stateAfter`: in the transaction it would keep SQLite's only writer for as long as the
 * account's history takes to read.
 */
export async function findEntries(
  { read, dialect }: Reader,
  account_id: number,
  { id, event_id }: { readonly id: number; readonly event_id: number },
): Promise<Found> {
  const own = () => history(read).where({ account_id });
  // Ids are committed in their order where there is one writer, elsewhere only those of one event.
  const hasOneWriter = dialect.lock("") === "";
  const newest = hasOneWriter ? await own().max({ id: "id" }).first() : undefined;
  const those = own().where({ event_id }).where("id", ">", id).orderBy("id").limit(mostFound);
  const ids: number[] = await those.pluck("id");
  const last = ids.at(-1) ?? id;
  return { ids, last: ids.length < mostFound ? Math.max(last, newest?.id ?? 0) : last };
}

/** What an event was, by column: those that no later entry has are as they are now. */
type State = Readonly<Record<string, Difference[0]>>;

/**
 * Returns what a locked event was after an entry of its history; undefined when the event has no such entry, and null when entries
 * since then are missing, of another calendar that is not among these or is gone.
 * @throws WriteTooLarge when the entries since are more, or longer, than a write may read
 */
export async function stateAfter(
  trx: Db,
  {
    id,
    event,
    calendars,
    found: { ids, last },
  }: Pick<HistoryFilter, "calendars"> & {
    readonly id: number;
    readonly event: EventRow;
    readonly found: Found;
  },
): Promise<State | null | undefined> {
  const own = () => shown(trx, { accountId: event.account_id, calendars }).where({ event_id: event.id });
  const entry = await own().where({ id }).first("calendar_id");
  if (entry === undefined) return undefined;
  const state: Record<string, Difference[0]> = {};
  let [bytes, place] = [0, entry.calendar_id];
  for (let [next, after] = [0, last]; ; next += mostRead) {
    const known = ids.slice(next, next + mostRead);
    const isKnown = known.length > 0;
    const some = isKnown ? own().whereIn("id", known) : own().where("id", ">", after);
    const rows = await some.orderBy("id").limit(mostRead).select("id", "calendar_id", "changes");
    for (const row of rows) {
      const changes: Readonly<Record<string, Difference>> = JSON.parse(row.changes);
      if ((changes["calendar_id"]?.[0] ?? row.calendar_id) !== place) return null;
      for (const [name, [before]] of Object.entries(changes)) if (!(name in state)) state[name] = before;
      place = row.calendar_id;
      bytes += row.changes.length;
      if (!isKnown) after = row.id;
    }
    if (!isKnown && rows.length < mostRead) return place === event.calendar_id ? state : null;
    requireSize(bytes);
  }
}
