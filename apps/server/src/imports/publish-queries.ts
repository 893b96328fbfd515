import { countEventsChange, type LockedCalendar, requireSpace } from "../calendars/lock-queries.js";
import type { Member } from "../db/batch.js";
import { columnsExcept, deletedEventColumns, eventColumns, eventSearchColumns } from "../db/columns.js";
import type { Db } from "../db/database.js";
import type { StagedAction } from "../db/import-rows.js";
import { named } from "../db/trace.js";
import type { SeriesRow } from "../db/series-row.js";
import { authorCells, forgetSql } from "../history-entries/entry-queries.js";
import { replaceSearched } from "../events/search-queries.js";
import { wakeSenders } from "../webhooks/wake.js";
import { indexed, type Plan } from "./plan.js";

/** Something that an import was decided on has changed: it must be decided again. */
export class Outdated extends Error {}

/** What is to be published, and what it was decided on. */
export interface Staged {
  readonly importId: number;
  readonly actions: ReadonlySet<StagedAction>;
  /** As it was read before. */
  readonly calendar: LockedCalendar;
  /** How many events the calendar will have more. */
  readonly events: number;
  readonly changes: number;
  /** How many more bytes the calendar will store. */
  readonly bytes: number;
}

/**
 * Publishes a staged import into its locked calendar, a few statements for all rows. `now` is in Unix seconds.
 * @throws Outdated when what it was decided on has changed, or it has expired
 */
export async function publish(
  trx: Member,
  locked: LockedCalendar,
  { importId, calendar, actions, events, changes, bytes }: Staged,
  now: number,
): Promise<void> {
  const run = (sql: string, ...values: readonly (string | number)[]) => trx.shared.query<object>(sql, values);
  requireSpace(trx, locked, bytes);
  const isSame = locked.timezone === calendar.timezone && locked.palette_id === calendar.palette_id;
  const lacksMessages = locked.webhooks > 0 && calendar.webhooks === 0;
  if (!isSame || lacksMessages || (await run(begin, importId)).length === 0) throw new Outdated();
  const isTouched = locked.feed_version !== calendar.feed_version;
  if (isTouched && (await run(findChanged, importId)).length > 0) throw new Outdated();
  const version = locked.feed_version + 1;
  for (const action of ["create", "update", "reschedule"] as const)
    if (actions.has(action)) await run(byAction[action], version, importId);
  const { author, author_id, operation } = authorCells(trx.by);
  await run(recordAll, now, author, author_id, operation, importId);
  if (actions.has("delete")) {
    await run(forgetChanges, importId);
    await run(storeDeletions, version, now, importId);
    await run(deleteEvents, importId);
  }
  await run(know, importId);
  if (actions.has("update") || actions.has("reschedule")) for (const sql of forget) await run(sql, importId); // new events have none
  for (const sql of [...find, makeSearchable]) await run(sql, importId);
  if (changes > 0) await countEventsChange(trx, { calendarId: locked.id, events, changes, bytes, now });
  if (locked.webhooks === 0) return;
  await run(insertMessages, now, importId);
  trx.shared.afterCommit.add(wakeSenders);
}

/** Series that are stored at a time. */
const mostSeries = 100;

/** Stores the series of an import into a locked calendar. @throws Outdated when one has changed since it was decided on */
export async function publishSeries(
  trx: Db,
  { series: changes, endedSeries }: Pick<Plan, "series" | "endedSeries">,
): Promise<void> {
  const series = () => trx<SeriesRow>("series");
  for (let from = 0; from < changes.length; from += mostSeries) {
    const some = changes.slice(from, from + mostSeries);
    const known = some.flatMap(({ before }) => (before === undefined ? [] : [before]));
    const ids = known.map(({ id }) => id);
    const now = new Map((await series().whereIn("id", ids)).map((row) => [row.id, row]));
    if (known.some((row) => !isSameSeries(row, now.get(row.id)))) throw new Outdated();
    await series()
      .insert(some.map(({ after }) => ({ ...after, claimed_until: 0, unfinished_starts: 0 })))
      .onConflict("id")
      .merge();
  }
  if (endedSeries.size > 0)
    await series()
      .whereIn("id", [...endedSeries])
      .update({ next_at: null });
}

/** Whether it is as it was, whoever extends it now. */
function isSameSeries(one: SeriesRow, other: SeriesRow | undefined): boolean {
  const { claimed_until, unfinished_starts } = one;
  return JSON.stringify(one) === JSON.stringify(other && { ...other, claimed_until, unfinished_starts });
}

const begin = named("publish import", "delete from staged_imports where id = $1 returning id");

/** The event of a change must be as it was; that of a new one must not be there yet. */
const findChanged = named(
  "find changed events",
  `select s.place from staged_events as s where s.import_id = $1 and case when s.action = 'create'
      then exists (select 1 from imported_events as i join published_events as e on e.id = i.event_id
          where i.calendar_id = s.calendar_id and i.import_uid = s.import_uid and i.import_recurrence_id = s.import_recurrence_id)
        or (s.import_recurrence_id = '' and exists (
          select 1 from published_events as e where e.uid = s.import_uid and e.calendar_id = s.calendar_id))
      else not exists (select 1 from published_events as e where e.id = s.id and e.feed_version = s.feed_version) end
    limit 1`,
);

