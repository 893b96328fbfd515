import type { Reader } from "../db/database.js";
import {
  type ListedEvent,
  listEventCategories,
  listUpcomingEvents,
  type TimeRange,
  type UpcomingEvent,
} from "./queries.js";

/** Entries of the list: a page begins with what is next, and its month has the rest. */
const mostEntries = 6;

/** Events that are read for them: those of a weekly series for a year, less two. */
const mostEvents = 50;

/** More dates that an entry names. */
const mostDates = 4;

/** An event of the list of next events, with the others of its series. */
export interface NextEvent {
  readonly event: UpcomingEvent;
  readonly categories: readonly string[];
  /** The next ones that have the same title and place. */
  readonly others: readonly ListedEvent[];
}

export interface NextEvents {
  readonly entries: readonly NextEvent[];
  /** The first event that is not in the list, where there is one. */
  readonly more: ListedEvent | undefined;
}

/**
 * Reads the next events, each series as one entry, so that a weekly one does not hide the others. What people read as a series
 * counts: many are single events of one title, and an imported one has no other mark.
 */
export async function readNextEvents(
  on: Reader,
  calendarId: number,
  range: TimeRange,
  hasCategories: boolean,
): Promise<NextEvents> {
  const rows = await listUpcomingEvents(on, calendarId, range, mostEvents);
  const series = new Map<string, UpcomingEvent[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.title, row.location, row.status, row.all_day]);
    const known = series.get(key);
    if (known === undefined) series.set(key, [row]);
    else known.push(row);
  }
  const [shown, rest] = [[...series.values()].slice(0, mostEntries), [...series.values()].slice(mostEntries)];
  const ids = shown.flatMap(([first]) => first?.id ?? []);
  const ofEvents = hasCategories ? await listEventCategories(on.read, ids) : [];
  const entries = shown.flatMap(([event, ...others]) => {
    if (event === undefined) return [];
    const categories = ofEvents.flatMap(({ event_id, name }) => (event_id === event.id ? name : []));
    return { event, categories, others: others.slice(0, mostDates) };
  });
  const cut = shown.flatMap((events) => events[mostDates + 1] ?? []);
  const unread = rows.length < mostEvents ? [] : rows.slice(-1);
  const [more] = [...rest.flatMap(([first]) => first ?? []), ...cut, ...unread].toSorted(
    (one, other) => one.start_at - other.start_at,
  );
  return { entries, more };
}
