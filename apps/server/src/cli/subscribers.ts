import { type Command, Option } from "commander";
import type { Database } from "../db/open-database.js";
import type { SubscriberRow } from "../db/rows.js";
import { countNeverFetched, deleteSubscriber, type Prune, pruneNeverFetched } from "../followers/life-job.js";
import { subscribersWithEmail } from "../followers/subscriber-queries.js";
import { subscriber } from "../followers/subscriber-serialize.js";
import { command, id, notBlank, UsageError } from "./arguments.js";
import { reports } from "./database.js";
import { existingCalendar, requireAccount } from "./run-operation.js";

interface PruneOptions {
  readonly calendar?: number;
  readonly account?: number;
  /** Days since following. */
  readonly days: number;
  readonly dryRun?: boolean;
}

/** Deletes subscribers whose feed was never fetched, or only counts them. `now` is in Unix seconds. */
export async function pruneSubscribers(
  db: Database,
  { calendar, account, days, dryRun = false }: PruneOptions,
  now: number,
): Promise<object> {
  const prune: Prune = { before: now - days * 86_400, of: pruned(calendar, account) };
  if (calendar !== undefined) await existingCalendar(db, calendar);
  if (account !== undefined) await requireAccount(db.read, account);
  const subscribers = await (dryRun ? countNeverFetched(db, prune) : pruneNeverFetched(db, prune, now));
  return { subscribers, dry_run: dryRun };
}

function pruned(calendar: number | undefined, account: number | undefined): Prune["of"] {
  if (calendar !== undefined && account === undefined) return { calendar_id: calendar };
  if (account !== undefined && calendar === undefined) return { account_id: account };
  throw new UsageError("Give either --calendar or --account.");
}

/** A follower by e-mail address; of one account or of all. */
interface Person {
  readonly email: string;
  readonly account?: number | undefined;
}

/** Returns all data about the subscribers with an e-mail address: the copy that a person may request. */
async function findPerson(db: Database, person: Person) {
  return { subscribers: (await rowsOf(db, person)).map(everything) };
}

/** @throws Error when the account does not exist */
async function rowsOf(db: Database, { email, account }: Person): Promise<readonly SubscriberRow[]> {
  if (account !== undefined) await requireAccount(db.read, account);
  return subscribersWithEmail(db.read, email, account);
}

/** Returns a subscriber as the API serializes it, with what it omits: stored times (Unix seconds), categories, language and consent. */
function everything(row: SubscriberRow) {
  const { calendar_id, last_seen_at, unfollowed_at, categories, language, news_asked_at } = row;
  const news = statesOfNews[row.news] ?? String(row.news);
  const others = { last_seen_at, unfollowed_at, categories, language, news, news_asked_at };
  return { calendar_id: String(calendar_id), ...subscriber(row, "UTC"), ...others };
}

/** Whether the follower gets news by e-mail: not asked for, asked for, or with an address that was confirmed. */
const statesOfNews = ["no", "asked", "confirmed"];

/** Deletes a subscriber, or all with an e-mail address, and all data about it. @throws Error when there is none */
async function removeSubscribers(
  db: Database,
  id: number | undefined,
  { email, account }: Partial<Person>,
  now: number,
) {
  if (id !== undefined && email === undefined) {
    if (account !== undefined) throw new UsageError("Give --account with --email alone.");
    const row = await deleteSubscriber(db, id, now);
    if (row === undefined) throw new Error(`There is no subscriber ${id}.`);
    return { subscriber_id: String(id), calendar_id: String(row.calendar_id), status: "deleted" };
  }
  if (id !== undefined || email === undefined) throw new UsageError("Give either an id or --email.");
  const rows = await rowsOf(db, { email, account });
  if (rows.length === 0) throw new Error(`No subscriber has the address ${email}.`);
  for (const row of rows) await deleteSubscriber(db, row.id, now);
  return { subscriber_ids: rows.map((row) => String(row.id)), status: "deleted" };
}

export function addSubscribers(program: Command): void {
  const subscriber = command(program, "subscriber", "people who follow a calendar");
  addPerson(subscriber);
  addPrune(subscriber);
}

/** Adds the commands for requests of data subjects: access and erasure (docs/following.md). */
function addPerson(subscriber: Command): void {
  reports(
    command(subscriber, "find", "print all stored data about the subscribers with an e-mail address")
      .requiredOption("--email <address>", "the address; upper and lower case are the same", notBlank)
      .option("--account <id>", "only in calendars of this account", id),
    (db, _now, person: Person) => findPerson(db, person),
  );
  reports(
    command(subscriber, "delete", "delete a subscriber, or all with an e-mail address, and all data about it")
      .argument("[id]", "id of the subscriber", id)
      .option("--email <address>", "all subscribers with this address instead", notBlank)
      .option("--account <id>", "with --email: only in calendars of this account", id),
    (db, now, subscriberId: number | undefined, person: Partial<Person>) =>
      removeSubscribers(db, subscriberId, person, now),
  );
}

function addPrune(subscriber: Command): void {
  const unfetched = "delete subscribers of a calendar or an account whose feed was never fetched";
  reports(
    command(subscriber, "prune", unfetched)
      .requiredOption("--never-fetched", "delete those whose feed was never fetched")
      .option("--calendar <id>", "id of the calendar", id)
      .option("--account <id>", "id of the account: all its calendars", id)
      .addOption(
        new Option("--days <days>", "only those who followed at least this many days ago")
          .argParser(id)
          .default(30),
      )
      .option("--dry-run", "only count them"),
    (db, now, options: PruneOptions) => pruneSubscribers(db, options, now),
  );
}
