import { countEventsChange, type LockedCalendar, requireSpace } from "../calendars/lock-queries.js";
import {
  columnsExcept,
  deletedEventColumns,
  eventColumns,
  eventSearchColumns,
  historyColumns,
  insertRows,
  rowArray,
  updateRows,
} from "../db/columns.js";
import type { SeriesRow } from "../db/series-row.js";
import type { Cell, Transaction } from "../db/transaction.js";
import { replaceSearched } from "../events/search-queries.js";
import { authorCells, forgetSql } from "../history-entries/entry-queries.js";
import { insertMessages } from "../webhooks/outbox-queries.js";
import { type Action, indexed, type Plan, type PlannedEvent, type PlannedValue } from "./plan.js";

/** Something that an import was decided on has changed: it must be decided again. */
export class Outdated extends Error {}

/** Rows of one statement: as many long texts fill some megabytes. */
const mostRows = 200;

/** Runs a statement that takes rows as a JSON array, for a few rows at a time. */
async function runFor(
  trx: Transaction,
  sql: string,
  rows: readonly (readonly Cell[])[],
): Promise<readonly object[]> {
  const found: object[] = [];
  for (let from = 0; from < rows.length; from += mostRows)
    found.push(...(await trx.query<object>(sql, [JSON.stringify(rows.slice(from, from + mostRows))])));
  return found;
}

/**
 * Stores what an import does to its locked calendar, in statements for many rows each. `now` is in Unix seconds.
 * @throws Outdated when what it was decided on has changed
 */
export async function storePlan(
  trx: Transaction,
  locked: LockedCalendar,
  plan: Plan,
  now: number,
): Promise<void> {
  const { calendar, events, bytes } = plan;
  requireSpace(trx, locked, bytes);
  const isSame = locked.timezone === calendar.timezone && locked.palette_id === calendar.palette_id;
  if (!isSame || (locked.webhooks > 0 && calendar.webhooks === 0)) throw new Outdated();
  if (locked.feed_version !== calendar.feed_version) await requireUnchanged(trx, events);
  const version = locked.feed_version + 1;
  const those = (...actions: readonly Action[]) => events.filter(({ action }) => actions.includes(action));
  const stored = (action: Action) => those(action).map((event) => ({ ...event, feed_version: version }));
  await runFor(trx, insertRows("events", whole, trx.dialect), stored("create").map(whole.cells));
  await runFor(trx, updateRows("events", inPlace, trx.dialect), stored("update").map(inPlace.cells));
  await runFor(trx, updateRows("events", changing, trx.dialect), stored("reschedule").map(changing.cells));
  await recordAll(trx, those("create", "update", "reschedule", "delete"), now);
  await removeEvents(trx, stored("delete"), now);
  await runFor(trx, knownSql(trx), events.filter(isKnown).map(knownCells));
  await storeFound(trx, those("create", "update", "reschedule"), plan.values);
  await storeSeries(trx, plan);
  const changes = plan.changes + plan.series.length;
  if (changes > 0)
    await countEventsChange(trx, { calendarId: locked.id, events: plan.growth, changes, bytes, now });
  if (locked.webhooks > 0) await insertMessages(trx, events, now);
}

/** The event of a change must be as it was; that of a new one must not be there yet. @throws Outdated */
async function requireUnchanged(trx: Transaction, events: readonly PlannedEvent[]): Promise<void> {
  const { items } = trx.dialect;
  const known = events.filter(({ action }) => action !== "create");
  const same = await runFor(
    trx,
    `select e.id from ${items}($1) as target join published_events as e
      on e.id = cast(value ->> 0 as bigint) and e.feed_version = cast(value ->> 1 as bigint)`,
    known.map(({ id, feed_version }) => [id, feed_version]),
  );
  if (same.length < known.length) throw new Outdated();
  const taken = await runFor(
    trx,
    `select 1 from ${items}($1) as target where exists (select 1 from imported_events as i
          join published_events as e on e.id = i.event_id
        where i.calendar_id = cast(value ->> 0 as bigint) and i.import_uid = value ->> 1
          and i.import_recurrence_id = value ->> 2)
      or (value ->> 2 = '' and exists (select 1 from published_events as e
        where e.uid = value ->> 1 and e.calendar_id = cast(value ->> 0 as bigint)))`,
    events
      .filter(({ action }) => action === "create")
      .map((row) => [row.calendar_id, row.import_uid, row.import_recurrence_id]),
  );
  if (taken.length > 0) throw new Outdated();
}

const whole = rowArray(eventColumns, columnsExcept(eventColumns));
const states = ["state", "deleted_at", "publish_at", "preview_key"] as const;
const stays = ["account_id", "calendar_id", "uid", "created_at", "moves", ...states] as const;
const changing = rowArray(eventColumns, columnsExcept(eventColumns, ...stays));
/** Of events that start when they did: the other indexes stay as they are (docs/decisions/0010-group-commit.md). */
const inPlace = rowArray(eventColumns, columnsExcept(eventColumns, ...stays, ...indexed));

