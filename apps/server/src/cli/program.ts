import { Command, InvalidArgumentError, Option, type OutputConfiguration } from "commander";
import { serve } from "../serve.js";
import { createAccount, listAccounts } from "./accounts.js";
import { backup, restore } from "./backup.js";
import { listCalendars, setSearchable } from "./calendars.js";
import { makeDemo } from "./demo.js";
import { withDatabase, withUrl } from "./database.js";
import { type MoveOptions, runMove } from "./move.js";
import * as subscribers from "./subscribers.js";
import { createToken, listTokens, revokeToken } from "./tokens.js";
import { updateZones } from "./zones.js";

/** Builds the command line. Parsing an unknown command or option writes a hint to stderr and throws a CommanderError. */
export function createProgram(output: OutputConfiguration = {}): Command {
  const program = new Command("kalends")
    .configureOutput(output)
    .description(
      "Calendars that people follow: the server and its accounts. Settings come from the environment.",
    )
    .showHelpAfterError("(--help lists the commands and options)")
    .exitOverride()
    .addHelpText("after", "\nSettings are listed in apps/server/.env.example.");
  addServer(program);
  addAccounts(program);
  addTokens(program);
  addCalendars(program);
  addSubscribers(program);
  addZonesAndDemo(program);
  return program;
}

interface Json {
  readonly json?: boolean;
}

function addServer(program: Command): void {
  command(program, "serve", "run the server until SIGTERM or Ctrl-C").action(serve);
  command(program, "migrate", "apply pending schema migrations")
    .option("--json", "print one JSON line")
    .action((options: Json) =>
      withDatabase((_db, _now, { applied }) => Promise.resolve(migrated(applied)), options),
    );

  command(program, "move", "copy all data into an empty database, for example from SQLite to PostgreSQL")
    .requiredOption("--from <url>", "the database to copy; no server may write to it", databaseUrl)
    .requiredOption("--to <url>", "an empty database, or the target of an interrupted run", databaseUrl)
    .option("--check", "only compare the two databases, row by row")
    .option("--json", "print one JSON line")
    .action((options: MoveOptions) => runMove(options));

  command(program, "backup", "copy the database into a new file; the server may run")
    .argument("<file>", "name of the new file")
    .option("--json", "print one JSON line")
    .action((file: string, options: Json) => withUrl((url) => backup(url, file), options));
  command(program, "restore", "replace the database with a backup; no server may run")
    .argument("<file>", "the backup file")
    .option("--json", "print one JSON line")
    .action((file: string, options: Json) => withUrl((url, now) => restore(url, file, now), options));
}

function addAccounts(program: Command): void {
  const account = command(program, "account", "accounts").enablePositionalOptions();
  command(account, "create", "create an account and its first token, which is shown only once")
    .requiredOption("--name <name>", "name of the account", notBlank)
    .option("--json", "print one JSON line")
    .action((options: Json & { name: string }) =>
      withDatabase((db, now) => createAccount(db, options.name, now), options),
    );
  command(account, "list", "list the accounts")
    .option("--json", "print one JSON line")
    .action((options: Json) => withDatabase((db) => listAccounts(db), options));
}

function addTokens(program: Command): void {
  const token = command(program, "token", "tokens of accounts");
  command(token, "create", "create a token, which is shown only once")
    .requiredOption("--account <id>", "id of the account", id)
    .option("--name <name>", "what the token is for", notBlank, "token")
    .addOption(
      new Option("--scope <scope>", "what the token may do").choices(["read", "write"]).default("write"),
    )
    .option("--expires <time>", "how long it is valid, such as 90d or 12h (default: no expiry)", duration)
    .option("--json", "print one JSON line")
    .action((options: Json & { account: number; name: string; scope: "read" | "write"; expires?: number }) =>
      withDatabase((db, now) => createToken(db, options, now), options),
    );
  command(token, "list", "list the tokens of all accounts, without the tokens themselves")
    .option("--json", "print one JSON line")
    .action((options: Json) => withDatabase((db, now) => listTokens(db, now), options));
  command(token, "revoke", "revoke a token at once")
    .argument("<id>", "id of the token", id)
    .option("--json", "print one JSON line")
    .action((tokenId: number, options: Json) =>
      withDatabase((db, now) => revokeToken(db, tokenId, now), options),
    );
}

