import { type Command, Option } from "commander";
import type { Database } from "../db/open-database.js";
import type { CalendarRow, SubscriberRow } from "../db/rows.js";
import type { Read } from "../events/all.js";
import { allSubscribers, subscribersFile } from "../exports/subscribers-file.js";
import {
  block,
  countNeverFetched,
  deleteSubscriber,
  type Prune,
  pruneNeverFetched,
  unblock,
} from "../subscribers/life-job.js";
import { type SubscriberFilter, subscribersWithEmail } from "../subscribers/queries.js";
import { subscriber } from "../subscribers/serialize.js";
import { command, id, notBlank } from "./arguments.js";
import { formatTime, printableJson, type Report, reports, table, withDatabase } from "./database.js";
import { existingCalendar } from "./run-operation.js";
import { printPieces } from "./terminal.js";

interface SubscriberSelection extends Pick<SubscriberFilter, "only"> {
  /** Id of the calendar. */
  readonly calendar: number;
}

/** Lists the subscribers of a calendar in the order of their ids. @throws Error when the calendar does not exist. */
export async function listSubscribers(
  db: Database,
  { calendar, only }: SubscriberSelection,
): Promise<Report> {
  const { timezone } = await existingCalendar(db, calendar);
  const rows: SubscriberRow[] = [];
  for await (const batch of allSubscribers(readOf(db), calendar, only === undefined ? {} : { only }))
    rows.push(...batch);
  return {
    json: { calendar_id: String(calendar), subscribers: rows.map((row) => exported(row, timezone)) },
    text: table([
      ["ID", "NAME", "E-MAIL", "APP", "COUNTRY", "FOLLOWED (UTC)", "LAST SEEN (UTC)", "STATE"],
      ...rows.map((row) => [
        row.id,
        row.name,
        row.email,
        row.calendar_type,
        row.country ?? "",
        formatTime(row.subscribed_at),
        formatTime(row.last_seen_at),
        state(row),
      ]),
    ]),
  };
}

export function state({ active, blocked, unfollowed_at }: SubscriberRow): string {
  const activity = unfollowed_at === null ? (active === 1 ? "active" : "inactive") : "unfollowed";
  return blocked === 1 ? `${activity}, blocked` : activity;
}

/** Blocks a subscriber: its feed becomes empty (rulings R5.3). @throws Error when the subscriber does not exist. */
export async function blockSubscriber(db: Database, id: number, now: number): Promise<Report> {
  return report(id, await block(db, id, now), "blocked");
}

/** Unblocks a subscriber. @throws Error when the subscriber does not exist. */
export async function unblockSubscriber(db: Database, id: number, now: number): Promise<Report> {
  return report(id, await unblock(db, id, now), "unblocked");
}

/** Deletes a subscriber and all data about it. @throws Error when the subscriber does not exist. */
export async function removeSubscriber(db: Database, id: number, now: number): Promise<Report> {
  return report(id, await deleteSubscriber(db, id, now), "deleted");
}

function report(id: number, row: SubscriberRow | undefined, status: string): Report {
  if (row === undefined)
    throw new Error(`There is no subscriber ${id}; run "subscriber list" to see those of a calendar.`);
  return {
    json: { subscriber_id: String(id), calendar_id: String(row.calendar_id), status },
    text: `Subscriber ${id} of calendar ${row.calendar_id} is ${status}.`,
  };
}

/** Which subscribers `subscriber prune` deletes: those of a calendar or of an account. */
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
): Promise<Report> {
  const prune: Prune = { before: now - days * 86_400, of: pruned(calendar, account) };
  if (calendar !== undefined) await existingCalendar(db, calendar);
  const count = await (dryRun ? countNeverFetched(db, prune) : pruneNeverFetched(db, prune, now));
  return {
    json: { subscribers: count, dry_run: dryRun },
    text: `${dryRun ? "Would delete" : "Deleted"} ${count} subscriber${count === 1 ? "" : "s"} whose feed was never fetched.`,
  };
}

function pruned(calendar: number | undefined, account: number | undefined): Prune["of"] {
  if (calendar !== undefined && account === undefined) return { calendar_id: calendar };
  if (account !== undefined && calendar === undefined) return { account_id: account };
  throw new Error("Give either --calendar or --account.");
}

interface Export {
  /** Id of the calendar. */
  readonly calendar: number;
  readonly format: "csv" | "json";
}

/** Yields all stored fields of a calendar's subscribers as chunks of text. @throws Error when the calendar does not exist. */
export async function* exportSubscribers(db: Database, { calendar, format }: Export): AsyncGenerator<string> {
  const row = await existingCalendar(db, calendar);
  yield* format === "csv" ? subscribersFile(readOf(db), row).pieces : json(db, row);
}

