import { countEventsChange, type LockedCalendar, requireSpace } from "../calendars/lock-queries.js";
import { bytesOfSeries } from "../calendars/stored-bytes.js";
import {
  columnsExcept,
  deletedEventColumns,
  eventColumns,
  eventSearchColumns,
  insertRows,
  rowArray,
  updateRows,
} from "../db/columns.js";
import type { StoredEventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import type { Value } from "../db/query.js";
import { queryInSlices, type Transaction } from "../db/transaction.js";
import { replaceSearched } from "../events/search-queries.js";
import { forgetSql, recordAll } from "../calendars/entry-queries.js";
import { insertMessages } from "../webhooks/outbox-queries.js";
import { type Action, indexed, type Plan, type PlannedEvent } from "./import-plan.js";

/** Something that an import was decided on has changed: it must be decided again. */
export class Outdated extends Error {}

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
  const { calendar } = plan;
  const bytes = plan.bytes + bytesOfChanges(plan.series);
  const events = [...plan.events];
  requireSpace(trx, locked, bytes);
  const isSame = locked.timezone === calendar.timezone && locked.palette_id === calendar.palette_id;
  if (!isSame || (locked.webhooks > 0 && calendar.webhooks === 0)) throw new Outdated();
  if (locked.feed_version !== calendar.feed_version) await requireUnchanged(trx, events);
  const version = locked.feed_version + 1;
  const rowsOf = (action: Action) =>
    events.flatMap((event) => (event.action === action ? [{ ...event.row, feed_version: version }] : []));
  await queryInSlices(trx, insertRows("events", whole, trx.dialect), rowsOf("create").map(whole.cells));
  await queryInSlices(trx, updateRows("events", inPlace, trx.dialect), rowsOf("update").map(inPlace.cells));
  await queryInSlices(
    trx,
    updateRows("events", changing, trx.dialect),
    rowsOf("reschedule").map(changing.cells),
  );
  await recordEvents(trx, events, now);
  await removeEvents(trx, rowsOf("delete"), now);
  await queryInSlices(trx, knownSql(trx), events.flatMap(knownCells));
  await storeFound(trx, events);
  await storeSeries(trx, plan);
  const changes = plan.changes + plan.series.length;
  if (changes > 0)
    countEventsChange(trx, { calendarId: locked.id, events: plan.growth, changes, bytes, now });
  if (locked.webhooks > 0)
    await insertMessages(
      trx,
      locked,
      events.flatMap(({ message = [] }) => message),
      now,
    );
}

/** The event of a change must be as it was; that of a new one must not be there yet. @throws Outdated */
async function requireUnchanged(trx: Transaction, events: readonly PlannedEvent[]): Promise<void> {
  const { items } = trx.dialect;
  const known = events.filter(({ action }) => action !== "create");
  const same = await queryInSlices(
    trx,
    `select e.id from ${items}($1) as target join published_events as e
      on e.id = cast(value ->> 0 as bigint) and e.feed_version = cast(value ->> 1 as bigint)`,
    known.map(({ row: { id, feed_version } }) => [id, feed_version]),
  );
  if (same.length < known.length) throw new Outdated();
  const taken = await queryInSlices(
    trx,
    `select 1 from ${items}($1) as target where exists (select 1 from imported_events as i
          join published_events as e on e.id = i.event_id
        where i.calendar_id = cast(value ->> 0 as bigint) and i.import_uid = value ->> 1
          and i.import_recurrence_id = value ->> 2)
      or (value ->> 2 = '' and exists (select 1 from published_events as e
        where e.uid = value ->> 1 and e.calendar_id = cast(value ->> 0 as bigint)))`,
    events
      .filter(({ action }) => action === "create")
      .map(({ row, known: as }) => [
        row.calendar_id,
        as?.import_uid ?? null,
        as?.import_recurrence_id ?? null,
      ]),
  );
  if (taken.length > 0) throw new Outdated();
}

const whole = rowArray(eventColumns, columnsExcept(eventColumns));
const states = ["state", "deleted_at", "publish_at", "preview_key"] as const;
const stays = ["account_id", "calendar_id", "uid", "created_at", "moves", ...states] as const;
const changing = rowArray(eventColumns, columnsExcept(eventColumns, ...stays));
/** Of events that start when they did: the other indexes stay as they are (docs/decisions/0010-group-commit.md). */
const inPlace = rowArray(eventColumns, columnsExcept(eventColumns, ...stays, ...indexed));

