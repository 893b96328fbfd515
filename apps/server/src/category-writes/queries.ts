import { namesOf } from "../categories/names.js";
import type { Db } from "../db/database.js";
import type { EventCategoryRow, EventRow, SubscriberRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { rowColumns } from "../events/queries.js";
import { printTemplate, readTemplate } from "../series/template.js";

/** Returns the names of categories after a change. */
export type Renamed = (names: readonly string[]) => readonly string[];

const idsIn = (db: Db, calendarId: number, names: readonly string[]) =>
  db<EventCategoryRow>("event_categories")
    .where({ calendar_id: calendarId })
    .whereIn("name", [...names])
    .distinct("event_id");

/** Returns some events of a calendar that have one of these categories, in the order of their ids. */
export async function eventsIn(
  db: Db,
  calendarId: number,
  names: readonly string[],
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly EventRow[]> {
  return db<EventRow>("events")
    .whereIn(
      "id",
      idsIn(db, calendarId, names).where("event_id", ">", after).orderBy("event_id").limit(limit),
    )
    .orderBy("id")
    .select(...rowColumns);
}

/** Counts the events that have one of these categories. */
export async function countEventsIn(db: Db, calendarId: number, names: readonly string[]): Promise<number> {
  const [row]: readonly { readonly total: number }[] = await db
    .from(idsIn(db, calendarId, names).as("found"))
    .count({ total: "*" });
  return row?.total ?? 0;
}

/** Changes the categories that followers of a calendar have picked; its row must be locked. */
export async function renamePicks(trx: Db, calendarId: number, renamed: Renamed): Promise<void> {
  const rows = () => trx<SubscriberRow>("subscribers").where({ calendar_id: calendarId });
  const picks = await rows().whereNotNull("categories").distinct("categories");
  for (const { categories } of picks) {
    if (categories === null) continue;
    const changed = [...renamed(namesOf(categories))].toSorted().join(",");
    if (changed !== categories) await rows().where({ categories }).update({ categories: changed });
  }
}

/** Changes the categories of events that series will make; the calendar must be locked. */
export async function renameInSeries(trx: Db, calendarId: number, renamed: Renamed): Promise<void> {
  const rows = () => trx<SeriesRow>("series").where({ calendar_id: calendarId });
  for (const { template } of await rows().distinct("template")) {
    const before = readTemplate({ template });
    const categories = renamed(namesOf(before.categories)).join(",");
    if (categories === before.categories) continue;
    await rows()
      .where({ template })
      .update({ template: printTemplate({ ...before, categories }) });
  }
}
