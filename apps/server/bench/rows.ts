/*
 * SQL that generates the benchmark's rows, equal for both databases and both servers. The zone is America/Phoenix, UTC-7 all
 * year, so that wall clocks can be computed in SQL.
 */

/** SQL that differs between SQLite and PostgreSQL. */
export interface Dialect {
  /** Returns a table `series` with the column i, from 0 to count - 1. */
  readonly series: (count: number) => string;
  /** Returns year * 12 + month - 1 of Unix seconds. */
  readonly month: (seconds: string) => string;
  readonly uuid: string;
}

export const sqlite: Dialect = {
  series: (count) =>
    `(with recursive s(i) as (select 0 union all select i + 1 from s where i < ${count - 1}) select i from s) as series`,
  month: (seconds) =>
    `strftime('%Y', ${seconds}, 'unixepoch') * 12 + strftime('%m', ${seconds}, 'unixepoch') - 1`,
  uuid: "lower(hex(randomblob(16)))",
};

export const postgres: Dialect = {
  series: (count) => `generate_series(0, ${count - 1}) as series(i)`,
  month: (seconds) =>
    `extract(year from to_timestamp(${seconds}) at time zone 'UTC') * 12 + extract(month from to_timestamp(${seconds}) at time zone 'UTC') - 1`,
  uuid: "gen_random_uuid()::text",
};

export const zone = "America/Phoenix";
const zoneSeconds = 7 * 3600;

/** Events of one calendar; each takes two hours. */
export interface EventSet {
  readonly calendarId: number;
  readonly count: number;
  /** Seconds from one start to the next. The middle event starts at `now`. */
  readonly everySeconds: number;
}

/** Realistic texts with line breaks and non-ASCII characters. */
const texts = {
  title: "'Concert ' || i || ': Ärzte & Wölfe 🎸'",
  description: "'Doors open at 19:00.\r\nTickets: https://example.com/' || i || '.'",
  location: "'Große Freiheit 36'",
  organizer: "'Club ' || (i % 50)",
  organizer_email: "'club' || (i % 50) || '@example.com'",
  timezone: `'${zone}'`,
  color_id: "cast(i % 20 + 1 as text)",
  reminder: "case when i % 2 = 0 then '60' else '' end",
};

const startOf = ({ count, everySeconds }: EventSet, now: number): string =>
  `(${now - Math.floor(count / 2) * everySeconds} + i * ${everySeconds})`;

const insert = (table: string, columns: Readonly<Record<string, string | number>>, from: string): string =>
  `insert into ${table} (${Object.keys(columns).join(", ")}) select ${Object.values(columns).join(", ")} from ${from}`;

/** Returns the INSERT for events in the schema of Kalends after migration 0002. */
export function kalendsEvents(set: EventSet, now: number, { series, month, uuid }: Dialect): string {
  const start = startOf(set, now);
  const local = `${start} - ${zoneSeconds}`;
  return insert(
    "events",
    {
      account_id: 1,
      calendar_id: set.calendarId,
      uid: uuid,
      ...texts,
      start_local: local,
      end_local: `${local} + 7200`,
      start_month: month(local),
      start_at: start,
      end_at: `${start} + 7200`,
      all_day: 0,
      created_at: now,
      modified_at: now,
    },
    series(set.count),
  );
}

/** Returns the INSERT for the same events in the schema of the tutorial server. */
export function tutorialEvents(set: EventSet, now: number, { series, uuid }: Dialect): string {
  const start = startOf(set, now);
  const own = {
    calendar_id: set.calendarId,
    uid: uuid,
    ...texts,
    start_at: start,
    end_at: `${start} + 7200`,
  };
  const counts = { all_day: 0, updated_times: 0, created_at: now, modified_at: now };
  return insert("events", { ...own, ...counts }, series(set.count));
}

/** Returns the INSERT for subscribers without a key. */
export function kalendsSubscribers(
  calendarId: number,
  count: number,
  now: number,
  { series }: Dialect,
): string {
  const columns = {
    account_id: 1,
    calendar_id: calendarId,
    name: "'Follower ' || i",
    email: "'follower' || i || '@example.com'",
    ip: "'192.0.2.' || (i % 250)",
    calendar_type: "'ical'",
    postal: "'20359'",
    city: "'Hamburg'",
    state: "'HH'",
    country: "'DE'",
    active: 1,
    blocked: 0,
    subscribed_at: `${now - count} + i`,
    last_seen_at: now,
  };
  return insert("subscribers", columns, series(count));
}
