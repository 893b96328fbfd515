import type { CalendarPage } from "@kalends/client";
import type { FindEventsParams, FoundEvent } from "@kalends/client/extensions";
import { api } from "../api/client.js";
import { type Loaded, useLoaded } from "../api/loading.js";
import { addDays, addMonths, type Day, type Month, weeksOf } from "../dates/days.js";
import { byDay } from "./days-of.js";

/** Calendars that one list takes. */
export const mostCalendars = 100;

interface LoadedMonth extends Loaded<readonly FoundEvent[]> {
  /** The events of each day. */
  readonly days: ReadonlyMap<Day, readonly FoundEvent[]>;
}

/** The events of calendars in a month and in the weeks at its ends. */
export function useMonth(ids: readonly string[], month: Month, firstWeekday: number): LoadedMonth {
  const weeks = weeksOf(month, firstWeekday);
  const from = weeks[0]?.[0] ?? `${month}-01`;
  const to = weeks.at(-1)?.at(-1) ?? addDays(`${addMonths(month, 1)}-01`, -1);
  const loaded = useLoaded(["events", ids.join(), from, to], () => readMonth(ids, from, addDays(to, 1)));
  return { ...loaded, days: byDay(loaded.value ?? [], from, to) };
}

/** The events of a month with the drafts, as they begin. */
async function readMonth(ids: readonly string[], from: Day, to: Day): Promise<readonly FoundEvent[]> {
  const lists: Promise<FoundEvent[]>[] = [];
  for (let at = 0; at < ids.length; at += mostCalendars) {
    const calendar_id = ids.slice(at, at + mostCalendars);
    const query = { calendar_id, from, to, order_by: "date-asc", wall: "calendar" } as const;
    for (const published of ["true", "false"] as const) lists.push(readAll({ ...query, published }));
  }
  const found = (await Promise.all(lists)).filter((events) => events.length > 0);
  if (found.length < 2) return found[0] ?? [];
  return found.flat().toSorted((a, b) => (a.start_at < b.start_at ? -1 : Number(a.start_at > b.start_at)));
}

/** Reads all pages of a list. The first one says how many there are; the others are read at once, since each waits for the network. */
async function readAll(query: FindEventsParams): Promise<FoundEvent[]> {
  const { items = [], total = 0 } = (await readPage(query, 1)) ?? {};
  const pages = items.length === 0 ? 1 : Math.ceil(total / items.length);
  const others = Array.from({ length: pages - 1 }, (_none, at) => readPage(query, at + 2));
  return [...items, ...(await Promise.all(others)).flatMap((page) => page?.items ?? [])];
}

async function readPage(
  query: FindEventsParams,
  page: number,
): Promise<CalendarPage<FoundEvent> | undefined> {
  for await (const read of api.events.list({ ...query, page }).pages()) return read;
  return undefined;
}
