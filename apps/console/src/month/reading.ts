import type { CalendarPage } from "@kalends/client";
import type { FindEventsParams, FoundEvent } from "@kalends/client/extensions";
import { api } from "../api/client.js";
import { type Loaded, useLoaded } from "../api/loading.js";
import { addDays, addMonths, type Day, type Month, weeksOf } from "../dates/days.js";
import { byDay } from "./days-of.js";

/** Calendars that one list takes. */
export const mostCalendars = 100;

interface LoadedDays extends Loaded<readonly FoundEvent[]> {
  /** The events of each day. */
  readonly days: ReadonlyMap<Day, readonly FoundEvent[]>;
}

/** The events of calendars in a month and in the weeks at its ends. */
export function useMonth(ids: readonly string[], month: Month, firstWeekday: number): LoadedDays {
  const weeks = weeksOf(month, firstWeekday);
  const from = weeks[0]?.[0] ?? `${month}-01`;
  const to = weeks.at(-1)?.at(-1) ?? addDays(`${addMonths(month, 1)}-01`, -1);
  return useDays(ids, from, to);
}

/** The events of calendars from one day to another. */
export function useDays(ids: readonly string[], from: Day, to: Day): LoadedDays {
  const loaded = useLoaded(["events", ids.join(), from, to], () => readDays(ids, from, addDays(to, 1)));
  return { ...loaded, days: byDay(loaded.value ?? [], from, to) };
}

/** The events of some days with the drafts, as they begin. */
export async function readDays(ids: readonly string[], from: Day, to: Day): Promise<readonly FoundEvent[]> {
  const found: FoundEvent[] = [];
  for (let at = 0; at < ids.length; at += mostCalendars) {
    const calendar_id = ids.slice(at, at + mostCalendars);
    const query = { calendar_id, from, to, order_by: "date-asc", wall: "calendar" } as const;
    const states = ["true", "false"] as const;
    const lists = await Promise.all(states.map((published) => readAll({ ...query, published })));
    found.push(...lists.flat());
  }
  return found.toSorted((a, b) => (a.start_at < b.start_at ? -1 : Number(a.start_at > b.start_at)));
}

/** Pages of a list that are asked for at once: more would only wait on the server, which refuses an account that has too many there. */
const pagesAtOnce = 4;

/** Reads all pages of a list. The first one says how many there are; of the others some are read at once, since each waits for the network. */
async function readAll(query: FindEventsParams): Promise<FoundEvent[]> {
  const { items = [], total = 0 } = (await readPage(query, 1)) ?? {};
  const last = items.length === 0 ? 1 : Math.ceil(total / items.length);
  const found = [...items];
  for (let page = 2; page <= last; page += pagesAtOnce) {
    const count = Math.min(pagesAtOnce, last - page + 1);
    const next = Array.from({ length: count }, (_none, at) => readPage(query, page + at));
    for (const read of await Promise.all(next)) found.push(...(read?.items ?? []));
  }
  return found;
}

async function readPage(
  query: FindEventsParams,
  page: number,
): Promise<CalendarPage<FoundEvent> | undefined> {
  for await (const read of api.events.list({ ...query, page }).pages()) return read;
  return undefined;
}
