import type { Transaction } from "../db/transaction.js";
import { bytesOfSeries } from "../calendars/stored-bytes.js";
import { templateColumns } from "../db/columns.js";
import type { Db } from "../db/database.js";
import { requireReadable } from "../db/refusals.js";
import type { ImportedEventRow } from "../db/import-rows.js";
import type { CalendarRow, EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { isThere, rowColumns, type Sized, sizeSql, syncedSql } from "./queries.js";
import { keepsTrash } from "../calendars/trash-days.js";
import type { Template } from "./revisions.js";
import { dateText, dayText } from "../time/recurrence-id.js";
import { toUnix } from "../time/zones.js";

const series = (db: Db) => db<SeriesRow>("series");
const events = (db: Db) => db<EventRow>("events");

/** The condition of the index events_of_series. */
const inSeries = "series_id > 0";

export type NewSeries = Omit<SeriesRow, "id">;

export async function insertSeries(trx: Db, row: NewSeries): Promise<SeriesRow> {
  const [inserted] = await series(trx).insert(row).returning("id");
  if (inserted === undefined) throw new Error("insert returned no id");
  await addBytes(trx, row.calendar_id, bytesOfSeries(row));
  return { ...row, id: inserted.id };
}

/** Moves how many bytes a locked calendar stores. */
async function addBytes(trx: Db, id: number, bytes: number): Promise<void> {
  const stored_bytes = trx.raw("stored_bytes + ?", [bytes]);
  if (bytes !== 0) await trx<CalendarRow>("calendars").where({ id }).update({ stored_bytes });
}

/** Runs writes of a series of a locked calendar, and counts what they store more, in the trash too. */
async function counted(
  trx: Db,
  { id, calendar_id }: Pick<SeriesRow, "id" | "calendar_id">,
  write: () => Promise<unknown>,
): Promise<void> {
  const bytes = async (): Promise<number> => {
    const rows = await Promise.all([
      series(trx).where({ id }).first(),
      trashedSeries(trx).where({ id }).first(),
    ]);
    return rows.reduce((sum, row) => sum + (row === undefined ? 0 : bytesOfSeries(row)), 0);
  };
  const before = await bytes();
  await write();
  await addBytes(trx, calendar_id, (await bytes()) - before);
}

/** Returns a series. Its calendar must be locked, so that no one else changes it. */
export async function findSeries(trx: Db, id: number): Promise<SeriesRow | undefined> {
  return series(trx).where({ id }).first();
}

export async function findAllSeries(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, SeriesRow>> {
  return new Map((await series(db).whereIn("id", [...ids])).map((row) => [row.id, row]));
}

/** Returns a series of the account; undefined when it is absent, another account's, or its calendar is deleted. */
export async function findSeriesOf(db: Db, accountId: number, id: number): Promise<SeriesRow | undefined> {
  return series(db)
    .join("calendars", "calendars.id", "series.calendar_id")
    .where({ "series.id": id, "series.account_id": accountId })
    .whereNull("calendars.deleted_at")
    .first<SeriesRow | undefined>("series.*");
}

/** Gives a locked event its series and its place there. */
export async function joinSeries(
  trx: Db,
  { id, series_id, series_place }: Pick<EventRow, "id" | "series_id" | "series_place">,
): Promise<void> {
  await events(trx).where({ id }).update({ series_id, series_place });
}

export async function updateSeries(trx: Db, { id, ...row }: SeriesRow): Promise<void> {
  await counted(trx, { id, ...row }, () => series(trx).where({ id }).update(row));
}

/** Deletes a series whose events are deleted. It is kept as long as they can be restored. */
export async function deleteSeries(trx: Db, id: number): Promise<void> {
  const row = await findSeries(trx, id);
  if (row === undefined) return;
  await trashSeries(trx, row);
  await counted(trx, row, () => series(trx).where({ id }).delete());
}

const trashedSeries = (db: Db) => db<SeriesRow>("trashed_series");

/** Keeps what a series was before its last events, or all of them, are deleted. */
export async function trashSeries(trx: Db, row: SeriesRow): Promise<void> {
  if (!keepsTrash()) return;
  await counted(trx, row, () => trashedSeries(trx).insert(row).onConflict("id").merge());
}

/**
 * Makes a series ready for events that are restored: it is there, and its places reach to the last of them. Where `isWhole`, it goes on
 * as before they were deleted.
 */
export async function reviveSeries(
  trx: Db,
  id: number,
  { place, isWhole, now }: { readonly place: number; readonly isWhole: boolean; readonly now: number },
): Promise<void> {
  const before = await trashedSeries(trx).where({ id }).first();
  const next_at = isWhole && before !== undefined && before.next_at !== null ? now : null;
  const isDeleted = (await findSeries(trx, id)) === undefined;
  if (before !== undefined && (isDeleted || isWhole))
    await counted(trx, before, async () => {
      const { before_place, rrule } = before;
      if (isDeleted) await series(trx).insert({ ...before, next_at });
      else await series(trx).where({ id, rrule }).update({ before_place, next_at });
      if (isWhole) await trashedSeries(trx).where({ id }).delete(); // else the others may be restored later
    });
  await series(trx)
    .where({ id })
    .where("before_place", "<=", place)
    .update({ before_place: place + 1 });
}

/** The events and the drafts of a series. */
const ofSeries = (trx: Db, seriesId: number) =>
  events(trx).where({ series_id: seriesId }).whereRaw(`${inSeries} and ${isThere}`);

/** An event of a series, and the bytes of its long texts, which are not read for it. */
export type SizedPlace = Sized & Pick<EventRow, "id" | "series_place">;

const byPlace = ["series_place", "id"];

/** Returns some events of a series, and drafts, in the order of their places. @throws WriteTooLarge when they are longer than a write may read */
export async function findSeriesEvents(
  trx: Transaction,
  seriesId: number,
  chosen: readonly SizedPlace[],
): Promise<readonly EventRow[]> {
  requireReadable(chosen);
  const ids = chosen.map(({ id }) => id);
  return ofSeries(trx, seriesId)
    .whereIn("id", ids)
    .orderBy(byPlace)
    .select(...rowColumns, trx.raw(syncedSql("events")));
}

/** Returns the events of a series, and its drafts, in the order of their places, without their texts. */
export async function findSeriesPlaces(trx: Db, seriesId: number): Promise<readonly SizedPlace[]> {
  return ofSeries(trx, seriesId)
    .orderBy(byPlace)
    .select("id", "series_place", trx.raw(`${sizeSql} as size`));
}

/** Returns how the last date of a series is published; undefined where it has none. */
export async function findLastOfSeries(
  trx: Db,
  seriesId: number,
): Promise<Pick<EventRow, "state" | "publish_at"> | undefined> {
  return ofSeries(trx, seriesId)
    .orderBy([
      { column: "series_place", order: "desc" },
      { column: "state", order: "desc" }, // of two at one place the published one
    ])
    .first("state", "publish_at");
}

/** When an event of a series is, and whether it has other texts than the template: these are not read. */
export type ComparedEvent = Pick<
  EventRow,
  "id" | "series_place" | "timezone" | "all_day" | "start_at" | "start_local" | "end_local"
> & { readonly differs: number };

/** Returns the events of a series, and its drafts, in the order of their places, compared with a template. */
export async function compareSeriesEvents(
  db: Db,
  seriesId: number,
  template: Template,
): Promise<readonly ComparedEvent[]> {
  const same = templateColumns.map((name) => `${name} = ?`).join(" and ");
  return ofSeries(db, seriesId)
    .orderBy(byPlace)
    .select<ComparedEvent[]>(
      "id",
      "series_place",
      "timezone",
      "all_day",
      "start_at",
      "start_local",
      "end_local",
      db.raw(
        `case when ${same} then 0 else 1 end as differs`,
        templateColumns.map((name) => template[name]),
      ),
    );
}

/** How many events of a series, and drafts, have not begun. */
export async function countComing(trx: Db, seriesId: number, now: number): Promise<number> {
  const [counted] = await ofSeries(trx, seriesId)
    .where("start_at", ">=", now)
    .count<{ total: number }[]>({ total: "*" });
  return counted?.total ?? 0;
}

/** Gives the events of a series from a place on to another series, or other places, deleted ones too. It changes nothing that anyone sees but `series_id`. */
export async function moveEvents(
  trx: Db,
  { from, to, place, by }: Readonly<Record<"from" | "to" | "place" | "by", number>>,
): Promise<void> {
  await events(trx)
    .where({ series_id: from })
    .whereRaw(inSeries)
    .where("series_place", ">=", place)
    .update({ series_id: to, series_place: trx.raw("series_place + ?", [by]) });
}

/** Returns endless series whose next events are due, those that wait longest first. */
export async function findDueSeries(
  db: Db,
  now: number,
  limit: number,
): Promise<readonly Pick<SeriesRow, "id" | "calendar_id">[]> {
  return series(db)
    .where("next_at", "<=", now)
    .orderBy(["next_at", "id"])
    .limit(limit)
    .select("id", "calendar_id");
}

/** Has the endless series of a calendar extended at the next run of the job. */
export async function extendSeriesOf(trx: Db, calendarId: number, now: number): Promise<void> {
  await series(trx).where({ calendar_id: calendarId }).where("next_at", ">", now).update({ next_at: now });
}

/** Stores when a due series is tried again, before it is. False when another server was first. */
export async function takeSeries(trx: Db, id: number, now: number, next_at: number): Promise<boolean> {
  const taken = await series(trx).where({ id }).where("next_at", "<=", now).update({ next_at });
  return taken > 0;
}

/** Stores when a series is tried that could not be extended. */
export async function postponeSeries(trx: Db, id: number, next_at: number): Promise<void> {
  await series(trx).where({ id }).whereNotNull("next_at").update({ next_at });
}

/** Makes new events of a series those of the file that it was imported from, so that an import finds them; of a sync it stays as it is. */
export async function knowAsImported(
  trx: Db,
  { id, rule_all_day, rule_timezone }: SeriesRow,
  created: readonly Pick<EventRow, "id" | "calendar_id" | "series_place">[],
): Promise<void> {
  const known = await trx<ImportedEventRow>("imported_events as i")
    .join("published_events as e", "e.id", "i.event_id")
    .where({ "e.series_id": id })
    .whereRaw("e.series_id > 0") // the condition of the index
    .whereNot("i.import_recurrence_id", "")
    .orderBy("e.series_place", "desc")
    .first<Pick<ImportedEventRow, "import_uid" | "sync_id"> | undefined>("i.import_uid", "i.sync_id");
  if (known === undefined || known.sync_id !== null || created.length === 0) return;
  const rows = created.map(({ id: event_id, calendar_id, series_place }) => ({
    event_id,
    calendar_id,
    ...known,
    import_recurrence_id:
      rule_all_day === 1 ? dayText(series_place) : dateText(toUnix(series_place, rule_timezone)),
  }));
  await trx<ImportedEventRow>("imported_events").insert(rows);
}
