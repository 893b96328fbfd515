import type { Column, Table } from "./catalog.js";

// A database of a build from before the first release, which has the migrations 0001_initial to 0012_categories or later ones. It is
// read as if it had today's columns.

const bytesOf = (prefix: string, factor: number, names: readonly string[]): string =>
  names.map((name) => `${factor} * octet_length(${prefix}${name})`).join(" + ");
const eventTexts = ["title", "description", "location", "organizer", "organizer_email", "categories"];

/** SQL: the stored bytes of a calendar, as calendars/stored-bytes.ts counts them. */
export const storedBytes = `cast(case when deleted_at is null or purge_pending = 1 then
    1024 + ${bytesOf("", 1, ["title", "calendarname", "description"])} + ${bytesOf("", 16, ["custom_data"])}
    + coalesce((select sum(1024 + ${bytesOf("e.", 2, eventTexts)} + ${bytesOf("e.", 16, ["custom_data"])})
      from events as e where e.calendar_id = calendars.id), 0)
  else 0 end as bigint)`;

/** SQL of the columns that are new, or get another value. All are integers. */
const computed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  calendars: { stored_bytes: storedBytes, trashed: "0", purged_version: "0" },
  // Each sync reads its file whole at its next run: private events came from it before, and are to go.
  calendar_syncs: { read_at: "cast(null as bigint)", unfinished_starts: "0" },
  webhook_deliveries: { unfinished_starts: "0" },
  series: { unfinished_starts: "0", claimed_until: "0" },
};

/** Tables that such a database lacks: those of the trash, of people, of the history and of statistics. */
export const newTables: ReadonlySet<string> = new Set([
  "trashed_events",
  "trashed_series",
  "people",
  "grants",
  "sign_in_links",
  "sessions",
  "passkeys",
  "used_challenges",
  "history",
  "forgotten_events",
  "calendar_days",
  "identities",
]);

/** Returns the tables of such a database with today's columns. */
export function withTodaysColumns(old: readonly Table[]): readonly Table[] {
  return old.map((table) => {
    const made = Object.entries(computed[table.name] ?? {}).map(([name, sql]): Column => ({
      name,
      type: "integer",
      sql,
    }));
    const isKept = ({ name }: Column): boolean =>
      name !== "json_of" && made.every((column) => column.name !== name);
    return { ...table, columns: [...table.columns.filter(isKept), ...made] };
  });
}
