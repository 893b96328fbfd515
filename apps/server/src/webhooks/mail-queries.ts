import type { Knex } from "knex";
import { type Db, onlyRow } from "../db/database.js";
import { forgetPerson } from "../db/kept-answers.js";
import { countRows, type Rows } from "../db/paging.js";
import type {
  AccountRow,
  CalendarRow,
  MailDeliveryRow,
  NewsRow,
  PersonRow,
  SubscriberRow,
} from "../db/rows.js";
import type { Transaction } from "../db/transaction.js";
import { daySeconds } from "../time/formats.js";
import { forgetSubscriber } from "./outbox-queries.js";
import { wakeMailSender } from "./wake.js";

// The outbox of e-mail (extensions X12.3). A row names who gets a message. The address is read when it is sent, so that no message goes to
// someone who has left meanwhile.

const deliveries = (db: Db) => db<MailDeliveryRow>("mail_deliveries");
const news = (db: Db) => db<NewsRow>("news");

/** How long a message may wait, in seconds: what is older is no news, such as that of a time without SMTP_URL. */
export const longestWait = 7 * daySeconds;

/** Messages that wait. */
const pending = (db: Db, now: number) =>
  deliveries(db)
    .whereRaw("state = 'pending'") // a literal, for the partial index
    .where("created_at", ">", now - longestWait);

/** News whose receivers have no deliveries yet, or not all. */
const toFill = (db: Db, now: number) =>
  news(db)
    .whereNotNull("fill_after")
    .where("created_at", ">", now - longestWait);

/** What a new delivery says. */
export type NewDelivery = Pick<
  MailDeliveryRow,
  "account_id" | "calendar_id" | "kind" | "priority" | "created_at"
> &
  Partial<Pick<MailDeliveryRow, "news_id" | "subscriber_id" | "person_id">>;

/** Stores a message, unless the same one waits already. */
export async function addDelivery(trx: Transaction, delivery: NewDelivery): Promise<void> {
  const { account_id, kind, priority, created_at, subscriber_id = 0, person_id = 0 } = delivery;
  const same = { account_id, kind, priority, subscriber_id, person_id };
  if ((await pending(trx, created_at).where(same).first("id")) !== undefined) return;
  await deliveries(trx).insert(delivery);
  trx.afterCommit.add(wakeMailSender);
}

/** Withdraws the pending links to confirm an address of these followers. The rows stay, because their attempts count in the minute. */
export async function withdrawConfirmations(
  trx: Db,
  followers: readonly Pick<SubscriberRow, "id" | "account_id">[],
): Promise<void> {
  const [ids, accounts] = [followers.map(({ id }) => id), followers.map(({ account_id }) => account_id)];
  await deliveries(trx)
    .where({ kind: "confirm", priority: 0 })
    .whereRaw("state = 'pending'") // a literal, for the partial index
    .whereIn("account_id", accounts)
    .whereIn("subscriber_id", ids)
    .update({ state: "skipped" });
}

/** Withdraws a person's pending link to sign in, so that a new one does not wait for its next attempt. */
export async function withdrawSignIn(
  trx: Db,
  { id: person_id, account_id }: Pick<PersonRow, "id" | "account_id">,
): Promise<void> {
  await deliveries(trx)
    .where({ kind: "sign_in", priority: 0, account_id, person_id })
    .whereRaw("state = 'pending'") // a literal, for the partial index
    .update({ state: "skipped" });
}

/** How many links to sign in an account has sent by e-mail since a time. */
export async function countSentLinks(db: Db, account_id: number, since: number): Promise<number> {
  const sent = deliveries(db).where({ account_id }).whereRaw("kind = 'sign_in'");
  return countRows(sent.where("created_at", ">", since));
}

/** Followers of a calendar who get news: confirmed, neither blocked nor gone. */
export function receiversOf(db: Db, calendarId: number): Knex.QueryBuilder<SubscriberRow, SubscriberRow[]> {
  return db<SubscriberRow>("subscribers")
    .where({ calendar_id: calendarId, blocked: 0 })
    .whereRaw("news = 2") // a literal, for the partial index
    .whereNull("unfollowed_at");
}

export async function countReceivers(db: Db, calendarId: number): Promise<number> {
  return countRows(receiversOf(db, calendarId));
}

/** The end of a message that was taken back, which is long over. */
const withdrawn = 0;

/** Whether it is a message that was taken back. */
export function isWithdrawn({ kind, shown_until }: Pick<NewsRow, "kind" | "shown_until">): boolean {
  return kind === "message" && shown_until === withdrawn;
}