function addCalendars(program: Command): void {
  const calendar = command(program, "calendar", "calendars");
  command(calendar, "list", "list the calendars of all accounts")
    .option("--json", "print one JSON line")
    .action((options: Json) => withDatabase((db) => listCalendars(db), options));
  command(calendar, "searchable", "set whether search engines may index the calendar's page (default: off)")
    .argument("<id>", "id of the calendar", id)
    .argument("<on|off>", "on or off", onOrOff)
    .option("--json", "print one JSON line")
    .action((calendarId: number, on: boolean, options: Json) =>
      withDatabase((db) => setSearchable(db, calendarId, on), options),
    );
}

function addSubscribers(program: Command): void {
  const subscriber = command(program, "subscriber", "people who follow a calendar");
  command(subscriber, "list", "list the subscribers of a calendar")
    .requiredOption("--calendar <id>", "id of the calendar", id)
    .addOption(
      new Option("--only <state>", "only subscribers in this state").choices(["inactive", "blocked"]),
    )
    .option("--json", "print one JSON line")
    .action((options: Json & subscribers.SubscriberSelection) =>
      withDatabase((db) => subscribers.listSubscribers(db, options), options),
    );
  command(subscriber, "export", "print all stored data about a calendar's subscribers")
    .requiredOption("--calendar <id>", "id of the calendar", id)
    .addOption(new Option("--format <format>", "output format").choices(["csv", "json"]).default("csv"))
    .action((options: { calendar: number; format: "csv" | "json" }) =>
      withDatabase((db) => subscribers.printSubscribers(db, options), {}),
    );
  addPrune(subscriber);
  const changes = [
    ["block", "block a subscriber: its feed becomes empty", subscribers.blockSubscriber],
    ["unblock", "unblock a subscriber: its feed has its events again", subscribers.unblockSubscriber],
    ["delete", "delete a subscriber and all data about it", subscribers.removeSubscriber],
  ] as const;
  for (const [name, description, change] of changes) {
    command(subscriber, name, description)
      .argument("<id>", "id of the subscriber", id)
      .option("--json", "print one JSON line")
      .action((subscriberId: number, options: Json) =>
        withDatabase((db) => change(db, subscriberId), options),
      );
  }
}

function addPrune(subscriber: Command): void {
  command(subscriber, "prune", "delete subscribers of a calendar or an account whose feed was never fetched")
    .requiredOption("--never-fetched", "delete those whose feed was never fetched")
    .option("--calendar <id>", "id of the calendar", id)
    .option("--account <id>", "id of the account: all its calendars", id)
    .addOption(
      new Option("--days <days>", "only those who followed at least this many days ago")
        .argParser(id)
        .default(30),
    )
    .option("--dry-run", "only count them")
    .option("--json", "print one JSON line")
    .action((options: Json & subscribers.PruneOptions) =>
      withDatabase((db, now) => subscribers.pruneSubscribers(db, options, now), options),
    );
}

function addZonesAndDemo(program: Command): void {
  const zones = command(program, "zones", "time zones");
  command(
    zones,
    "update",
    "reschedule future events with the current zone data; the server does so when it starts",
  )
    .option("--json", "print one JSON line")
    .action((options: Json) => withDatabase((db, now) => updateZones(db, now), options));

  command(program, "demo", "create two calendars with real events and a few subscribers")
    .option("--account <id>", "id of the account (default: the first one)", id)
    .option("--json", "print one JSON line")
    .action((options: Json & { account?: number }) =>
      withDatabase((db, now) => makeDemo(db, options.account, now), options),
    );
}

function command(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).allowExcessArguments(false);
}

function migrated(applied: readonly string[]) {
  const text = applied.length === 0 ? "The database is up to date." : `Applied: ${applied.join(", ")}`;
  return { json: { applied }, text };
}

function databaseUrl(text: string): string {
  if (!/^(?:sqlite:(?!:memory:).|postgres(?:ql)?:\/\/.)/.test(text))
    throw new InvalidArgumentError("It must be sqlite: and the path of a file, or a postgres:// URL.");
  return text;
}

function notBlank(text: string): string {
  if (!/\S/.test(text)) throw new InvalidArgumentError("It must not be blank.");
  return text;
}

function id(text: string): number {
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1.");
  return Number(text);
}

function onOrOff(text: string): boolean {
  if (text !== "on" && text !== "off") throw new InvalidArgumentError("It must be on or off.");
  return text === "on";
}

/** Parses "90d" or "12h" into seconds. */
function duration(text: string): number {
  const [, count, unit] = /^([1-9][0-9]{0,4})([dh])$/.exec(text) ?? [];
  if (count === undefined)
    throw new InvalidArgumentError("It must be a number of days or hours, such as 90d or 12h.");
  return Number(count) * (unit === "d" ? 86_400 : 3_600);
}
