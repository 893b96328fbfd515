import { changedCalendar } from "../calendars/queries.js";
import type { Database, Write } from "../db/database.js";
import { createGroups, type Outcome } from "../db/group-commit.js";
import { perDatabase } from "../db/lookup.js";
import type { CalendarRow, EventRow } from "../db/rows.js";
import { type EventChange, type NewEvent, newRow, savedRow, stored } from "./changes.js";
import { type RowsSql, type WriteSql, writeSql } from "./write-sql.js";

/**
 * A create or a save. What it stores is asked for only when the calendar is locked, since its time zone and palette count; an
 * error thrown then reaches the caller.
 */
export type EventWrite = { readonly accountId: number; readonly now: number } & (
  | { readonly calendarId: number; readonly create: (calendar: CalendarRow) => NewEvent }
  | { readonly eventId: number; readonly save: (calendar: CalendarRow) => EventChange }
);

type MadeRow = Pick<EventRow, "id" | "uid">;

type EventOutcome = Outcome<EventRow | undefined>;

/** Creates or saves an event, together with those that wait too. Undefined when the account has no such calendar or event. */
export const writeEvent: (db: Database) => (write: EventWrite) => Promise<EventRow | undefined> = perDatabase(
  (db) => {
    const sql = writeSql(db.words);
    let known: KnownCalendars = { epoch: {}, calendars: new Map() };
    return createGroups(db, (on, writes, epoch) => {
      if (known.epoch !== epoch || known.calendars.size > mostKnown) known = { epoch, calendars: new Map() };
      return writeTogether(on, sql, writes, known.calendars);
    });
  },
);

/** Calendars as earlier writes left them, while nobody else commits. Without them each group would read its calendars anew. */
interface KnownCalendars {
  readonly epoch: object;
  readonly calendars: Map<number, CalendarRow>;
}

const mostKnown = 1_000;

/** On PostgreSQL the calendars' rows are locked before anything of theirs is read, as by every other change of events. */
async function writeTogether(
  { ask, atCommit }: Write,
  sql: WriteSql,
  writes: readonly EventWrite[],
  known: Map<number, CalendarRow>,
): Promise<readonly EventOutcome[]> {
  const calendarIds = writes.flatMap((write) => ("create" in write ? [write.calendarId] : []));
  const eventIds = ids(writes.flatMap((write) => ("save" in write ? [write.eventId] : [])));
  // Events too are read only once the rows of their calendars are locked, where there is such a thing.
  const mayBeKnown = known.size > 0 && calendarIds.every((id) => known.has(id));
  const lock = (): Promise<readonly CalendarRow[]> =>
    ask<CalendarRow>(sql.lockCalendars, [ids(calendarIds), eventIds]);
  const locked = mayBeKnown ? undefined : await lock();
  const events = eventIds === "[]" ? [] : await ask<EventRow>(sql.findEvents, [eventIds]);
  const areKnown = locked === undefined && events.every((event) => known.has(event.calendar_id));
  const calendars = areKnown ? known : byId(locked ?? (await lock()));
  const done = applyWrites(writes, calendars, byId(events));
  for (const [id, calendar] of calendars) known.set(id, calendar);
  const write = <Row>(
    { sql: text, value }: RowsSql<Row>,
    rows: readonly Row[],
  ): Promise<readonly MadeRow[]> => ask(text, [value(rows)]);
  if (done.calendars.length > 0) atCommit(sql.saveCalendars.sql, sql.saveCalendars.value(done.calendars));
  const before = byId(events);
  const isMoved = ({ id, start_at, start_month }: EventRow): boolean =>
    start_at !== before.get(id)?.start_at || start_month !== before.get(id)?.start_month;
  const moved = done.saved.filter(isMoved);
  const inPlace = done.saved.filter((row) => !isMoved(row));
  if (moved.length > 0) atCommit(sql.saveEvents.sql, sql.saveEvents.value(moved.map(stored)));
  if (inPlace.length > 0) atCommit(sql.saveInPlace.sql, sql.saveInPlace.value(inPlace.map(stored)));
  if (done.created.length === 0) return done.outcomes;
  const made = await write(sql.insertEvents, done.created.map(stored));
  const idOf = new Map(made.map(({ uid, id }) => [uid, id])); // the order of the rows is not promised
  return done.outcomes.map((outcome) => {
    if ("error" in outcome || outcome.result === undefined) return outcome;
    const id = idOf.get(outcome.result.uid);
    return id === undefined ? outcome : { result: { ...outcome.result, id } };
  });
}

/** Does the writes on rows in memory, one after the other: each finds what the one before it left. */
function applyWrites(
  writes: readonly EventWrite[],
  calendars: Map<number, CalendarRow>,
  events: Map<number, EventRow>,
) {
  const changed = { calendars: new Set<number>(), events: new Set<number>() };
  const created: EventRow[] = [];

  function calendarOf(id: number | undefined, { accountId }: EventWrite): CalendarRow | undefined {
    const calendar = id === undefined ? undefined : calendars.get(id);
    return calendar?.account_id === accountId && calendar.deleted_at === null ? calendar : undefined;
  }

  function count(calendar: CalendarRow, more: 0 | 1, now: number): void {
    calendars.set(calendar.id, changedCalendar(calendar, more, now));
    changed.calendars.add(calendar.id);
  }

  function apply(write: EventWrite): EventRow | undefined {
    if ("create" in write) {
      const calendar = calendarOf(write.calendarId, write);
      if (calendar === undefined) return undefined;
      const row = newRow(write.create(calendar));
      created.push(row);
      count(calendar, 1, write.now);
      return row;
    }
    const row = events.get(write.eventId);
    const calendar = calendarOf(row?.calendar_id, write);
    if (row === undefined || calendar === undefined) return undefined;
    const saved = savedRow(row, write.save(calendar), write.now);
    events.set(saved.id, saved);
    changed.events.add(saved.id);
    count(calendar, 0, write.now);
    return saved;
  }

  const outcomes = writes.map((write): EventOutcome => {
    try {
      return { result: apply(write) };
    } catch (error) {
      return { error };
    }
  });
  return {
    outcomes,
    created,
    saved: [...events.values()].filter(({ id }) => changed.events.has(id)),
    calendars: [...calendars.values()].filter(({ id }) => changed.calendars.has(id)),
  };
}

/** As the statements take them. */
function ids(values: readonly number[]): string {
  return JSON.stringify(values.map((id) => [id]));
}

function byId<Row extends { readonly id: number }>(rows: readonly Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}
