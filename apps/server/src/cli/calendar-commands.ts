import { type Command, Option } from "commander";
import { command, id, interval, type Json, notBlank, onOrOff } from "./arguments.js";
import * as files from "./calendar-files.js";
import * as calendars from "./calendars.js";
import { withDatabase } from "./database.js";
import { eventCommands, seriesCommands } from "./events.js";
import * as persons from "./persons.js";
import { addShortCommand } from "./short-commands.js";
import * as subscribers from "./subscribers.js";
import * as syncs from "./syncs.js";

export function addCalendars(program: Command): void {
  const calendar = command(program, "calendar", "calendars");
  for (const short of calendars.calendarCommands) addShortCommand(calendar, short);
  command(calendar, "list", "list the calendars of all accounts, with the addresses of their pages")
    .option("--account <id>", "only those of this account", id)
    .option("--json", "print one JSON line")
    .action((options: Json & { account?: number }) =>
      withDatabase((db) => calendars.listCalendars(db, options.account), options),
    );
  addFiles(calendar);
  addSyncs(calendar);
  command(calendar, "searchable", "set whether search engines may index the calendar's page (default: off)")
    .argument("<id>", "id of the calendar", id)
    .argument("<on|off>", "on or off", onOrOff)
    .option("--json", "print one JSON line")
    .action((calendarId: number, on: boolean, options: Json) =>
      withDatabase((db) => calendars.setSearchable(db, calendarId, on), options),
    );
}

/** Files that a running server fetches again and again (docs/extensions.md). */
function addSyncs(calendar: Command): void {
  const sync = command(calendar, "sync", "calendar files that the server fetches again and again");
  command(sync, "add", "fetch a calendar file regularly, which a running server does")
    .argument("<id>", "id of the calendar", id)
    .argument("<url>", "where the file is: https, on the public Internet", notBlank)
    .option("--every <interval>", "how often, 15 minutes to 30 days, such as 30m, 1h or 1d", interval, 3_600)
    .option("--json", "print one JSON line")
    .action((calendarId: number, url: string, options: Json & { every: number }) =>
      withDatabase((db, now) => syncs.addSync(db, calendarId, { url, every: options.every, now }), options),
    );
  command(sync, "list", "list the syncs of all calendars, and why the last attempts failed")
    .option("--calendar <id>", "only those of this calendar", id)
    .option("--json", "print one JSON line")
    .action((options: Json & { calendar?: number }) =>
      withDatabase((db) => syncs.showSyncs(db, options.calendar), options),
    );
  command(sync, "remove", "fetch a file no more; its events stay")
    .argument("<sync>", "id of the sync", id)
    .option("--json", "print one JSON line")
    .action((syncId: number, options: Json) => withDatabase((db) => syncs.removeSync(db, syncId), options));
  command(sync, "run", "fetch a file now")
    .argument("<sync>", "id of the sync", id)
    .option("--json", "print one JSON line")
    .action((syncId: number, options: Json) => withDatabase((db) => syncs.runNow(db, syncId), options));
}

/** Calendar files (docs/extensions.md). */
function addFiles(calendar: Command): void {
  command(calendar, "import", "create and change events as an iCalendar file has them, up to 10 MB")
    .argument("<id>", "id of the calendar", id)
    .argument("<file>", "the file, or - for the standard input")
    .addOption(
      new Option("--classes <classes>", "all: also events that are private or confidential")
        .choices(["public", "all"])
        .default("public"),
    )
    .option("--dry-run", "only report what an import would do")
    .option("--json", "print one JSON line")
    .action((calendarId: number, file: string, options: Json & files.ImportOptions) =>
      withDatabase((db, now) => files.importCalendarFile(db, calendarId, file, { ...options, now }), options),
    );
  command(calendar, "export", "print a calendar as one iCalendar file, which an import takes")
    .argument("<id>", "id of the calendar", id)
    .action((calendarId: number) => withDatabase((db) => files.exportCalendarFile(db, calendarId), {}));
}

export function addEvents(program: Command): void {
  const event = command(program, "event", "events of a calendar");
  for (const short of eventCommands) addShortCommand(event, short);
  const series = command(program, "series", "events that repeat");
  for (const short of seriesCommands) addShortCommand(series, short);
}

export function addSubscribers(program: Command): void {
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
  addPerson(subscriber);
  addPrune(subscriber);
  const changes = [
    ["block", "block a subscriber: its feed becomes empty", subscribers.blockSubscriber],
    ["unblock", "unblock a subscriber: its feed has its events again", subscribers.unblockSubscriber],
  ] as const;
  for (const [name, description, change] of changes) {
    command(subscriber, name, description)
      .argument("<id>", "id of the subscriber", id)
      .option("--json", "print one JSON line")
      .action((subscriberId: number, options: Json) =>
        withDatabase((db, now) => change(db, subscriberId, now), options),
      );
  }
}

/** What the person of an e-mail address asks for: to see what is stored, and to have it deleted (docs/following.md). */
function addPerson(subscriber: Command): void {
  command(subscriber, "find", "print all stored data about the subscribers with an e-mail address")
    .requiredOption("--email <address>", "the address; upper and lower case are the same", notBlank)
    .option("--account <id>", "only in calendars of this account", id)
    .option("--json", "print one JSON line")
    .action((options: Json & persons.Person) =>
      withDatabase((db) => persons.findPerson(db, options), options),
    );
  command(subscriber, "delete", "delete a subscriber, or all with an e-mail address, and all data about it")
    .argument("[id]", "id of the subscriber", id)
    .option("--email <address>", "all subscribers with this address instead", notBlank)
    .option("--account <id>", "with --email: only in calendars of this account", id)
    .option("--json", "print one JSON line")
    .action((subscriberId: number | undefined, options: Json & Partial<persons.Person>) =>
      withDatabase((db, now) => persons.removeSubscribers(db, subscriberId, options, now), options),
    );
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