const all = columnsExcept(eventColumns);
const stays = [
  "id",
  "account_id",
  "calendar_id",
  "uid",
  "created_at",
  "moves",
  "state",
  "deleted_at",
  "publish_at",
  "preview_key",
] as const;
const changing = columnsExcept(eventColumns, ...stays);
/** Of events that start when they did: the other indexes stay as they are (docs/decisions/0010-group-commit.md). */
const inPlace = columnsExcept(eventColumns, ...stays, ...indexed);

/** A column of the staged event; of the version, the parameter. */
const valueOf = (name: string): string => (name === "feed_version" ? "cast($1 as bigint)" : `s.${name}`);

const update = (action: StagedAction, names: readonly string[]): string =>
  named(
    `${action} events`,
    `update events set ${names.map((name) => `${name} = ${valueOf(name)}`).join(", ")}
      from staged_events as s where s.import_id = $2 and s.action = '${action}' and events.id = s.id`,
  );

const byAction = {
  create: named(
    "publish events",
    `insert into events (${all.join(", ")}) select ${all.map(valueOf).join(", ")}
      from staged_events as s where s.import_id = $2 and s.action = 'create' order by s.place`,
  ),
  update: update("update", inPlace),
  reschedule: update("reschedule", changing),
};

const deletion = columnsExcept(deletedEventColumns);
const storeDeletions = named(
  "insert deletions",
  `insert into deleted_events (${deletion.join(", ")})
    select ${deletion.map((name) => (name === "deleted_at" ? "cast($2 as bigint)" : valueOf(name))).join(", ")}
    from staged_events as s where s.import_id = $3 and s.action = 'delete'`,
);
const deleted = "(select s.id from staged_events as s where s.import_id = $1 and s.action = 'delete')";
const deleteEvents = named("delete events", `delete from events where id in ${deleted}`);

/** As history-entries/entry-queries.ts adds them. */
const recordAll = named(
  "insert history",
  `insert into history (account_id, calendar_id, event_id, created_at, author, author_id, operation, action, changes)
    select s.account_id, s.calendar_id, s.id, cast($1 as bigint), cast($2 as text), cast($3 as bigint), cast($4 as text),
      case s.action when 'create' then 'created' when 'delete' then 'deleted' else 'changed' end, s.changes
    from staged_events as s where s.import_id = $5 and s.action <> 'keep' order by s.place`,
);

/** An event that a sync deletes cannot be restored from here. */
const forgetChanges = named(
  "forget history",
  forgetSql(
    "select s.id, s.account_id from staged_events as s where s.import_id = $1 and s.action = 'delete'",
  ),
);

const replaced = (column: string): string =>
  `select s.id from staged_events as s where s.import_id = $1 and s.${column} = 1`;

/** What events are known as in files. */
const know = named(
  "publish imported",
  `insert into imported_events (event_id, calendar_id, import_uid, import_recurrence_id, sync_id)
    select s.id, s.calendar_id, s.import_uid, s.import_recurrence_id, s.sync_id from staged_events as s
    where s.import_id = $1 and s.import_uid is not null
    on conflict (event_id) do update set import_uid = excluded.import_uid,
      import_recurrence_id = excluded.import_recurrence_id, sync_id = excluded.sync_id`,
);

/** What lists find events by: what goes, and what comes. */
const forget = [
  `delete from event_values where event_id in (${replaced("replaces_values")})`,
  `delete from event_categories where event_id in (${replaced("replaces_categories")})`,
].map((sql) => named("forget values", sql));
const find = [
  `insert into event_values (calendar_id, event_id, name, value_hash)
    select v.calendar_id, v.event_id, v.name, v.value_hash from staged_values as v
    where v.import_id = $1 and v.kind = 'value'`,
  `insert into event_categories (calendar_id, event_id, name)
    select v.calendar_id, v.event_id, v.name from staged_values as v
    where v.import_id = $1 and v.kind = 'category'`,
].map((sql) => named("publish values", sql));

const searched = columnsExcept(eventSearchColumns);
const makeSearchable = named(
  "publish searched texts",
  `insert into event_search (${searched.join(", ")})
    select ${searched.map((name) => (name === "event_id" ? "s.id" : `s.${name}`)).join(", ")} from staged_events as s
    where s.import_id = $1 and s.action in ('create', 'update', 'reschedule') ${replaceSearched}`,
);

/** As webhooks/outbox-queries.ts stores them: the order of the ids is that of the changes. */
const insertMessages = named(
  "insert webhook deliveries",
  `insert into webhook_deliveries (endpoint_id, calendar_id, message_id, type, payload, created_at)
    select e.id, s.calendar_id, s.message_id, s.type, s.payload, cast($1 as bigint)
    from staged_events as s join webhook_endpoints as e on e.account_id = s.account_id and e.state = 'enabled'
      and (e.calendar_id is null or e.calendar_id = s.calendar_id) and e.types like '%,' || s.type || ',%'
    where s.import_id = $2 and s.payload is not null
    order by s.place, e.id`,
);
