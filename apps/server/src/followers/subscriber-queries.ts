import type { PublicFeed } from "../calendars/public-queries.js";
import type { ListedCalendar } from "../calendars/queries.js";
import { namesOf } from "../calendars/category-names.js";
import type { Transaction } from "../db/transaction.js";
import {
  columnsExcept,
  insertRow,
  type ShownSubscriber,
  shownSubscriberColumns,
  subscriberColumns,
} from "../db/columns.js";
import { type Database, type Db, onlyRow, type Reader } from "../db/database.js";
import { countRows, type Order, orderSql, type Rows } from "../db/paging.js";
import type { CalendarDayRow, SubscriberRow } from "../db/rows.js";
import { addAllToDays } from "./statistics-queries.js";
import { dayIndex } from "../time/formats.js";
import { addToCounters, counterChange } from "./counter-queries.js";

const subscribers = (db: Db) => db<SubscriberRow>("subscribers");

export interface SubscriberFilter {
  readonly only?: "inactive" | "blocked";
  /** Unix seconds: from the first, before the second. */
  readonly between?: readonly [from: number, before: number];
}

// Written out, not bound: a partial index is used only when the planner can see the value.
const only = { inactive: "active = 0", blocked: "blocked = 1", everyone: "1 = 1" };

function filtered(db: Db, calendarId: number, filter: SubscriberFilter) {
  const { between } = filter;
  const query = subscribers(db)
    .where({ calendar_id: calendarId })
    .whereRaw(only[filter.only ?? "everyone"]);
  if (between === undefined) return query;
  return query.where("subscribed_at", ">=", between[0]).where("subscribed_at", "<", between[1]);
}

interface SubscriberListOptions extends SubscriberFilter, Rows {
  readonly order: Order;
}

export async function listSubscribers(
  on: Reader,
  calendarId: number,
  options: SubscriberListOptions,
): Promise<readonly ShownSubscriber[]> {
  const { sql, values } = subscribersQuery(on, calendarId, options);
  const [page] = await on.query<{ readonly rows: Buffer | string | null }>(sql, values);
  const rows: readonly ShownSubscriber[] = JSON.parse(`[${String(page?.rows ?? "")}]`);
  return rows;
}

/** The query of a page: its rows as JSON, since the sqlite3 package makes each value of a row by itself (docs/decisions/0009). */
export function subscribersQuery(
  { dialect }: Pick<Reader, "dialect">,
  calendarId: number,
  { only: which, between, order, limit, offset }: SubscriberListOptions,
): { readonly sql: string; readonly values: readonly number[] } {
  const dates = between === undefined ? "" : " and subscribed_at >= $2 and subscribed_at < $3";
  const values = [calendarId, ...(between ?? []), limit, offset];
  const rows = `select ${shownSubscriberColumns.join(", ")} from subscribers
    where calendar_id = $1 and ${only[which ?? "everyone"]}${dates}
    order by ${orderSql(order, "subscribed_at")} limit cast($${values.length - 1} as bigint) offset cast($${values.length} as bigint)`;
  const row = dialect.jsonObject(shownSubscriberColumns);
  return {
    sql: `select ${dialect.joined(row)} as rows from (${rows}) as page`,
    values,
  };
}

/** The same, with all columns. */
export async function findSubscribers(
  db: Db,
  calendarId: number,
  options: SubscriberListOptions,
): Promise<readonly SubscriberRow[]> {
  const { order, limit, offset } = options;
  return filtered(db, calendarId, options)
    .orderByRaw(orderSql(order, "subscribed_at"))
    .limit(limit)
    .offset(offset);
}

/** Some subscribers in the order of their ids, from the first after `id`: for reading all of them in pieces. */
export async function subscribersAfter(
  db: Db,
  calendarId: number,
  { id, limit }: { readonly id: number; readonly limit: number },
): Promise<readonly SubscriberRow[]> {
  return subscribers(db).where({ calendar_id: calendarId }).where("id", ">", id).orderBy("id").limit(limit);
}

/** Returns the subscribers with an e-mail address, whatever its case, of all accounts or of one, in the order of their ids. */
export async function subscribersWithEmail(
  db: Db,
  email: string,
  accountId: number | undefined,
): Promise<readonly SubscriberRow[]> {
  const found: SubscriberRow[] = [];
  let rows: readonly SubscriberRow[] = [];
  do {
    const query = subscribers(db)
      .where("id", ">", rows.at(-1)?.id ?? 0)
      .whereNot({ email: "" });
    if (accountId !== undefined) query.where({ account_id: accountId });
    rows = await query.orderBy("id").limit(1_000);
    // Compared here: lower() of SQLite is of ASCII alone.
    found.push(...rows.filter((row) => row.email.toLowerCase() === email.toLowerCase()));
  } while (rows.length > 0);
  return found;
}

/** How many subscribers match. Without dates the kept counters say it. */
export async function countSubscribers(
  db: Db,
  calendar: ListedCalendar,
  filter: SubscriberFilter,
): Promise<number> {
  if (filter.between === undefined) {
    if (filter.only === "inactive") return calendar.followers_inactive;
    if (filter.only === "blocked") return calendar.followers_blocked;
    return calendar.followers_total;
  }
  return countRows(filtered(db, calendar.id, filter));
}

export async function findSubscriber(
  db: Db,
  calendarId: number,
  id: number,
): Promise<SubscriberRow | undefined> {
  return subscribers(db).where({ id, calendar_id: calendarId }).first();
}

/** Returns a subscriber of any calendar. */
export async function findSubscriberById(db: Db, id: number): Promise<SubscriberRow | undefined> {
  return subscribers(db).where({ id }).first();
}

