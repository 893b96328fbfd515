import { operations } from "@kalends/spec";
import { type Command, Option } from "commander";
import { recordCalendar } from "../calendars/announce.js";
import { omittedFrom } from "../calendars/feed-omits.js";
import * as queries from "../calendars/queries.js";
import { writtenBy } from "../db/budgeted-database.js";
import type { Database } from "../db/open-database.js";
import { calendarFile } from "../exports/calendar-file.js";
import { runImport } from "../imports/run.js";
import { imported } from "../imports/serialize.js";
import { command, onOrOff } from "./arguments.js";
import { readText } from "./call.js";
import { addList, printable, type Report, reports, table, withDatabase } from "./database.js";
import { existingCalendar, noCalendar, pageAddress, requireAccount } from "./run-operation.js";
import { counted, printPieces, showProgress } from "./terminal.js";
import { addShortCommand, reporting, type ShortCommand } from "./short-commands.js";
import { addSyncs } from "./syncs.js";

const calendarCommands: readonly ShortCommand[] = [
  {
    name: "create",
    does: "create a calendar and print the address of its page",
    operation: "createCalendar",
    report: reporting(operations.createCalendar.payload, ({ calendar }, { account }) => {
      const page = pageAddress(calendar);
      return {
        json: { calendar: { ...calendar, page } },
        text: `Calendar ${calendar.id} of account ${account}, ${printable(calendar.title)}. Its page is:\n\n  ${page}\n`,
      };
    }),
  },
  {
    name: "change",
    does: "change what is given of a calendar, and nothing else; an empty value clears",
    operation: "updateCalendar",
    argument: ["calendar_id", "calendar"],
    report: reporting(
      operations.updateCalendar.payload,
      ({ calendar: { id, title } }) => `Calendar ${id}, ${printable(title)}, is changed.`,
    ),
  },
  {
    name: "delete",
    does: "delete a calendar with its events and followers",
    operation: "deleteCalendar",
    argument: ["calendar_id", "calendar"],
    loss: async (db, id) => {
      const { title, events_total, followers_total } = await existingCalendar(db, id);
      const held = `${counted(events_total, "event")} and ${counted(followers_total, "follower")}`;
      return `Calendar ${id}, ${printable(title)}, has ${held}. All of it is deleted and cannot be restored; its page and feeds answer 410.`;
    },
    report: reporting(
      operations.deleteCalendar.payload,
      ({ calendar: { id } }) => `Calendar ${id} is deleted.`,
    ),
  },
];

/** Lists the calendars of all accounts, or of one, with their counters and what their feeds omit because they would be too large. */
export async function listCalendars(db: Database, account?: number): Promise<Report> {
  if (account !== undefined) await requireAccount(db.read, account);
  const rows = await queries.listEveryCalendar(db.read, account);
  return {
    json: {
      calendars: rows.map((row) => ({
        calendar_id: String(row.id),
        account_id: String(row.account_id),
        title: row.title,
        uniquekey: row.uniquekey,
        page: pageAddress(row),
        followers_active: row.followers_active,
        followers_total: row.followers_total,
        events_total: row.events_total,
        searchable: row.searchable === 1,
        feed_omits: omittedFrom(row),
      })),
    },
    text: table([
      ["ID", "ACCOUNT", "TITLE", "ACTIVE", "FOLLOWERS", "EVENTS", "SEARCHABLE", "FEED OMITS", "PAGE"],
      ...rows.map((row) => [
        row.id,
        row.account_id,
        row.title,
        row.followers_active,
        row.followers_total,
        row.events_total,
        row.searchable === 1 ? "on" : "off",
        omittedFrom(row),
        pageAddress(row),
      ]),
    ]),
  };
}

const byCommand = { kind: "command_line", id: 0, operation: "" } as const;

/** Sets whether search engines may index the page of a calendar. @throws Error when the calendar does not exist. */
export async function setSearchable(db: Database, id: number, on: boolean, now: number): Promise<Report> {
  const row = await writtenBy(db, byCommand).transaction(async (trx) => {
    const before = await queries.findCalendarById(trx, id);
    const after = await queries.setSearchable(trx, id, on ? 1 : 0);
    if (before && after) await recordCalendar(trx, db.dialect, "changed", [before, after], now);
    return after;
  });
  if (row === undefined) throw noCalendar(id);
  return {
    json: { calendar_id: String(id), searchable: on },
    text: `Search engines ${on ? "may" : "may not"} index the page of calendar ${id}, ${printable(row.title)}.`,
  };
}

