import { type LockedCalendar, lockCalendarOfEvent, lockTogether } from "../calendars/lock-queries.js";
import type { Transaction } from "../db/transaction.js";
import { columnsExcept, deletedEventColumns, eventColumns, insertRow, updateRow } from "../db/columns.js";
import { requireReadable } from "../db/refusals.js";
import type { Db } from "../db/database.js";
import type { DeletedEventRow, EventRow, StoredEventRow } from "../db/rows.js";
import { stored } from "./revisions.js";

// Events of every state are rows of one table. What followers and the contract read comes from the view `published_events` alone, so
// that no query of theirs can show a draft, or what is in the trash.

const published = (db: Db) => db<EventRow>("published_events as events");

/** SQL: an event, or a draft, that is not in the trash. */
export const isThere = "state <> 'trashed'";

/** All of an event except its list item. */
export const rowColumns = columnsExcept(eventColumns, "json");

/** SQL: the sync that an event of that table or name is of, as long as there is that sync. */
export const syncedSql = (events: string): string => `(select y.id from imported_events as k
  join calendar_syncs as y on y.id = k.sync_id where k.event_id = ${events}.id) as synced_by`;

/** SQL: both of the event `e`. */
export const rowSql = [...rowColumns.map((name) => `e.${name}`), syncedSql("e")].join(", ");

/** Returns the published ones of these events. */
export async function findEvents(db: Db, ids: readonly number[]): Promise<readonly EventRow[]> {
  return published(db)
    .whereIn("id", [...ids])
    .orderBy("id")
    .select(...rowColumns, db.raw(syncedSql("events")));
}

/** SQL: the bytes of an event's long texts, which are not read for it. */
export const sizeSql = "octet_length(description) + octet_length(custom_data)";

/** What has long texts, and their bytes. */
export interface Sized {
  readonly size: number;
}

/** Where a slice of a calendar's events begins and ends. */
interface EventSlice {
  /** The first event is the one after this. */
  readonly id: number;
  readonly limit: number;
  /** Of long texts: no event follows the first that goes beyond. */
  readonly bytes: number;
}

/** Some published events of a calendar in the order of their ids: for reading all of them in pieces. */
export async function eventsAfter(
  db: Db,
  calendarId: number,
  { id, limit, bytes }: EventSlice,
): Promise<readonly EventRow[]> {
  const slice = published(db)
    .where({ calendar_id: calendarId })
    .where("id", ">", id)
    .orderBy("id")
    .limit(limit)
    .select("id", db.raw(`${sizeSql} as size`));
  const measured = db
    .select("id", db.raw("sum(size) over (order by id rows unbounded preceding) - size as preceding"))
    .from(slice.as("slice"));
  return db
    .select<EventRow[]>(rowColumns.map((name) => `events.${name}`))
    .from(measured.as("measured"))
    .join("published_events as events", "events.id", "measured.id")
    .where("preceding", "<=", bytes)
    .orderBy("measured.id");
}

/** An event or a draft that no one else can change, and its calendar. */
export interface LockedEvent {
  readonly event: EventRow;
  readonly calendar: LockedCalendar;
}

/** Locks an event or a draft and its calendar. Undefined when it is absent, another account's, or its calendar is deleted. */
export async function lockEvent(trx: Transaction, of: Owned, id: number): Promise<LockedEvent | undefined> {
  const locked = await lockHeld(trx, of, id);
  // It moved while its calendar was waited for: then it stays where it is now.
  const found = locked === "moved" ? await lockHeld(trx, of, id) : locked;
  return found === "moved" ? undefined : found;
}

/** The same of an event that followers see: the contract knows no drafts. */
export async function lockPublished(
  trx: Transaction,
  of: Owned,
  id: number,
): Promise<LockedEvent | undefined> {
  const found = await lockEvent(trx, of, id);
  return found?.event.state === "published" ? found : undefined;
}