type Optional =
  | "key_hash"
  | "combined_hash"
  | "last_seen_at"
  | "type_confirmed"
  | "unfollowed_at"
  | "categories"
  | "news"
  | "news_asked_at"
  | "language";

export type NewSubscriber = Omit<SubscriberRow, "id" | Optional> & Partial<Pick<SubscriberRow, Optional>>;

/** Adds a subscriber and counts it on its calendar. Call it in a transaction. */
export async function insertSubscriber(db: Db, subscriber: NewSubscriber): Promise<SubscriberRow> {
  const { calendar_id, subscribed_at } = subscriber;
  await addToCounters(db, calendar_id, counterChange([[undefined, subscriber]]), subscribed_at);
  const row = { last_seen_at: subscribed_at, ...subscriber };
  return onlyRow(await subscribers(db).insert(row).returning("*"));
}

/** How many followers of a kind a slice of the table has. */
interface FollowerCount {
  readonly calendar_type: string;
  readonly active: number;
  readonly blocked: number;
  /** Whether their calendar was deleted, which leaves their rows. */
  readonly is_deleted: number;
  readonly count: number;
  /** The highest id among them. */
  readonly last: number;
}

/** Counts the followers of all calendars by app, up to `limit` of them from the first after `id`: a reader is busy for moments only. */
export async function countFollowersAfter(
  db: Db,
  { id, limit }: { readonly id: number; readonly limit: number },
): Promise<readonly FollowerCount[]> {
  const kind = ["calendar_type", "active", "blocked"] as const;
  const slice = subscribers(db)
    .where("id", ">", id)
    .orderBy("id")
    .limit(limit)
    .select("id", "calendar_id", ...kind);
  const isDeleted = "case when calendars.deleted_at is null then 0 else 1 end";
  const rows: readonly FollowerCount[] = await db
    .from(slice.as("slice"))
    .join("calendars", "calendars.id", "slice.calendar_id")
    .select(...kind, db.raw(`${isDeleted} as is_deleted`))
    .count({ count: "*" })
    .max({ last: "slice.id" })
    .groupBy(...kind, db.raw(isDeleted));
  return rows;
}

/** A follower and what its feed needs of the calendar. */
export type Follower = Omit<PublicFeed, "uniquekey"> &
  Pick<SubscriberRow, "calendar_type" | "type_confirmed" | "blocked" | "active" | "unfollowed_at"> &
  Pick<SubscriberRow, "last_seen_at" | "categories"> & {
    readonly key_hash: string;
    readonly subscriber_id: number;
  };

/** Returns the follower behind a key's hash, its calendar deleted or not: one row of one index. */
export async function findFollower(db: Database, keyHash: string): Promise<Follower | undefined> {
  const [row] = await db.lookUp<Follower>(followersSql("$1"), [keyHash]);
  return row;
}

const followerSql = `s.id as subscriber_id, s.calendar_id, c.account_id, s.calendar_type, s.type_confirmed, s.blocked, s.active,
    s.unfollowed_at, s.last_seen_at, s.categories, c.feed_version, c.feed_modified_at, c.feed_cut, c.deleted_at
  from subscribers as s join calendars as c on c.id = s.calendar_id`;

/** SQL that selects the followers with these hashes of keys. */
export const followersSql = (keyHashes: string): string =>
  `select s.key_hash, ${followerSql} where s.key_hash in (${keyHashes})`;

/** A follower of one of the calendars of a feed of several (extensions X11.3). */
export type CombinedFollower = Omit<Follower, "key_hash">;

/** Returns the followers that share a key, in the order of their calendars: one person, of several calendars. */
export async function findCombined(
  db: Pick<Database, "lookUp">,
  keyHash: string,
): Promise<readonly CombinedFollower[]> {
  return db.lookUp<CombinedFollower>(combinedSql, [keyHash]);
}

const combinedSql = `select ${followerSql} where s.combined_hash = $1 order by s.calendar_id, s.id`;

/** Stores a new follower and counts it on its calendar, which must be locked. Returns its id. */
export async function insertFollower(trx: Transaction, follower: NewFollower): Promise<number> {
  const { calendar_id, subscribed_at } = follower;
  const row = { calendar_id, day: dayIndex(subscribed_at), name: "", count: 1 };
  const counts = [
    { ...row, kind: "followed" },
    { ...row, kind: "active" },
  ] as const;
  const [id] = await Promise.all([
    insertFollowerRow(trx, follower),
    countFollower(trx, follower),
    addAllToDays(trx, [...counts, ...picksOf(follower, subscribed_at)]),
  ]);
  return id;
}

/** Returns the counts of the categories that a follower picks at `now`, of which some may be picked before. */
export function picksOf(
  { calendar_id, categories }: Pick<SubscriberRow, "calendar_id" | "categories">,
  now: number,
  before: SubscriberRow["categories"] = null,
): readonly CalendarDayRow[] {
  const known = namesOf(before ?? "");
  return namesOf(categories ?? "")
    .filter((name) => !known.includes(name))
    .map((name) => ({ calendar_id, kind: "picks", day: dayIndex(now), name, count: 1 }));
}

type NewFollower = Omit<SubscriberRow, "id">;

const inserted = insertRow("subscribers", columnsExcept(subscriberColumns, "id"));

async function insertFollowerRow(trx: Transaction, follower: NewFollower): Promise<number> {
  const [row] = await trx.query<Pick<SubscriberRow, "id">>(
    `${inserted.sql} returning id`,
    inserted.values(follower),
  );
  if (row === undefined) throw new Error("insert returned no id");
  return row.id;
}

async function countFollower(trx: Transaction, { calendar_id }: NewFollower): Promise<void> {
  await trx.query(
    `update calendars set followers_total = followers_total + 1, followers_active = followers_active + 1
     where id = $1`,
    [calendar_id],
  );
}
