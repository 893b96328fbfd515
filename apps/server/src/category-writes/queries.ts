import { namesOf, sortedNames } from "../categories/names.js";
import { hasCategory } from "../categories/queries.js";
import { batchedWrite, type Transaction } from "../db/transaction.js";
import type { Db } from "../db/database.js";
import type { EventCategoryRow, EventRow, SubscriberRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { inOrder } from "../events/many.js";
import { rowColumns, type Sized, syncedSql } from "../events/queries.js";
import { printTemplate, readTemplate } from "../series/template.js";

/** Returns the names of categories after a change. */
export type Renamed = (names: readonly string[]) => readonly string[];

/** The ids of the events of a calendar in that state that have one of these categories. */
const idsIn = (
  db: Db,
  calendarId: number,
  names: readonly string[],
  state: EventRow["state"] = "published",
) =>
  db<EventCategoryRow>("event_categories as c")
    .join("events as e", "e.id", "c.event_id")
    .where({ "c.calendar_id": calendarId, "e.state": state })
    .whereIn("c.name", [...names])
    .distinct("c.event_id");

/** Returns some published events of a calendar that have one of these categories, in the order of their ids. */
export async function eventsIn(
  db: Db,
  calendarId: number,
  names: readonly string[],
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly EventRow[]> {
  const ids = idsIn(db, calendarId, names).where("c.event_id", ">", after).orderBy("c.event_id").limit(limit);
  return db<EventRow>("events")
    .whereIn("id", ids)
    .orderBy("id")
    .select(...rowColumns, db.raw(syncedSql("events")));
}

/** Counts the published events that have one of these categories. */
export async function countEventsIn(db: Db, calendarId: number, names: readonly string[]): Promise<number> {
  const [row]: readonly { readonly total: number }[] = await db
    .from(idsIn(db, calendarId, names).as("found"))
    .count({ total: "*" });
  return row?.total ?? 0;
}

/** Returns the ids of the drafts of a calendar that have one of these categories. */
export async function draftsIn(
  db: Db,
  calendarId: number,
  names: readonly string[],
): Promise<readonly number[]> {
  return idsIn(db, calendarId, names, "draft").pluck("c.event_id");
}

/** Rows that are read at a time. */
const pageSize = 1_000;

/** Changes those of the categories that followers of a calendar have picked; its row must be locked. @throws WriteTooLarge */
export async function renamePicks(
  trx: Transaction,
  { calendarId, names }: { readonly calendarId: number; readonly names: readonly string[] },
  renamed: Renamed,
): Promise<void> {
  for (let id = 0; ;) {
    const rows = await trx<SubscriberRow>("subscribers")
      .where({ calendar_id: calendarId })
      .where("id", ">", id)
      .where(hasCategory(names))
      .orderBy("id")
      .limit(pageSize)
      .select("id", "categories");
    const picks = rows.map((row) => ({
      id: row.id,
      categories: sortedNames(renamed(namesOf(row.categories ?? ""))),
    }));
    await Promise.all(picks.map((pick) => storePick(trx, pick)));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    ({ id } = last);
  }
}

const storePick = batchedWrite<Pick<SubscriberRow, "id" | "categories">>({
  name: "rename picked categories",
  rows: (picks) => picks.map(({ id, categories }) => [id, categories]),
  sql: ({ items }) => `update subscribers set categories = change.categories
    from (select cast(value ->> 0 as bigint) as id, value ->> 1 as categories from ${items}($1)) as change
    where subscribers.id = change.id`,
});

/** A series, and the bytes of its template. */
export type SizedSeries = Sized & Pick<SeriesRow, "id">;

/** Returns the series of a calendar whose events have categories. It looks into the text of each, so it takes its time. */
export async function seriesWithCategories(db: Db, calendar_id: number): Promise<readonly SizedSeries[]> {
  return db<SeriesRow>("series")
    .where({ calendar_id })
    .whereRaw(`template not like '%"categories":""%'`) // quotes inside a text are escaped
    .orderBy("id")
    .select("id", db.raw("octet_length(template) as size"));
}

/** Changes the categories of events that some series will make; their calendar must be locked. @throws WriteTooLarge */
export async function renameInSeries(
  trx: Transaction,
  series: readonly SizedSeries[],
  renamed: Renamed,
): Promise<void> {
  for (let from = 0; from < series.length; from += pageSize) {
    const ids = series.slice(from, from + pageSize).map(({ id }) => id);
    const rows = await trx<SeriesRow>("series").whereIn("id", ids).select("id", "template");
    const changed = rows.flatMap((row) => {
      const before = readTemplate(row);
      const categories = renamed(namesOf(before.categories)).join(",");
      const template = printTemplate({ ...before, categories });
      return categories === before.categories ? [] : [{ id: row.id, template }];
    });
    await inOrder(changed, (row) => storeTemplate(trx, row));
  }
}

const storeTemplate = batchedWrite<Pick<SeriesRow, "id" | "template">>({
  name: "rename categories of series",
  rows: (changed) => changed.map(({ id, template }) => [id, template]),
  sql: ({ items }) => `update series set template = change.template
    from (select cast(value ->> 0 as bigint) as id, value ->> 1 as template from ${items}($1)) as change
    where series.id = change.id`,
});
