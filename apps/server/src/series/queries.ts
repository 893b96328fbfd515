import type { Db } from "../db/database.js";
import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { rowColumns } from "../events/queries.js";

const series = (db: Db) => db<SeriesRow>("series");
const events = (db: Db) => db<EventRow>("events");

/** The condition of the index events_of_series. */
const inSeries = "series_id > 0";

/** A series that is not stored yet. */
export type NewSeries = Omit<SeriesRow, "id">;

export async function insertSeries(trx: Db, row: NewSeries): Promise<SeriesRow> {
  const [inserted] = await series(trx).insert(row).returning("id");
  if (inserted === undefined) throw new Error("insert returned no id");
  return { ...row, id: inserted.id };
}

/** Returns a series. Its calendar must be locked, so that no one else changes it. */
export async function findSeries(trx: Db, id: number): Promise<SeriesRow | undefined> {
  return series(trx).where({ id }).first();
}

export async function updateSeries(trx: Db, { id, ...row }: SeriesRow): Promise<void> {
  await series(trx).where({ id }).update(row);
}

export async function deleteSeries(trx: Db, id: number): Promise<void> {
  await series(trx).where({ id }).delete();
}

/** Returns the events of a series in the order of their places. */
export async function findSeriesEvents(trx: Db, seriesId: number): Promise<readonly EventRow[]> {
  return events(trx)
    .where({ series_id: seriesId })
    .whereRaw(inSeries)
    .orderBy(["series_place", "id"])
    .select(...rowColumns);
}

/** How many events of a series have not begun. */
export async function countComing(trx: Db, seriesId: number, now: number): Promise<number> {
  const [counted] = await events(trx)
    .where({ series_id: seriesId })
    .whereRaw(inSeries)
    .where("start_at", ">=", now)
    .count<{ total: number }[]>({ total: "*" });
  return counted?.total ?? 0;
}

/** Gives the events of a series from a place on to another series, or other places. It changes nothing that anyone sees but `series_id`. */
export async function moveEvents(
  trx: Db,
  {
    from,
    to,
    place,
    by,
  }: { readonly from: number; readonly to: number; readonly place: number; readonly by: number },
): Promise<void> {
  await events(trx)
    .where({ series_id: from })
    .whereRaw(inSeries)
    .where("series_place", ">=", place)
    .update({ series_id: to, series_place: trx.raw("series_place + ?", [by]) });
}

/** Returns endless series whose next events are due, those that wait longest first. */
export async function findDueSeries(db: Db, now: number, limit: number): Promise<readonly SeriesRow[]> {
  return series(db).where("next_at", "<=", now).orderBy("next_at").limit(limit);
}
