import { lockCalendar, type LockedCalendar } from "../calendars/lock-queries.js";
import { holdCategories } from "../categories/queries.js";
import type { Member } from "../db/batch.js";
import { type Database, type Db, Overloaded } from "../db/database.js";
import { memberOf, memberTransaction, type TransactionHost } from "../db/member.js";
import { reserveIds } from "../events/queries.js";
import { type Decided, decide, type Import } from "./decide.js";
import type { Report } from "./outcome.js";
import { pace } from "../time/pace.js";
import type { Plan } from "./plan.js";
import { preparing } from "./run-thread.js";
import { Outdated, publish, publishSeries, type Staged } from "./publish-queries.js";
import { findTarget } from "./queries.js";
import { beginStaging, removeStaged, stageEvents, stageValues } from "./staging-queries.js";

export interface FileImport extends Import {
  readonly accountId: number;
  readonly calendarId: number;
  readonly text: string;
  /** Whether events are taken that are not for the public. */
  readonly takesPrivate: boolean;
}

export interface ImportDatabase<T> extends TransactionHost<T>, Pick<Database, "staging"> {
  readonly read: Db;
}

export interface Imported {
  readonly report: Report;
  /** Events that were deleted since the file has them no more. */
  readonly deleted: number;
}

/** The calendar does not exist, is deleted or another account's. */
export class CalendarMissing extends Error {}

/** How often an import is decided again, since what it was decided on has changed before it was published. */
const mostTries = 4;

/** How long an import may take from its staging on, in seconds; then its rows are removed. */
const expirySeconds = 900;

/**
 * Imports a file, all of it or nothing: it is read in a thread, decided and staged beside other writes, and published by one short
 * transaction (docs/decisions/0018-import.md).
 * @param finish makes the result, in that transaction
 * @throws FileRefused; ImportTooLarge; CalendarMissing; Overloaded when the calendar changes all the time
 */
export async function runImport<T>(
  db: ImportDatabase<T>,
  file: FileImport,
  finish: (imported: Imported) => T,
): Promise<T> {
  return untilPublished(() => importOnce(db, file, finish));
}

/** Decides again what was outdated before it was published. @throws Overloaded when it is so all the time */
export async function untilPublished<T>(once: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await once();
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
  const reading = {
    reading: memberOf(db.read, db.dialect),
    reserve: (table: "events" | "series", count: number) =>
      db.staging((trx) => reserveIds[table](trx, count)),
  };
  const decided = await preparing({ text, timezone: calendar.timezone, now, takesPrivate }, (prepared) =>
    decide(reading, calendar, prepared, file),
  );
  const { events, series } = decided.plan;
  const plan = isDryRun || events.length + series.length === 0 ? undefined : decided.plan;
  return withStaged(db, plan, now, (staged) =>
    memberTransaction(db, async (member, knex) => {
      const locked = await lockCalendar(member, { accountId, calendarId });
      if (locked === undefined) throw new CalendarMissing();
      if (staged !== undefined) {
        await requireSameCategories(member, locked, decided);
        await publish(member, locked, staged, now);
        await publishSeries(knex, decided.plan);
      }
      return finish(decided);
    }),
  );
}

/** Runs `work` while what a plan has is staged, for `publish`; without a plan nothing is. */
export async function withStaged<T>(
  db: Pick<Database, "staging">,
  plan: Plan | undefined,
  now: number,
  work: (staged: Staged | undefined) => Promise<T>,
): Promise<T> {
  const staged = plan === undefined ? undefined : await stage(db, plan, now);
  try {
    return await work(staged);
  } finally {
    if (staged !== undefined) await removeStaged(db, staged.importId).catch(() => undefined); // a job removes them later
  }
}

/** Categories that came meanwhile took the room of those of the file. */
async function requireSameCategories(
  trx: Member,
  { id, feed_version }: LockedCalendar,
  { plan, categories }: Decided,
): Promise<void> {
  const isAdding = plan.values.some(({ kind }) => kind === "category");
  if (!isAdding || feed_version === plan.calendar.feed_version) return;
  if ((await holdCategories(trx, id)).join() !== categories.join()) throw new Outdated();
}

/** Rows that are staged at a time, and about how many UTF-16 units of texts. */
const mostStaged = 200;
const mostUnits = 400_000;

/** Stores what is to be published where no one reads it, in short transactions that others share. */
async function stage(db: Pick<Database, "staging">, plan: Plan, now: number): Promise<Staged> {
  const importId = await db.staging((trx) => beginStaging(trx, { expiresAt: now + expirySeconds }));
  try {
    for (const rows of slicesOf(
      plan.events,
      ({ json, payload, description }) => 2 * description.length + json.length + (payload?.length ?? 0),
    )) {
      const staged = rows.map((row) => ({ ...row, import_id: importId }));
      await db.staging((trx) => stageEvents(trx, staged));
      await pace.rest();
    }
    let place = 0;
    for (const rows of slicesOf(plan.values, () => 0)) {
      const numbered = rows.map((row) => ({ ...row, import_id: importId, place: place++ }));
      await db.staging((trx) => stageValues(trx, numbered));
      await pace.rest();
    }
  } catch (error) {
    await removeStaged(db, importId).catch(() => undefined);
    throw error;
  }
  const { calendar, actions, growth, bytes, series } = plan;
  return { importId, calendar, actions, events: growth, changes: plan.changes + series.length, bytes };
}

function* slicesOf<Row>(rows: readonly Row[], unitsOf: (row: Row) => number): Iterable<readonly Row[]> {
  let slice: Row[] = [];
  let units = 0;
  for (const row of rows) {
    slice.push(row);
    units += unitsOf(row);
    if (slice.length < mostStaged && units < mostUnits) continue;
    yield slice;
    [slice, units] = [[], 0];
  }
  if (slice.length > 0) yield slice;
}
