import type { Database } from "../db/connect.js";
import { exportedCalendar } from "../follow/export.js";
import { runImport } from "../imports/run.js";
import { imported } from "../imports/serialize.js";
import { readText } from "./calendar-text.js";
import { existingCalendar } from "./calendars.js";
import { type Report, table } from "./database.js";
import { printPieces } from "./print.js";
import { showProgress } from "./progress.js";

/** The options of `calendar import`. */
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
  const report = await runImport<ReturnType<typeof imported>>(db, request, ({ report: made }) =>
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

/** Prints a calendar as one .ics file. @throws Error when the calendar does not exist */
export async function exportCalendarFile(db: Database, id: number): Promise<undefined> {
  const calendar = await existingCalendar(db, id);
  return db.snapshot((trx) => printPieces(exportedCalendar(trx, calendar)));
}