async function* json(db: Database, { id, timezone }: CalendarRow): AsyncGenerator<string> {
  let before = "[";
  for await (const rows of allSubscribers(readOf(db), id)) {
    const items = rows.map((row) => printableJson(exported(row, timezone)));
    yield `${before}\n${items.join(",\n")}`;
    before = ",";
  }
  yield before === "[" ? "[]\n" : "\n]\n";
}

/** Returns a subscriber as the API serializes it, with the stored times (Unix seconds) and categories that the API omits. */
export function exported(
  row: SubscriberRow,
  timezone: string,
): ReturnType<typeof subscriber> & Pick<SubscriberRow, "last_seen_at" | "unfollowed_at" | "categories"> {
  const { last_seen_at, unfollowed_at, categories } = row;
  return { ...subscriber(row, timezone), last_seen_at, unfollowed_at, categories };
}

const readOf =
  ({ read }: Database): Read =>
  (work) =>
    work(read);

/** A person who follows calendars, by e-mail address; of one account or of all. */
interface Person {
  readonly email: string;
  readonly account?: number;
}

/** Returns all that is stored about the subscribers with an e-mail address. */
export async function findPerson(db: Database, { email, account }: Person): Promise<Report> {
  const rows = await subscribersWithEmail(db.read, email, account);
  return {
    json: {
      subscribers: rows.map((row) => ({ calendar_id: String(row.calendar_id), ...exported(row, "UTC") })),
    },
    text: rows.length === 0 ? noSubscriber : rows.map(everything).join("\n\n"),
  };
}

const noSubscriber = "No subscriber has that address.";

/** Returns a line for each stored field that has a value: this is the copy that a person may ask for. */
function everything(row: SubscriberRow): string {
  const { country, categories, unfollowed_at } = row;
  const fields: readonly (readonly [string, string | null])[] = [
    ["Subscriber", String(row.id)],
    ["Calendar", String(row.calendar_id)],
    ["Name", row.name],
    ["E-mail", row.email],
    ["IP", row.ip],
    ["Postal code", row.postal],
    ["City", row.city],
    ["State", row.state],
    ["Country", country],
    ["App", row.calendar_type],
    ["Categories", categories],
    ["Followed (UTC)", formatTime(row.subscribed_at)],
    ["Last seen (UTC)", formatTime(row.last_seen_at)],
    ["Unfollowed (UTC)", unfollowed_at === null ? null : formatTime(unfollowed_at)],
    ["Status", state(row)],
  ];
  return table(fields.flatMap(([name, value]) => (value === null || value === "" ? [] : [[name, value]])));
}

/** Deletes a subscriber, or all with an e-mail address, and all data about it. @throws Error when there is none. */
async function removeSubscribers(
  db: Database,
  id: number | undefined,
  { email, account }: Partial<Person>,
  now: number,
): Promise<Report> {
  if ((id === undefined) === (email === undefined)) throw new Error("Give either an id or --email.");
  if (id !== undefined) return removeSubscriber(db, id, now);
  const rows = await subscribersWithEmail(db.read, email ?? "", account);
  for (const row of rows) await deleteSubscriber(db, row.id, now);
  const ids = rows.map((row) => String(row.id));
  return {
    json: { subscriber_ids: ids, status: "deleted" },
    text: ids.length === 0 ? noSubscriber : `Deleted: subscribers ${ids.join(", ")}.`,
  };
}

export function addSubscribers(program: Command): void {
  const subscriber = command(program, "subscriber", "people who follow a calendar");
  reports(
    command(subscriber, "list", "list the subscribers of a calendar")
      .requiredOption("--calendar <id>", "id of the calendar", id)
      .addOption(
        new Option("--only <state>", "only subscribers in this state").choices(["inactive", "blocked"]),
      ),
    (db, _now, options: SubscriberSelection) => listSubscribers(db, options),
  );
  command(subscriber, "export", "print all stored data about a calendar's subscribers")
    .requiredOption("--calendar <id>", "id of the calendar", id)
    .addOption(new Option("--format <format>", "output format").choices(["csv", "json"]).default("csv"))
    .action((options: Export) => withDatabase((db) => printPieces(exportSubscribers(db, options)), {}));
  addPerson(subscriber);
  addPrune(subscriber);
  const changes = [
    ["block", "block a subscriber: its feed becomes empty", blockSubscriber],
    ["unblock", "unblock a subscriber: its feed has its events again", unblockSubscriber],
  ] as const;
  for (const [name, description, change] of changes)
    reports(command(subscriber, name, description, "subscriber"), (db, now, subscriberId: number) =>
      change(db, subscriberId, now),
    );
}

/** What the person of an e-mail address asks for: to see what is stored, and to have it deleted (docs/following.md). */
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