export type NewNews = Omit<NewsRow, "id" | "receivers" | "sent" | "failed" | "fill_after">;

/** Stores news of a calendar, whose receivers get their deliveries a piece at a time. */
export async function addNews(trx: Transaction, row: NewNews): Promise<NewsRow> {
  const receivers = await countReceivers(trx, row.calendar_id);
  const fill_after = receivers === 0 ? null : 0;
  trx.afterCommit.add(wakeMailSender);
  const stored = { ...row, receivers, fill_after };
  return onlyRow(await news(trx).insert(stored).returning("*"));
}

/** How many messages a calendar has had since a time. */
export async function countMessages(db: Db, calendar_id: number, since: number): Promise<number> {
  return countRows(news(db).where({ calendar_id, kind: "message" }).where("created_at", ">", since));
}

/** Returns a page of the messages of a calendar, newest first. */
export async function listMessages(
  db: Db,
  calendar_id: number,
  { limit, offset }: Rows,
): Promise<readonly NewsRow[]> {
  return news(db).where({ calendar_id, kind: "message" }).orderBy("id", "desc").limit(limit).offset(offset);
}

/** Takes a message back: no page shows it, and no one who has not got it yet gets it. Undefined when the calendar has no such message. */
export async function withdrawMessage(
  trx: Db,
  calendar_id: number,
  id: number,
): Promise<NewsRow | undefined> {
  const [row] = await news(trx)
    .where({ id, calendar_id, kind: "message" })
    .update({ shown_until: withdrawn, fill_after: null })
    .returning("*");
  return row;
}

/** What news of kind "changes" list. */
interface Listed {
  readonly changes: readonly { readonly event_id: number }[];
  readonly total: number;
}

/** News of an account that are read at once: each may list 50 events. */
const readSize = 50;

/** Removes from news what they list of these events, which were removed for good. */
export async function forgetNews(trx: Db, account_id: number, events: readonly number[]): Promise<void> {
  const gone = new Set(events);
  for (let after = 0; ;) {
    const rows = await news(trx)
      .where({ account_id, kind: "changes" })
      .where("id", ">", after)
      .orderBy("id")
      .limit(readSize)
      .select("id", "content");
    for (const { id, content } of rows) {
      const read: Listed = JSON.parse(content);
      const changes = read.changes.filter(({ event_id }) => !gone.has(event_id));
      const total = read.total - (read.changes.length - changes.length);
      if (total < read.total)
        await news(trx)
          .where({ id })
          .update({ content: JSON.stringify({ ...read, changes, total }) });
      after = id;
    }
    if (rows.length < readSize) return;
  }
}

/** Receivers that get their deliveries in one transaction: few enough that other writers hardly wait. */
const fillSize = 1_000;

/** Gives the next receivers of the oldest news their deliveries. False when there are none. */
export async function fillNext(trx: Transaction, now: number): Promise<boolean> {
  const row = await toFill(trx, now).orderBy("id").forUpdate().first();
  if (row === undefined || row.fill_after === null) return false;
  const { id: news_id, account_id, calendar_id, fill_after } = row;
  const ids: number[] = await receiversOf(trx, calendar_id)
    .where("id", ">", fill_after)
    .orderBy("id")
    .limit(fillSize)
    .pluck("id");
  const delivery = { account_id, calendar_id, news_id, kind: "news", priority: 1, created_at: now } as const;
  if (ids.length > 0)
    await trx.batchInsert<MailDeliveryRow>(
      "mail_deliveries",
      ids.map((subscriber_id) => ({ ...delivery, subscriber_id })),
      80,
    );
  await news(trx)
    .where({ id: news_id })
    .update({ fill_after: ids.length < fillSize ? null : (ids.at(-1) ?? null) });
  return true;
}

export async function hasWork(db: Db, now: number): Promise<boolean> {
  const waits = pending(db, now).where("next_at", "<=", now).first("id");
  const fills = toFill(db, now).first("id");
  return (await fills) !== undefined || (await waits) !== undefined;
}

interface Taking {
  readonly now: number;
  /** Attempts a minute, of all servers. */
  readonly perMinute: number;
  /** The account whose message was taken last: the accounts take turns. */
  readonly after: number;
  readonly pauseAfter: (attempts: number) => number;
}

