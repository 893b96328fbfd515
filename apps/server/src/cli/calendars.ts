import { operations, type Payload } from "@kalends/spec";
import { type Command, Option } from "commander";
import { recordCalendar } from "../calendars/announce.js";
import * as queries from "../calendars/queries.js";
import { writesAs } from "../db/transaction.js";
import type { Database } from "../db/open-database.js";
import { calendarFile } from "../files/export-files.js";
import { command, onOrOff } from "./arguments.js";
import { readText } from "./call.js";
import { reports } from "./database.js";
import { printPieces } from "./output.js";
import { existingCalendar, noCalendar, runOperation } from "./run-operation.js";

/** Sets whether search engines may index the page of a calendar. @throws Error when the calendar does not exist. */
export async function setSearchable(db: Database, id: number, on: boolean, now: number): Promise<object> {
  const by = { kind: "command_line", id: 0, operation: "" } as const;
  const row = await writesAs(db, { by: by }).transaction(async (trx) => {
    const before = await queries.findCalendarById(trx, id);
    const after = await queries.setSearchable(trx, id, on ? 1 : 0);
    if (before && after) recordCalendar(trx, "changed", [before, after], now);
    return after;
  });
  if (row === undefined) throw noCalendar(id);
  return { calendar_id: String(id), searchable: on };
}

export interface ImportOptions {
  readonly dryRun?: boolean;
  readonly classes?: "public" | "all";
  readonly charset?: string;
}

/** Imports a file, or the standard input for "-". @throws Error when the calendar does not exist or the file is refused */
export async function importCalendarFile(
  db: Database,
  id: number,
  file: string,
  { dryRun = false, classes = "public", charset, now }: ImportOptions & { readonly now: number },
): Promise<Payload<"calendarsImport">> {
  const { text: ics, encoding } = await readText(file, charset);
  const values = { calendar_id: String(id), ics, classes, dry_run: String(dryRun) };
  const nameOf = (parameter: string): string => (parameter === "ics" ? "file" : parameter);
  const body = await runOperation(db, "calendarsImport", { values, encoding, now, nameOf });
  return operations.calendarsImport.payload.parse(JSON.parse(body));
}

/** Prints a snapshot of a calendar as one file. @throws Error when the calendar does not exist */
export async function exportCalendarFile(
  db: Database,
  id: number,
  format: "ics" | "csv" = "ics",
): Promise<undefined> {
  const calendar = await existingCalendar(db, id);
  return db.snapshot((trx) => printPieces(calendarFile((work) => work(trx), calendar, format).pieces));
}

export function addCalendars(program: Command): void {
  const calendar = command(program, "calendar", "calendars");
  const imports = "create and change events as an iCalendar file has them, up to 10 MB";
  reports(
    command(calendar, "import", imports, "calendar")
      .argument("<file>", "the file, or - for the standard input")
      .addOption(
        new Option("--classes <classes>", "all: also events that are private or confidential")
          .choices(["public", "all"])
          .default("public"),
      )
      .option("--charset <charset>", "what the file is written in, such as iso-8859-2 (default: found out)")
      .option("--dry-run", "only report what an import would do"),
    (db, now, calendarId: number, file: string, options: ImportOptions) =>
      importCalendarFile(db, calendarId, file, { ...options, now }),
  );
  const exports = "print a calendar as one iCalendar file, which an import takes, or as CSV";
  reports(
    command(calendar, "export", exports, "calendar").addOption(
      new Option("--format <format>", "output format").choices(["ics", "csv"]).default("ics"),
    ),
    (db, _now, calendarId: number, { format }: { readonly format: "ics" | "csv" }) =>
      exportCalendarFile(db, calendarId, format),
  );
  const searchable = "set whether search engines may index the calendar's page (default: off)";
  reports(
    command(calendar, "searchable", searchable, "calendar").argument("<on|off>", "on or off", onOrOff),
    (db, now, calendarId: number, on: boolean) => setSearchable(db, calendarId, on, now),
  );
}
