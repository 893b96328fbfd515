import type { Database } from "../db/database.js";
import type { CalendarRow, StoredEventRow } from "../db/rows.js";
import { eventColumns } from "./queries.js";

const texts: ReadonlySet<string> = new Set<keyof StoredEventRow>([
  "uid",
  "title",
  "description",
  "location",
  "organizer",
  "organizer_email",
  "timezone",
  "color_id",
  "reminder",
  "json",
]);

const made = [...eventColumns.filter((name) => name !== "id"), "json", "json_of"] as const;
const fixed: ReadonlySet<string> = new Set<keyof StoredEventRow>([
  "account_id",
  "calendar_id",
  "uid",
  "created_at",
  "moves",
]);
const saved = ["id", ...made.filter((name) => !fixed.has(name))] as const;
const counted = ["id", "events_total", "feed_version", "feed_modified_at"] as const;

/** A statement that takes its rows as one value, so that its text is always the same and prepared once. */
export interface RowsSql<Row> {
  readonly sql: string;
  /**
   * The rows as JSON: of each an array, since SQLite takes every field of an object out by searching it. Measured on groups of
   * 16 creates: a quarter less time.
   */
  readonly value: (rows: readonly Row[]) => string;
}

/** The statements of a group of writes. */
export interface WriteSql {
  /** Of calendar ids, and of the ids of events in other calendars: two JSON arrays. */
  readonly lockCalendars: string;
  /** Of a JSON array of ids. */
  readonly findEvents: string;
  readonly saveCalendars: RowsSql<CalendarRow>;
  readonly saveEvents: RowsSql<StoredEventRow>;
  /**
   * Of events that start when they did: without the columns of three indexes, a save writes a third as much to the write-ahead
   * log (4.4 instead of 11.8 kB of SQLite's).
   */
  readonly saveInPlace: RowsSql<StoredEventRow>;
  readonly insertEvents: RowsSql<StoredEventRow>;
}

export function writeSql({ items, lock }: Database["words"]): WriteSql {
  const id = "cast(value ->> 0 as bigint)";
  const idsOf = `select ${id} from ${items}(?)`;
  const field = (name: string, place: number): string =>
    texts.has(name) ? `value ->> ${place}` : `cast(value ->> ${place} as bigint)`;
  const value =
    <Name extends string>(columns: readonly Name[]) =>
    (rows: readonly Readonly<Record<Name, unknown>>[]): string =>
      JSON.stringify(rows.map((row) => columns.map((name) => row[name])));
  const update = <Name extends string>(table: string, columns: readonly Name[]) => {
    const changes = columns.map((name, place) => `${name} = ${field(name, place)}`).slice(1); // the first is the id
    const sql = `update ${table} set ${changes.join(", ")} from ${items}(?) where ${table}.id = ${id}`;
    return { sql, value: value(columns) };
  };
  return {
    lockCalendars: `select * from calendars where id in (${idsOf} union
      select calendar_id from events where id in (${idsOf})) order by id ${lock}`,
    findEvents: `select ${eventColumns.join(", ")} from events where id in (${idsOf})`,
    saveCalendars: update("calendars", counted),
    saveEvents: update("events", saved),
    saveInPlace: update(
      "events",
      saved.filter((name) => name !== "start_at" && name !== "start_month"),
    ),
    insertEvents: {
      sql: `insert into events (${made.join(", ")}) select ${made.map(field).join(", ")}
      from ${items}(?) returning id, uid`,
      value: value(made),
    },
  };
}