/** Counts an attempt of the next due message and stores when the next one may be made. Undefined when none is due or the minute is used up. */
export async function takeDelivery(
  trx: Transaction,
  { now, perMinute, after, pauseAfter }: Taking,
): Promise<MailDeliveryRow | undefined> {
  // One server at a time, so that all count the same minute.
  const locked = await trx.query(`select 1 as one where ${trx.dialect.tryLock("'mail'")}`, []);
  if (locked.length === 0) return undefined;
  if ((await countRows(deliveries(trx).where("attempted_at", ">", now - 60))) >= perMinute) return undefined;
  const due = (await nextDue(trx, 0, { now, after })) ?? (await nextDue(trx, 1, { now, after }));
  if (due === undefined) return undefined;
  const attempts = due.attempts + 1;
  const taken = { attempts, next_at: now + pauseAfter(attempts), attempted_at: now };
  await deliveries(trx).where({ id: due.id }).update(taken);
  return { ...due, ...taken };
}

async function nextDue(trx: Db, priority: 0 | 1, { now, after }: Pick<Taking, "now" | "after">) {
  const due = () =>
    pending(trx, now)
      .where({ priority })
      .where("next_at", "<=", now)
      .orderBy(["account_id", "next_at", "id"]);
  return (await due().where("account_id", ">", after).first()) ?? (await due().first());
}

/** Whom a message is for. */
export interface Receiver {
  readonly id: number;
  readonly address: string;
  readonly language: string;
  /** What a follower has picked; null for everything. */
  readonly categories: string | null;
  /** Whether it is a follower of several calendars by one address. */
  readonly isCombined: boolean;
}

/** Returns whom a message is for, as they are now; undefined when they get none any more. */
export async function findReceiver(db: Db, delivery: MailDeliveryRow): Promise<Receiver | undefined> {
  const { account_id, subscriber_id, person_id, kind } = delivery;
  const account = await db<AccountRow>("accounts")
    .where({ id: account_id })
    .whereNull("disabled_at")
    .whereNull("deleted_at")
    .first("id");
  if (account === undefined) return undefined;
  if (kind === "sign_in") {
    const person = await db<PersonRow>("people").where({ id: person_id, disabled_at: null }).first();
    if (person === undefined || person.email === "") return undefined;
    return {
      id: person_id,
      address: person.email,
      language: person.language,
      categories: null,
      isCombined: false,
    };
  }
  const row = await db<SubscriberRow>("subscribers")
    .where({ id: subscriber_id, blocked: 0, news: kind === "confirm" ? 1 : 2 })
    .whereNull("unfollowed_at")
    .first();
  if (row === undefined || row.email === "") return undefined;
  const calendar = db<CalendarRow>("calendars").where({ id: row.calendar_id }).whereNull("deleted_at");
  if ((await calendar.first("id")) === undefined) return undefined;
  const { id, email: address, language, categories, combined_hash } = row;
  return { id, address, language, categories, isCombined: combined_hash !== null };
}

/** Stores the outcome of an attempt; nothing when another was counted since. */
export async function settleDelivery(
  trx: Db,
  { id, attempts, news_id }: MailDeliveryRow,
  outcome: Pick<MailDeliveryRow, "state" | "error"> & Partial<Pick<MailDeliveryRow, "next_at">>,
): Promise<void> {
  const changed = await deliveries(trx).where({ id, attempts, state: "pending" }).update(outcome);
  const counted = outcome.state === "sent" || outcome.state === "failed" ? outcome.state : undefined;
  if (changed === 1 && news_id > 0 && counted !== undefined)
    await news(trx).where({ id: news_id }).increment(counted, 1);
}

/** Locks a follower, and those that share a key with it: one person, of several calendars (extensions X11.3). */
export async function lockPerson(trx: Db, id: number): Promise<readonly SubscriberRow[]> {
  const subscribers = () => trx<SubscriberRow>("subscribers");
  const row = await subscribers().where({ id }).first("combined_hash");
  if (row === undefined) return [];
  const { combined_hash } = row;
  const those = combined_hash === null ? subscribers().where({ id }) : subscribers().where({ combined_hash });
  return those.orderBy("id").forUpdate();
}

/** Removes the address of a follower, wherever it is, and ends news to it. With an address only where it is that one. */
export async function removeAddress(trx: Transaction, id: number, address?: string): Promise<void> {
  for (const row of await lockPerson(trx, id)) {
    if (address !== undefined && row.email !== address) continue;
    await trx<SubscriberRow>("subscribers")
      .where({ id: row.id })
      .update({ email: "", news: 0, news_asked_at: 0 });
    await forgetSubscriber(trx, row.id);
    await forgetPerson(trx, { subscriber_id: row.id });
  }
}

/** Removes what is to be told of a calendar, or was. Its deliveries have no texts: without news they are skipped, and expire. */
export async function purgeNews(trx: Db, calendarId: number): Promise<void> {
  for (const table of ["news_windows", "news"]) await trx(table).where({ calendar_id: calendarId }).delete();
}