/** Whose events: those of an account, in the calendars that a person is restricted to. An event may have moved since that was looked up. */
export interface Owned {
  readonly accountId: number;
  readonly calendars?: ReadonlySet<number> | undefined;
}

/** Returns "moved" when another calendar than that of the event is locked, or none. */
async function lockHeld(
  trx: Transaction,
  { accountId, calendars }: Owned,
  id: number,
): Promise<LockedEvent | "moved" | undefined> {
  // The calendar first, as every change of its events does; the event is read when no one else can change it. Both are sent at
  // once: PostgreSQL runs the statements of a connection in their order, and SQLite has one writer.
  const [calendar, event] = await Promise.all([
    lockCalendarOfEvent(trx, accountId, id),
    findOwned(trx, accountId, id),
  ]);
  if (event === undefined || calendars?.has(event.calendar_id) === false) return undefined;
  return calendar?.id !== event.calendar_id ? "moved" : { event, calendar };
}

/** Events whose rows are read at once: as many long texts fill 4 MB. */
const mostRead = 64;

/**
 * Locks events and drafts and their calendars. Returns those that there are, by id, in the order of the request: of two with one UID the
 * first one moves. @throws WriteTooLarge when they are longer than a write may read
 */
export async function lockEvents(
  trx: Transaction,
  accountId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, LockedEvent>> {
  // All calendars in one statement, so in one order; the texts of the events in several.
  const calendars = await lockTogether(trx, accountId, { eventIds: ids });
  requireReadable(await sizesOf(trx, accountId, ids));
  const found = new Map<number, LockedEvent>();
  for (let from = 0; from < ids.length; from += mostRead) {
    const some = ids.slice(from, from + mostRead);
    const events = new Map((await findAllOwned(trx, accountId, some)).map((event) => [event.id, event]));
    for (const id of some) {
      const event = events.get(id);
      const calendar = event && calendars.get(event.calendar_id);
      if (event !== undefined && calendar !== undefined) found.set(id, { event, calendar });
    }
  }
  return found;
}

const ownedSql = `select ${rowSql} from events as e where e.account_id = $1 and e.${isThere} and e.id`;

/** Finds an event by its id and its account: to read another's long texts takes a time that shows that they exist (rulings R2.3). */
async function findOwned(trx: Transaction, accountId: number, id: number): Promise<EventRow | undefined> {
  const [event] = await trx.query<EventRow>(`${ownedSql} = $2`, [accountId, id]);
  return event;
}

function sizesOf(trx: Transaction, accountId: number, ids: readonly number[]) {
  const those = `select cast(value as bigint) from ${trx.dialect.items}($2)`;
  const sql = `select ${sizeSql} as size from events as e where e.account_id = $1 and e.${isThere} and e.id in (${those})`;
  return trx.query<Sized>(sql, [accountId, JSON.stringify(ids)]);
}

function findAllOwned(trx: Transaction, accountId: number, ids: readonly number[]) {
  const { items } = trx.dialect;
  return trx.query<EventRow>(`${ownedSql} in (select cast(value as bigint) from ${items}($2))`, [
    accountId,
    JSON.stringify(ids),
  ]);
}

const inserted = insertRow("events", columnsExcept(eventColumns, "id"));

const insertedWithId = insertRow("events", columnsExcept(eventColumns));

/** Stores an event whose id was drawn before. */
export function insertEventWithId(trx: Transaction, row: EventRow): void {
  trx.send(insertedWithId.sql, insertedWithId.values(stored(row)));
}

/** Stores an event. Returns its id. */
export async function insertEvent(trx: Transaction, row: EventRow): Promise<number> {
  const values = inserted.values(stored(row));
  const [made] = await trx.query<Pick<EventRow, "id">>(`${inserted.sql} returning id`, values);
  if (made === undefined) throw new Error("insert returned no id");
  return made.id;
}

/** Stores what a change makes of a locked event. */
export function updateEvent(trx: Transaction, event: EventRow, row: EventRow): void {
  const isInPlace = indexedColumns.every((name) => row[name] === event[name]);
  const { sql, values } = row.state === "trashed" ? updateState : isInPlace ? updateInPlace : updateWhole;
  trx.send(sql, values(stored(row)));
}

/** A deletion leaves the event as it is otherwise. */
const updateState = updateRow("events", ["state", "deleted_at", "publish_at", "feed_version"]);

const never = ["id", "account_id", "uid", "created_at", "moves"] as const;

const updateWhole = updateRow("events", columnsExcept(eventColumns, ...never));

/** What indexes and their conditions have, and the counts (db/schema.ts). */
const indexedColumns = [
  "calendar_id",
  "state",
  "deleted_at",
  "publish_at",
  "preview_key",
  "series_id",
  "series_place",
  "start_at",
  "start_month",
  "end_at",
  "all_day",
  "start_local",
  "end_local",
  "status",
  "color_id",
] as const;

/** Of events that are when they were: most indexes stay as they are, so less is written to the disk (docs/decisions/0010). */
const updateInPlace = updateRow("events", columnsExcept(eventColumns, ...never, ...indexedColumns));

const deletion = insertRow("deleted_events", columnsExcept(deletedEventColumns));

/** Keeps for those who follow the changes that an event is no longer in its calendar. */
export function storeDeletion(trx: Transaction, row: DeletedEventRow): void {
  trx.send(deletion.sql, deletion.values(row));
}

/** Removes an event for good, and by triggers what belongs to it. */
export function deleteEventRow(trx: Transaction, { id }: Pick<EventRow, "id">): void {
  trx.send("delete from events where id = $1", [id]);
}

/** Stores an event that new zone data rescheduled. Its calendar's row must be locked since before it was read. */
export async function updateInstants(db: Db, rescheduled: EventRow): Promise<void> {
  const { id, start_at, end_at, feed_version, moves, moved_at, json } = stored(rescheduled);
  await db<StoredEventRow>("events")
    .where({ id })
    .update({ start_at, end_at, feed_version, moves, moved_at, json });
}

/** Forgets the first that were deleted before `before`, in Unix seconds. Returns how many. */
export function forgetDeleted(trx: Db, before: number, most: number): Promise<number> {
  const rows = () => trx<DeletedEventRow>("deleted_events");
  const some = rows().where("deleted_at", "<", before).orderBy("deleted_at").limit(most);
  return rows().whereIn("id", some.select("id")).delete();
}

/** A draft whose time has come, and how often its publishing has begun. */
export type DueDraft = Pick<EventRow, "id" | "account_id"> & { readonly attempts: number };

/** The name of the job that publishes a draft. */
export const draftJob = (id: number): string => `draft ${id}`;

/**
 * Returns drafts whose time has come, those that were not tried before: of each account the first, then of each the second, those that
 * wait longest before others.
 */
export async function findDueDrafts(db: Db, now: number, limit: number): Promise<DueDraft[]> {
  const due = db<EventRow>("events as e")
    .join("calendars as c", "c.id", "e.calendar_id")
    .whereNull("c.deleted_at")
    .whereRaw("e.state = 'draft' and e.publish_at is not null and e.publish_at <= ?", [now])
    .joinRaw("left join jobs as j on j.name = 'draft ' || e.id")
    .whereRaw("coalesce(j.next_at, 0) <= ?", [now])
    .select(
      "e.id",
      "e.account_id",
      db.raw("coalesce(j.attempts, 0) as attempts"),
      "e.publish_at",
      db.raw("row_number() over (partition by e.account_id order by e.publish_at, e.id) as place"),
    );
  return db
    .from(due.as("due"))
    .orderBy(["attempts", "place", "publish_at", "id"])
    .limit(limit)
    .select("id", "account_id", "attempts");
}
