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
const saved = made.filter((name) => !fixed.has(name));
const counted = [
  "events_total",
  "feed_version",
  "feed_modified_at",
] as const satisfies readonly (keyof CalendarRow)[];

/** The statements of a group of writes. Rows come as a JSON array, so that each text is one of few and prepared once. */
export interface WriteSql {
  /** Of calendar ids, and of the ids of events in other calendars. */
  readonly lockCalendars: string;
  readonly findEvents: string;
  readonly saveCalendars: string;
  readonly saveEvents: string;
  /**
   * Of events that start when they did: without the columns of three indexes, a save writes a third as much to the write-ahead
   * log (4.4 instead of 11.8 kB of SQLite's).
   */
  readonly saveInPlace: string;
  readonly insertEvents: string;
}

export function writeSql({ items, lock }: Database["words"]): WriteSql {
  const field = (name: string): string =>
    texts.has(name) ? `value ->> '${name}'` : `cast(value ->> '${name}' as bigint)`;
  const id = field("id");
  const update = (table: string, columns: readonly string[]): string =>
    `update ${table} set ${columns.map((name) => `${name} = ${field(name)}`).join(", ")}
      from ${items}(?) where ${table}.id = ${id}`;
  return {
    lockCalendars: `select * from calendars where id in (select ${id} from ${items}(?) union
      select calendar_id from events where id in (select ${id} from ${items}(?))) order by id ${lock}`,
    findEvents: `select ${eventColumns.join(", ")} from events where id in (select ${id} from ${items}(?))`,
    saveCalendars: update("calendars", counted),
    saveEvents: update("events", saved),
    saveInPlace: update(
      "events",
      saved.filter((name) => name !== "start_at" && name !== "start_month"),
    ),
    insertEvents: `insert into events (${made.join(", ")}) select ${made.map(field).join(", ")}
      from ${items}(?) returning id, uid`,
  };
}
