import type { Payload } from "@kalends/spec";
import type { ListedEntry } from "../db/rows.js";
import { type Difference, excerpts, published } from "../calendars/differences.js";
import { formatWallClock } from "../time/formats.js";
import { formatInstant } from "../time/instants.js";

type Entry = Payload<"historyList">["history"][number];
type Change = Entry["changes"][number];

interface Shown {
  /** Whether the caller may see who its person is. */
  readonly showsName: boolean;
  /** The calendars that the caller may read; undefined for all. */
  readonly calendars: ReadonlySet<number> | undefined;
}

/** An entry of the history, without what an event was, or is, in a calendar that the caller may not read. */
export function entry(row: ListedEntry, { showsName, calendars }: Shown): Entry {
  const { id, created_at, author, author_id, name, operation, action, calendar_id, event_id } = row;
  const isReadable = (calendar: unknown) => calendars?.has(Number(calendar)) ?? true;
  const stored: Readonly<Record<string, Difference>> = JSON.parse(row.changes);
  const changes = isReadable(stored["calendar_id"]?.[0] ?? calendar_id) ? stored : {};
  return {
    id: String(id),
    date: formatInstant(created_at),
    by: { kind: author, id: author_id === 0 ? "" : String(author_id), name: showsName ? (name ?? "") : "" },
    operation,
    action,
    calendar_id: calendar_id === 0 ? "" : String(calendar_id),
    event_id: event_id === 0 ? "" : String(event_id),
    title: isReadable(row.home_id) ? (row.title ?? "") : "",
    series_id:
      row.series_id !== null && row.series_id > 0 && isReadable(row.home_id) ? String(row.series_id) : "",
    start_date: row.start_local !== null && isReadable(row.home_id) ? formatWallClock(row.start_local) : "",
    changes: Object.entries(changes)
      .flatMap(([column, difference]) => change(column, difference))
      .toSorted((one, other) => (one.field < other.field ? -1 : 1)),
  };
}

/** As `events/update/` takes the fields. */
const fields: Readonly<Record<string, readonly [field: string, print: (value: Difference[0]) => string]>> = {
  start_local: ["start_date", (value) => formatWallClock(Number(value))],
  end_local: ["end_date", (value) => formatWallClock(Number(value))],
  all_day: ["all_day_event", (value) => String(value === 1)],
  searchable: ["searchable", (value) => String(value === 1)],
  listed: ["listed", (value) => String(value === 1)],
};

/** They go with the wall clock. */
const hidden: readonly string[] = ["start_at", "end_at"];

function change(column: string, difference: Difference): readonly Change[] {
  if (hidden.includes(column)) return [];
  if (column === "publication") return publication(Number(difference[0]), Number(difference[1]));
  const [field, print] = fields[column] ?? [column, String];
  const [was, is] = excerpts(difference, print);
  return [{ field, before: was, after: is }];
}

function publication(before: number, after: number): readonly Change[] {
  const pairs: readonly (readonly [field: string, print: (value: number) => string])[] = [
    ["published", (value) => String(value === published)],
    ["publish_at", (value) => (value > 0 ? formatInstant(value) : "")],
  ];
  return pairs
    .map(([field, print]) => ({ field, before: print(before), after: print(after) }))
    .filter((one) => one.before !== one.after);
}
