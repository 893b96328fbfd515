import { listCategoriesOfAll } from "../calendars/category-queries.js";
import { listPortalCalendars, type PageCalendar } from "../calendars/public-queries.js";
import type { Reader } from "../db/database.js";
import { wordsOf } from "../events/search.js";
import { parseForm } from "../http/query-string.js";
import { monthIndex } from "../time/formats.js";
import { toLocal } from "../time/zones.js";
import {
  bySeries,
  type EventSeries,
  firstLeft,
  type Month,
  mostEvents,
  type PageQuery,
  rangesFrom,
  readPageQuery,
} from "./calendar-page.js";
import { withColors } from "./event-colors.js";
import { type MonthEvents, readMonth, shownIn } from "./month-events.js";
import { type ListedEvent, listUpcomingEvents } from "./public-queries.js";
import { dayOf } from "./views/dates.js";

export interface PortalQuery extends PageQuery {
  /** What a visitor looks for; "" for everything. */
  readonly q: string;
  readonly category: string | undefined;
}

/** Characters of a search, and words of it: each is compared with all texts. */
const longestSearch = 100;
const mostWords = 8;

/** Categories that are offered; of more, a search finds the events of the others. */
const mostCategories = 40;

/** Entries of what is next, and of what a search found. */
const mostEntries = { next: 10, found: mostEvents } as const;

/** Returns undefined when the query is invalid. Ignores other parameters, as the page of a calendar does. */
export function readPortalQuery(query: string): PortalQuery | undefined {
  const page = readPageQuery(query);
  const pairs = parseForm(query);
  if (page === undefined || pairs === undefined || pairs === "too many") return undefined;
  const valuesOf = (wanted: string) => pairs.flatMap(([name, value]) => (name === wanted ? [value] : []));
  const [searches, categories] = [valuesOf("q"), valuesOf("category")];
  const [q = ""] = searches;
  const [category = ""] = categories;
  const isInvalid = [q, category].some((text) => text.length > longestSearch || /\p{Cc}/u.test(text));
  if (isInvalid || searches.length > 1 || categories.length > 1) return undefined;
  return { ...page, q: q.trim(), category: category === "" ? undefined : category };
}

/** What a portal prints (extensions X11.3). */
export interface PortalContent {
  readonly calendars: readonly PageCalendar[];
  readonly categories: readonly string[];
  readonly upcoming: readonly EventSeries[];
  /** The event with which the list of its month goes on where `upcoming` ends; undefined when that has all. */
  readonly more: ListedEvent | undefined;
  readonly month: Month;
}

/** Reads what the portal of an account prints. Each event is shown in the time zone of its calendar. */
export async function readPortal(
  on: Reader,
  accountId: number,
  query: PortalQuery,
  now: number,
): Promise<PortalContent> {
  const calendars = await listPortalCalendars(on.read, accountId);
  const [first] = calendars;
  const today = dayOf(toLocal(now, first?.timezone ?? "UTC"));
  if (first === undefined) {
    const index = query.month ?? monthIndex(today);
    return {
      calendars,
      categories: [],
      upcoming: [],
      more: undefined,
      month: { index, today, events: noEvents, isNamed: true },
    };
  }
  const isSearch = query.q !== "" || query.category !== undefined;
  const words = query.q === "" ? undefined : wordsOf(query.q).slice(0, mostWords);
  const filter = { words, category: query.category };
  const categories = await listCategoriesOfAll(
    on,
    calendars.map(({ id }) => id),
  );
  const found = await listUpcomingEvents(on, rangesFrom(calendars, now), mostEvents, filter);
  const rows = await withColors(on.read, { calendars, categories }, found);
  const series = bySeries(rows, calendars);
  const most = isSearch ? mostEntries.found : mostEntries.next;
  const [upcoming, rest] = [series.slice(0, most), series.slice(most)];
  const [next] = rows.map(shownIn({ calendars }));
  const index = query.month ?? monthIndex(Math.max(today, next?.firstDay ?? today));
  const events = await readMonth(on.read, { calendars, categories, filter }, index, query.start);
  const month = { index, today, events, isNamed: query.month !== undefined };
  const names = [...new Set([...categories.values()].flat())].toSorted();
  const more = firstLeft(rows, rest);
  return { calendars, categories: names.slice(0, mostCategories), upcoming, more, month };
}

const noEvents: MonthEvents = { days: [], listed: new Map(), marks: new Map(), next: undefined };