const recorded = { create: "created", update: "changed", reschedule: "changed", delete: "deleted" } as const;

async function recordEvents(trx: Transaction, events: readonly PlannedEvent[], now: number): Promise<void> {
  const entries = events.flatMap(({ action, row: { id: event_id, account_id, calendar_id }, changes }) =>
    action === "keep" ? [] : [{ account_id, calendar_id, event_id, action: recorded[action], changes, now }],
  );
  await recordAll(trx, entries);
}

const tombstones = rowArray(deletedEventColumns, columnsExcept(deletedEventColumns));

/** Removes events that a sync deletes, with what the history has of their texts: they cannot be restored from here. */
async function removeEvents(trx: Transaction, events: readonly StoredEventRow[], now: number): Promise<void> {
  const { items } = trx.dialect;
  const ids = events.map(({ id, account_id }) => [id, account_id]);
  const [id, account] = ["cast(value ->> 0 as bigint)", "cast(value ->> 1 as bigint)"];
  await queryInSlices(trx, forgetSql(`select ${id}, ${account} from ${items}($1) where true`), ids);
  const deleted = events.map((event) => tombstones.cells({ ...event, deleted_at: now }));
  await queryInSlices(trx, insertRows("deleted_events", tombstones, trx.dialect), deleted);
  await queryInSlices(trx, `delete from events where id in (select ${id} from ${items}($1))`, ids);
}

const knownCells = ({ row, known }: PlannedEvent): readonly (readonly Value[])[] =>
  known === undefined
    ? []
    : [[row.id, row.calendar_id, known.import_uid, known.import_recurrence_id, known.sync_id]];

/** Stores what events are known as in files. */
const knownSql = ({ dialect: { items } }: Transaction): string =>
  `insert into imported_events (event_id, calendar_id, import_uid, import_recurrence_id, sync_id)
    select cast(value ->> 0 as bigint), cast(value ->> 1 as bigint), value ->> 2, value ->> 3,
      cast(value ->> 4 as bigint) from ${items}($1) where true
    on conflict (event_id) do update set import_uid = excluded.import_uid,
      import_recurrence_id = excluded.import_recurrence_id, sync_id = excluded.sync_id`;

const searched = rowArray(eventSearchColumns, columnsExcept(eventSearchColumns));

/** Stores what lists and searches find events by, instead of what they were found by before. */
async function storeFound(trx: Transaction, events: readonly PlannedEvent[]): Promise<void> {
  const { items } = trx.dialect;
  const found = events.filter(({ action }) => action !== "delete" && action !== "keep");
  for (const [table, columns, rowsOf] of [
    ["event_values", ["name", "value_hash"], ({ values }: PlannedEvent) => values],
    ["event_categories", ["name"], ({ categories }: PlannedEvent) => categories?.map((name) => [name])],
  ] as const) {
    const replaced = found.filter((event) => event.action !== "create" && rowsOf(event) !== undefined);
    const all = `(select cast(value ->> 0 as bigint) from ${items}($1))`;
    const ids = replaced.map(({ row }) => [row.id]);
    await queryInSlices(trx, `delete from ${table} where event_id in ${all}`, ids);
    const cells = columns.map((_, index) => `value ->> ${index + 2}`);
    await queryInSlices(
      trx,
      `insert into ${table} (calendar_id, event_id, ${columns.join(", ")}) select cast(value ->> 0 as bigint),
        cast(value ->> 1 as bigint), ${cells.join(", ")} from ${items}($1)`,
      found.flatMap((event) =>
        (rowsOf(event) ?? []).map((row) => [event.row.calendar_id, event.row.id, ...row]),
      ),
    );
  }
  await queryInSlices(
    trx,
    `${insertRows("event_search", searched, trx.dialect)} where true ${replaceSearched}`,
    found.map(({ row }) => searched.cells({ ...row, event_id: row.id })),
  );
}

/** How many more bytes the series of an import will store. */
function bytesOfChanges(series: Plan["series"]): number {
  const bytes = (row: SeriesRow | undefined): number => (row === undefined ? 0 : bytesOfSeries(row));
  return series.reduce((sum, { before, after }) => sum + bytes(after) - bytes(before), 0);
}

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
