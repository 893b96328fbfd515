import { countEventsChange, type LockedCalendar, requireSpace } from "../calendars/lock-queries.js";
import { bytesOfEvent } from "../calendars/stored-bytes.js";
import { namesOf, sortedNames } from "../calendars/category-names.js";
import { hasCategory } from "../calendars/category-queries.js";
import { rowsReplaced } from "../calendars/custom-data-stored.js";
import { eventColumns, rowArray, updateRows } from "../db/columns.js";
import { mostOfImport, WriteTooLarge } from "../db/refusals.js";
import type { EventCategoryRow, EventRow, SubscriberRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import type { Value } from "../db/query.js";
import type { Transaction } from "../db/transaction.js";
import { announceEvent } from "./announce.js";
import { isThere, rowColumns, syncedSql } from "./queries.js";
import { changesOf } from "./record-history.js";
import { savedRow, stored as storedRow } from "./revisions.js";
import { recordAll } from "../calendars/entry-queries.js";
import { printTemplate, readTemplate } from "./series-template.js";

/** Categories of a calendar that get one name. */
interface Renaming {
  readonly names: readonly string[];
  readonly to: string;
}

/** Returns the categories of a row after a change. */
function renamed({ names, to }: Renaming, categories: string): string {
  return [...new Set(namesOf(categories).map((name) => (names.includes(name) ? to : name)))].join(",");
}

/** Rows that are read and written at a time. */
const mostRows = 500;

const changed = rowArray(eventColumns, [
  "id",
  "categories",
  "json",
  "feed_version",
  "updated_times",
  "modified_at",
  "moved_at",
]);

/** Renames categories in all that a locked calendar has. Returns how many events and drafts have changed. @throws WriteTooLarge */
export async function renameCategories(
  trx: Transaction,
  calendar: LockedCalendar,
  renaming: Renaming,
  now: number,
): Promise<number> {
  if (renaming.names.length === 0) return 0;
  await renamePicks(trx, calendar.id, renaming);
  const bytes = await renameInSeries(trx, calendar.id, renaming);
  return renameInEvents(trx, calendar, { ...renaming, bytes }, now);
}

type Saved = readonly [before: EventRow, after: EventRow];

/** Renames categories in the events and the drafts, announces the events, and counts by how many bytes they and their series grow. */
async function renameInEvents(
  trx: Transaction,
  calendar: LockedCalendar,
  renaming: Renaming & { readonly bytes: number },
  now: number,
): Promise<number> {
  const ids = await eventsIn(trx, calendar.id, renaming.names);
  const written = { changes: 0, bytes: renaming.bytes, rows: 0, texts: 0 };
  for (let from = 0; from < ids.length; from += mostRows) {
    const rows = await trx<EventRow>("events")
      .whereIn("id", ids.slice(from, from + mostRows))
      .orderBy("id")
      .select(...rowColumns, trx.raw(syncedSql("events")));
    const saved = rows.map((before): Saved => {
      const change = { categories: renamed(renaming, before.categories) };
      return [before, savedRow(before, change, calendar.feed_version + 1, now)];
    });
    for (const [before, after] of saved) {
      written.changes += after.state === "published" ? 1 : 0;
      written.bytes += bytesOfEvent(after) - bytesOfEvent(before);
      written.rows += 1 + rowsReplaced(after, before) + calendar.webhooks;
    }
    const stored = JSON.stringify(saved.map(([, after]) => changed.cells(storedRow(after))));
    written.texts += (1 + calendar.webhooks) * Buffer.byteLength(stored);
    if (written.rows > mostOfImport.rows || written.texts > mostOfImport.bytes) throw new WriteTooLarge();
    await trx.query(updateRows("events", changed, trx.dialect), [stored]);
    await recordAndAnnounce(trx, calendar, saved, now);
  }
  const { bytes, changes } = written;
  requireSpace(trx, calendar, bytes);
  await renameInIndex(trx, ids, renaming);
  if (ids.length > 0 || bytes !== 0)
    countEventsChange(trx, { calendarId: calendar.id, events: 0, changes, bytes, now });
  return ids.length;
}

async function recordAndAnnounce(
  trx: Transaction,
  calendar: LockedCalendar,
  saved: readonly Saved[],
  now: number,
): Promise<void> {
  const entries = saved.map(([before, after]) => {
    const { account_id, calendar_id, id: event_id } = after;
    const changes = changesOf(before, after);
    return { account_id, calendar_id, event_id, action: "changed", changes, now } as const;
  });
  await recordAll(trx, entries);
  for (const [, after] of saved)
    if (after.state === "published") await announceEvent(trx, calendar, "event.saved", after, now);
}

/** Renames the rows by which lists find events. An event may have several of the categories, and the new one. */
async function renameInIndex(
  trx: Transaction,
  ids: readonly number[],
  { names, to }: Renaming,
): Promise<void> {
  const { items } = trx.dialect;
  const [of, old] = [JSON.stringify(ids.map((id) => [id])), JSON.stringify(names.map((name) => [name]))];
  const isOld = (events: string, those: string) =>
    `event_id in (select cast(value ->> 0 as bigint) from ${items}(${events}))
      and name in (select value ->> 0 from ${items}(${those}))`;
  await trx.query(
    `insert into event_categories (calendar_id, event_id, name)
      select distinct calendar_id, event_id, $1 from event_categories as old where ${isOld("$2", "$3")}
        and not exists (select 1 from event_categories as c where c.event_id = old.event_id and c.name = $1)`,
    [to, of, old],
  );
  await trx.query(`delete from event_categories where ${isOld("$1", "$2")}`, [of, old]);
}

/** Returns the ids of the published events and of the drafts of a calendar that have one of these categories. */
async function eventsIn(trx: Transaction, calendarId: number, names: readonly string[]) {
  return trx<EventCategoryRow>("event_categories as c")
    .join("events as e", "e.id", "c.event_id")
    .where({ "c.calendar_id": calendarId })
    .whereIn("c.name", [...names])
    .whereRaw(isThere)
    .distinct("c.event_id")
    .orderBy("c.event_id")
    .pluck<number[]>("c.event_id");
}

async function renamePicks(trx: Transaction, calendarId: number, renaming: Renaming): Promise<void> {
  for (let after = 0; ;) {
    const rows = await trx<SubscriberRow>("subscribers")
      .where({ calendar_id: calendarId })
      .where("id", ">", after)
      .where(hasCategory(renaming.names))
      .orderBy("id")
      .limit(mostRows)
      .select("id", "categories");
    const last = rows.at(-1);
    if (last === undefined) return;
    const picks = rows.map(({ id, categories }) => [id, picked(renaming, categories)]);
    await storeTexts(trx, "subscribers", "categories", picks);
    after = last.id;
  }
}

const picked = (renaming: Renaming, categories: string | null): string =>
  sortedNames(namesOf(renamed(renaming, categories ?? "")));

/** Renames categories of the events that series will make. Returns by how many bytes they grow. */
async function renameInSeries(trx: Transaction, calendarId: number, renaming: Renaming): Promise<number> {
  let bytes = 0;
  const series = () => trx<SeriesRow>("series").where({ calendar_id: calendarId });
  const ids = await series()
    .whereRaw(`template not like '%"categories":""%'`) // quotes inside a text are escaped
    .pluck("id");
  for (let from = 0; from < ids.length; from += mostRows) {
    const rows = await series()
      .whereIn("id", ids.slice(from, from + mostRows))
      .select("id", "template");
    const templates = rows.flatMap((row) => {
      const before = readTemplate(row);
      const categories = renamed(renaming, before.categories);
      if (categories === before.categories) return [];
      const template = printTemplate({ ...before, categories });
      bytes += Buffer.byteLength(template) - Buffer.byteLength(row.template);
      return [[row.id, template]];
    });
    await storeTexts(trx, "series", "template", templates);
  }
  return bytes;
}

async function storeTexts(
  trx: Transaction,
  table: string,
  column: string,
  rows: readonly (readonly Value[])[],
): Promise<void> {
  await trx.query(
    `update ${table} set ${column} = change.text
      from (select cast(value ->> 0 as bigint) as id, value ->> 1 as text from ${trx.dialect.items}($1)) as change
      where ${table}.id = change.id`,
    [JSON.stringify(rows)],
  );
}
