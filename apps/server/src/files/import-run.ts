import { lockCalendar, type LockedCalendar } from "../calendars/lock-queries.js";
import { keepPicture } from "../calendars/picture-queries.js";
import { listCategories } from "../calendars/category-queries.js";
import type { Transaction } from "../db/transaction.js";
import { type Database, Overloaded } from "../db/database.js";
import { type Decided, decide, type Import } from "./decide.js";
import { importing } from "../http/quota.js";
import { findTarget } from "./import-queries.js";
import { preparing } from "./run-thread.js";
import { Outdated, storePlan } from "./store-queries.js";

export interface FileImport extends Import {
  readonly accountId: number;
  readonly calendarId: number;
  readonly text: string;
  /** Whether events are taken that are not for the public. */
  readonly takesPrivate: boolean;
}

/** What an import reads with, and what stores its result together with its answer. */
export interface ImportDatabase<T> extends Pick<Database, "read" | "query" | "dialect" | "reserve"> {
  transaction(work: (trx: Transaction) => Promise<T>): Promise<T>;
}

export type Imported = Pick<Decided, "report" | "deleted" | "renamed">;

/** The calendar does not exist, is deleted or another account's. */
export class CalendarMissing extends Error {}

/** How often an import is decided again, since what it was decided on has changed before it was stored. */
const mostTries = 4;

/**
 * Imports a file, all of it or nothing: it is read in a thread, decided beside other writes, and stored by one transaction
 * (docs/decisions/0018-import.md). One file at a time: with its events, each may take the process beyond 400 MB.
 * @param finish makes the result, in that transaction
 * @throws FileRefused; ImportTooLarge; CalendarMissing; Overloaded when the calendar changes all the time, or too many files wait
 */
export async function runImport<T>(
  db: ImportDatabase<T>,
  file: FileImport,
  finish: (imported: Imported) => T,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await importing.run(file.accountId, () => importOnce(db, file, finish));
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
      if (tries === mostTries) throw new Overloaded("what is to be changed is being changed all the time");
    }
  }
}

async function importOnce<T>(db: ImportDatabase<T>, file: FileImport, finish: (imported: Imported) => T) {
  const { accountId, calendarId, text, now, isDryRun, takesPrivate } = file;
  const calendar = await findTarget(db.read, accountId, calendarId);
  if (calendar === undefined) throw new CalendarMissing();
  const decided = await preparing({ text, timezone: calendar.timezone, now, takesPrivate }, (prepared) =>
    decide(db, calendar, prepared, file),
  );
  const { events, series } = decided.plan;
  return db.transaction(async (trx) => {
    const locked = await lockCalendar(trx, { accountId, calendarId });
    if (locked === undefined) throw new CalendarMissing();
    if (!isDryRun && events.size + series.length > 0) {
      await requireSameCategories(trx, locked, decided);
      await requirePictures(trx, locked, decided);
      await storePlan(trx, locked, decided.plan, now);
    }
    return finish(decided);
  });
}

/** A picture that nothing referred to may be gone meanwhile. */
async function requirePictures(
  trx: Transaction,
  { account_id }: LockedCalendar,
  { plan }: Decided,
): Promise<void> {
  const named = new Set([...plan.events].map(({ row }) => row.picture_id).filter((hash) => hash !== ""));
  for (const hash of named) if (!(await keepPicture(trx, account_id, hash))) throw new Outdated();
}

/** Categories that came meanwhile took the room of those of the file. */
async function requireSameCategories(
  trx: Transaction,
  { id, feed_version }: LockedCalendar,
  { plan, categories }: Decided,
): Promise<void> {
  const isAdding = [...plan.events].some((event) => (event.categories ?? []).length > 0);
  if (!isAdding || feed_version === plan.calendar.feed_version) return;
  if ((await listCategories(trx, id)).join() !== categories.join()) throw new Outdated();
}
