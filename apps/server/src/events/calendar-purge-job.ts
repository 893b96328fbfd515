import { overItems } from "../background/failures.js";
import type { Knex } from "knex";
import { type FoundBy, rowsFoundBy } from "../calendars/custom-data-stored.js";
import { calendarTexts } from "../db/columns.js";
import { forgetAnswersOfCalendar } from "../db/kept-answers.js";
import type { Database, Db } from "../db/open-database.js";
import type { CalendarRow, HistoryRow, SubscriberRow } from "../db/rows.js";
import { forgetEvents } from "../calendars/entry-queries.js";
import { removeDays } from "../followers/statistics-queries.js";
import { purgeNews } from "../webhooks/mail-queries.js";
import { purgeCalendarDeliveries } from "../webhooks/purge-job.js";
import { lockCalendarRows } from "../calendars/lock-queries.js";

/** Rows removed in one transaction: few enough that other writers hardly wait. */
const batchSize = 500;

/** Values and categories that are removed with events in one transaction. */
const mostFoundBy = 2_000;

/**
 * Removes what deleted calendars held: their events, the personal data of their subscribers, the messages of webhooks and their
 * own texts. Deleting a calendar of a million events must not hold up other writers, so this runs apart, in batches. Returns how many
 * calendars it finished. Safe to run on several servers at once; ends early, between two batches, when `isStopping` says so.
 */
export async function purgeDeletedCalendars(
  db: Database,
  isStopping: () => boolean = () => false,
): Promise<number> {
  return overItems(async (doItem) => {
    let purged = 0;
    for (let after = 0; !isStopping();) {
      const id = await nextToPurge(db.read, after);
      if (id === undefined) break;
      after = id;
      await doItem(id, async () => {
        if (await purge(db, id, isStopping)) purged++;
      });
    }
    return purged;
  });
}

/** Returns the first calendar to purge after an id. */
export async function nextToPurge(db: Db, after: number): Promise<number | undefined> {
  const pending = db<CalendarRow>("calendars").whereRaw("purge_pending = 1").where("id", ">", after);
  return (await pending.orderBy("id").first("id"))?.id;
}

/** The rows of a calendar, as indexes find them. */
const held = [
  { table: "events", where: "state = 'published'" },
  { table: "events", where: "state = 'draft'" },
  { table: "events", where: "state = 'trashed'" },
  { table: "series", where: "1 = 1" },
  { table: "trashed_series", where: "1 = 1" },
] as const;

/** Returns false when it ended early. */
async function purge(db: Database, calendarId: number, isStopping: () => boolean): Promise<boolean> {
  for (const rows of held)
    while ((await deleteRows(db, rows, calendarId)) > 0) if (isStopping()) return false;
  if (!(await purgeCalendarDeliveries(db, calendarId, isStopping))) return false;
  while ((await removeLocked(db, calendarId, (trx) => removeDays(trx, calendarId))) > 0)
    if (isStopping()) return false;
  for (const next of [clearFollowers, deleteHistory])
    for (let after: number | undefined = 0; after !== undefined; after = await next(db, calendarId, after))
      if (isStopping()) return false;
  await finish(db, calendarId);
  return true;
}

async function finish(db: Database, calendarId: number): Promise<void> {
  await db.transaction(async (trx) => {
    await lockCalendarRows(trx, [calendarId]);
    const calendar = await trx<CalendarRow>("calendars").where({ id: calendarId }).first("account_id");
    if (calendar !== undefined) await forgetAnswersOfCalendar(trx, { ...calendar, calendar_id: calendarId });
    const cleared = Object.fromEntries(calendarTexts.map((name) => [name, ""]));
    await trx<CalendarRow>("calendars")
      .where({ id: calendarId })
      .update({
        ...cleared,
        custom_data: "{}",
        stored_bytes: 0,
        purge_pending: 0,
        purged_version: 0,
      });
    await purgeNews(trx, calendarId);
    for (const table of ["calendar_values", "calendar_syncs"])
      await trx(table).where({ calendar_id: calendarId }).delete();
  });
}

/** Removes the personal data of the next followers after an id. Returns the last of these ids; undefined when there were none. */
async function clearFollowers(db: Database, calendarId: number, after: number): Promise<number | undefined> {
  return db.transaction(async (trx) => {
    await lockCalendarRows(trx, [calendarId]);
    const ids = await trx<SubscriberRow>("subscribers")
      .where({ calendar_id: calendarId })
      .where("id", ">", after)
      .orderBy("id")
      .limit(batchSize)
      .pluck("id");
    await trx<SubscriberRow>("subscribers").whereIn("id", ids).update({
      name: "",
      email: "",
      ip: "",
      postal: null,
      city: null,
      state: null,
      country: null,
      categories: null,
      news: 0,
      language: "",
    });
    return ids.at(-1);
  });
}

/** Removes the next entries of the history after an id. Returns the last of these ids; undefined when there were none. */
async function deleteHistory(db: Database, calendarId: number, after: number): Promise<number | undefined> {
  return db.transaction(async (trx) => {
    const entries = () => trx<HistoryRow>("history");
    const account = trx<CalendarRow>("calendars").where({ id: calendarId }).select("account_id");
    const rows = await entries()
      .where("account_id", "in", account)
      .where({ calendar_id: calendarId })
      .where("id", ">", after)
      .orderBy("id")
      .limit(batchSize)
      .select("id", "account_id", "event_id", "action");
    const ids = rows.map(({ id }) => id);
    // Those that were in other calendars before have entries there.
    const moved = rows.filter(({ action }) => action === "moved");
    await forgetEvents(trx, moved);
    await entries().whereIn("id", ids).delete();
    return ids.at(-1);
  });
}

async function deleteRows(
  db: Database,
  { table, where }: (typeof held)[number],
  calendarId: number,
): Promise<number> {
  return removeLocked(db, calendarId, async (trx) => {
    const some = trx(table).where({ calendar_id: calendarId }).whereRaw(where).limit(batchSize);
    const ids: number[] = await (table === "events" ? nextEvents(some) : some.pluck("id"));
    return trx(table).whereIn("id", ids).delete();
  });
}

/** One server at a time: PostgreSQL leaves out rows that another is deleting, so that none would seem to be left. */
function removeLocked(db: Database, calendarId: number, remove: (trx: Db) => Promise<number>) {
  return db.transaction(async (trx) => {
    await lockCalendarRows(trx, [calendarId]);
    return remove(trx);
  });
}

/** The first of these events, with what they are found by: a trigger removes that with them. */
async function nextEvents(events: Knex.QueryBuilder): Promise<number[]> {
  const rows: readonly (FoundBy & { readonly id: number })[] = await events.select(
    "id",
    "custom_data",
    "categories",
  );
  let found = 0;
  const isRoom = (row: FoundBy): boolean => (found += rowsFoundBy(row)) <= mostFoundBy;
  const end = rows.findIndex((row) => !isRoom(row));
  return rows.slice(0, end === -1 ? rows.length : Math.max(end, 1)).map(({ id }) => id);
}
