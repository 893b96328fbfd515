import { randomUUID } from "node:crypto";
import type { Db } from "../src/db/open-database.js";
import type { StoredEventRow } from "../src/db/rows.js";
import { listedJson } from "../src/events/listed-json.js";
import { initial, publishedState } from "../src/db/columns.js";

// The benchmark's rows, equal for both databases and all servers. The zone is America/Phoenix, UTC-7 all year.

export const zone = "America/Phoenix";
const zoneSeconds = 7 * 3600;

/** Events of one calendar; each takes two hours. */
export interface EventSet {
  readonly calendarId: number;
  readonly count: number;
  /** Seconds from one start to the next. The middle event starts at `now`. */
  readonly everySeconds: number;
}

type Row = Readonly<Record<string, string | number | null>>;

/** What the events of the benchmarks have in common. */
const shared = {
  location: "",
  organizer: "",
  organizer_email: "",
  color_id: "1",
  reminder: "",
  all_day: 0,
  updated_times: 0,
  feed_version: 1,
  moves: 0,
  moved_at: 0,
  series_id: 0,
  series_place: 0,
  ...initial,
  ...publishedState,
} as const;

type Fields = Omit<StoredEventRow, "json">;
type Own = Omit<Fields, "id" | keyof typeof shared> & Partial<Fields>;

/** Returns the row of an event. The last column is one of older builds. */
export function eventOf(own: Own): Row {
  const event = { ...shared, ...own };
  return { ...event, json: listedJson(event), json_of: 2 ** 40 };
}

/** Returns the event with that number of a set, with realistic texts that have line breaks and non-ASCII characters. */
export function benchEvent({ calendarId, count, everySeconds }: EventSet, number: number, now: number): Row {
  const start_at = now + (number - Math.floor(count / 2)) * everySeconds;
  const start_local = start_at - zoneSeconds;
  const month = new Date(start_local * 1000);
  return eventOf({
    account_id: 1,
    calendar_id: calendarId,
    uid: randomUUID(),
    title: `Concert ${number}: Ärzte & Wölfe 🎸`,
    description: `Doors open at 19:00.\r\nTickets: https://example.com/${number}.`,
    location: "Große Freiheit 36",
    organizer: `Club ${number % 50}`,
    organizer_email: `club${number % 50}@example.com`,
    timezone: zone,
    color_id: String((number % 20) + 1),
    reminder: number % 2 === 0 ? "60" : "",
    start_local,
    end_local: start_local + 7200,
    start_month: month.getUTCFullYear() * 12 + month.getUTCMonth(),
    start_at,
    end_at: start_at + 7200,
    created_at: now,
    modified_at: now,
  });
}

/** Returns a subscriber without a key. */
export function benchSubscriber(calendarId: number, number: number, subscribed_at: number, now: number): Row {
  return {
    account_id: 1,
    calendar_id: calendarId,
    name: `Follower ${number}`,
    email: `follower${number}@example.com`,
    ip: `192.0.2.${number % 250}`,
    calendar_type: "ical",
    postal: "20359",
    city: "Hamburg",
    state: "HH",
    country: "DE",
    active: 1,
    blocked: 0,
    subscribed_at,
    last_seen_at: now,
  };
}

/** Rows of one statement. */
const batchSize = 1_000;

/** Inserts `count` rows into a table: those of their columns that it has, since the schemas of other builds differ. */
export async function insertMade(
  { trx, items }: { readonly trx: Db; readonly items: string },
  table: string,
  count: number,
  make: (number: number) => Row,
): Promise<void> {
  const known = await trx(table).columnInfo();
  for (let made = 0; made < count; made += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, count - made) }, (_, index) => make(made + index));
    const names = Object.keys(rows[0] ?? {}).filter((name) => name in known);
    const isText = (name: string): boolean => typeof rows[0]?.[name] === "string";
    const cells = names.map((name, place) =>
      isText(name) ? `value ->> ${place}` : `cast(value ->> ${place} as bigint)`,
    );
    const values = JSON.stringify(rows.map((row) => names.map((name) => row[name])));
    await trx.raw(`insert into ${table} (${names.join(", ")}) select ${cells.join(", ")} from ${items}(?)`, [
      values,
    ]);
  }
}