export interface ImportOptions {
  readonly dryRun?: boolean;
  readonly classes?: "public" | "all";
}

/** Rows of the report that are shown; `--json` has them all. */
const mostShown = 50;

/** Imports a file, or the standard input for "-". @throws Error when the calendar does not exist or the file is refused */
export async function importCalendarFile(
  db: Database,
  id: number,
  file: string,
  { dryRun: isDryRun = false, classes = "public", now }: ImportOptions & { readonly now: number },
): Promise<Report> {
  const { account_id: accountId } = await existingCalendar(db, id);
  const { text, encoding } = await readText(file);
  let progress: ReturnType<typeof showProgress> | undefined;
  let before = 0;
  const onStored = (done: number, total: number): void => {
    progress ??= showProgress(total);
    progress.add("import", "events", done - before);
    before = done;
  };
  const takesPrivate = classes === "all";
  const request = { accountId, calendarId: id, text, now, isDryRun, takesPrivate, syncId: null, onStored };
  const own = writtenBy(db, { ...byCommand, operation: "importCalendar" });
  const report = await runImport<ReturnType<typeof imported>>(own, request, ({ report: made }) =>
    imported(id, isDryRun, made, encoding),
  ).finally(() => progress?.end());
  return { json: report, text: shown(report) };
}

function shown({ import: sums, events }: ReturnType<typeof imported>): string {
  const remarks = events.filter(({ reason, notes }) => reason !== "" || notes.length > 0);
  const rows = remarks.slice(0, mostShown).map(({ result, uid, title, reason, notes }) => {
    return [result, title, [reason, ...notes].filter((text) => text !== "").join("; "), uid];
  });
  const more = remarks.length - rows.length;
  const { omitted, encoding } = sums;
  return [
    ...(rows.length === 0 ? [] : [table([["RESULT", "TITLE", "WHY", "UID"], ...rows])]),
    ...(more > 0 ? [`… and ${more} more, which --json prints.`] : []),
    ...(encoding === "UTF-8" ? [] : [`The file is not UTF-8; it was read as ${encoding}.`]),
    ...(omitted > 0 ? [`The report leaves out ${omitted} of its entries, since it would be too long.`] : []),
    `${sums.dry_run ? "Nothing was changed. An import would come to" : `Calendar ${sums.calendar_id}`}: ${sums.created} created, ` +
      `${sums.changed} changed, ${sums.unchanged} unchanged, ${sums.skipped} skipped.`,
  ].join("\n");
}

interface ExportOptions {
  readonly format?: "ics" | "csv";
}

/** Prints a calendar as one file, of one state of the data. @throws Error when the calendar does not exist */
export async function exportCalendarFile(
  db: Database,
  id: number,
  { format = "ics" }: ExportOptions = {},
): Promise<undefined> {
  const calendar = await existingCalendar(db, id);
  return db.snapshot((trx) => printPieces(calendarFile((work) => work(trx), calendar, format).pieces));
}

export function addCalendars(program: Command): void {
  const calendar = command(program, "calendar", "calendars");
  for (const short of calendarCommands) addShortCommand(calendar, short);
  const listed = "list the calendars of all accounts, with the addresses of their pages";
  addList(calendar, listed, "account", listCalendars);
  addFiles(calendar);
  addSyncs(calendar);
  const searchable = "set whether search engines may index the calendar's page (default: off)";
  reports(
    command(calendar, "searchable", searchable, "calendar").argument("<on|off>", "on or off", onOrOff),
    (db, now, calendarId: number, on: boolean) => setSearchable(db, calendarId, on, now),
  );
}

/** Calendar files (docs/extensions.md). */
function addFiles(calendar: Command): void {
  const imports = "create and change events as an iCalendar file has them, up to 10 MB";
  reports(
    command(calendar, "import", imports, "calendar")
      .argument("<file>", "the file, or - for the standard input")
      .addOption(
        new Option("--classes <classes>", "all: also events that are private or confidential")
          .choices(["public", "all"])
          .default("public"),
      )
      .option("--dry-run", "only report what an import would do"),
    (db, now, calendarId: number, file: string, options: ImportOptions) =>
      importCalendarFile(db, calendarId, file, { ...options, now }),
  );
  const exports = "print a calendar as one iCalendar file, which an import takes, or as CSV";
  command(calendar, "export", exports, "calendar")
    .addOption(new Option("--format <format>", "output format").choices(["ics", "csv"]).default("ics"))
    .action((calendarId: number, options: ExportOptions) =>
      withDatabase((db) => exportCalendarFile(db, calendarId, options), {}),
    );
}