const recorded = rowArray(historyColumns, columnsExcept(historyColumns, "id"));
const recordedActions = { create: "created", update: "changed", reschedule: "changed", delete: "deleted" };

async function recordAll(trx: Transaction, events: readonly PlannedEvent[], now: number): Promise<void> {
  const author = authorCells(trx.by);
  const entries = events.map(({ id, account_id, calendar_id, action, changes }) => {
    const named = action === "keep" ? "" : recordedActions[action];
    return { ...author, account_id, calendar_id, event_id: id, created_at: now, action: named, changes };
  });
  await runFor(trx, insertRows("history", recorded, trx.dialect), entries.map(recorded.cells));
}

const tombstones = rowArray(deletedEventColumns, columnsExcept(deletedEventColumns));

/** Removes events that a sync deletes, with what the history has of their texts: they cannot be restored from here. */
async function removeEvents(trx: Transaction, events: readonly PlannedEvent[], now: number): Promise<void> {
  const { items } = trx.dialect;
  const ids = events.map(({ id, account_id }) => [id, account_id]);
  const [id, account] = ["cast(value ->> 0 as bigint)", "cast(value ->> 1 as bigint)"];
  await runFor(trx, forgetSql(`select ${id}, ${account} from ${items}($1) where true`), ids);
  const deleted = events.map((event) => tombstones.cells({ ...event, deleted_at: now }));
  await runFor(trx, insertRows("deleted_events", tombstones, trx.dialect), deleted);
  await runFor(trx, `delete from events where id in (select ${id} from ${items}($1))`, ids);
}

const isKnown = ({ import_uid }: PlannedEvent): boolean => import_uid !== null;

const knownCells = (row: PlannedEvent): readonly Cell[] => [
  row.id,
  row.calendar_id,
  row.import_uid,
  row.import_recurrence_id,
  row.sync_id,
];

/** Stores what events are known as in files. */
const knownSql = ({ dialect: { items } }: Transaction): string =>
  `insert into imported_events (event_id, calendar_id, import_uid, import_recurrence_id, sync_id)
    select cast(value ->> 0 as bigint), cast(value ->> 1 as bigint), value ->> 2, value ->> 3,
      cast(value ->> 4 as bigint) from ${items}($1) where true
    on conflict (event_id) do update set import_uid = excluded.import_uid,
      import_recurrence_id = excluded.import_recurrence_id, sync_id = excluded.sync_id`;

const searched = rowArray(eventSearchColumns, columnsExcept(eventSearchColumns));

/** Stores what lists and searches find events by, instead of what they were found by before. */
async function storeFound(
  trx: Transaction,
  events: readonly PlannedEvent[],
  values: readonly PlannedValue[],
): Promise<void> {
  const { items } = trx.dialect;
  const ids = (of: readonly PlannedEvent[]) =>
    of.filter(({ action }) => action !== "create").map(({ id }) => [id]);
  for (const [table, column, replaces] of [
    ["event_values", ", value_hash", events.filter((row) => row.replaces_values === 1)],
    ["event_categories", "", events.filter((row) => row.replaces_categories === 1)],
  ] as const) {
    const all = `(select cast(value ->> 0 as bigint) from ${items}($1))`;
    await runFor(trx, `delete from ${table} where event_id in ${all}`, ids(replaces));
    await runFor(
      trx,
      `insert into ${table} (calendar_id, event_id, name${column}) select cast(value ->> 0 as bigint),
        cast(value ->> 1 as bigint), value ->> 2${column === "" ? "" : ", value ->> 3"} from ${items}($1)`,
      values
        .filter(({ kind }) => kind === (table === "event_values" ? "value" : "category"))
        .map((row) => [row.calendar_id, row.event_id, row.name, row.value_hash]),
    );
  }
  const sql = `${insertRows("event_search", searched, trx.dialect)} where true ${replaceSearched}`;
  await runFor(
    trx,
    sql,
    events.map((event) => searched.cells({ ...event, event_id: event.id })),
  );
}

/** Series that are stored at a time. */
const mostSeries = 100;

/** Stores the series of an import into a locked calendar. @throws Outdated when one has changed since it was decided on */
async function storeSeries(
  trx: Transaction,
  { series: changes, endedSeries }: Pick<Plan, "series" | "endedSeries">,
): Promise<void> {
  const series = () => trx<SeriesRow>("series");
  for (let from = 0; from < changes.length; from += mostSeries) {
    const some = changes.slice(from, from + mostSeries);
    const known = some.flatMap(({ before }) => (before === undefined ? [] : [before]));
    const ids = known.map(({ id }) => id);
    const now = new Map((await series().whereIn("id", ids)).map((row) => [row.id, row]));
    if (known.some((row) => JSON.stringify(row) !== JSON.stringify(now.get(row.id)))) throw new Outdated();
    await series()
      .insert(some.map(({ after }) => after))
      .onConflict("id")
      .merge();
  }
  if (endedSeries.size > 0)
    await series()
      .whereIn("id", [...endedSeries])
      .update({ next_at: null });
}
