import { findDescribedCalendar } from "../calendars/public-queries.js";
import { listCategories } from "../categories/queries.js";
import type { Reader } from "../db/database.js";
import { parseForm } from "../http/query-string.js";
import { monthIndex } from "../time/formats.js";
import { toLocal } from "../time/zones.js";
import { type ListStart, parseListStart, readMonth, readNextEvents } from "./calendar-events.js";
import type { FollowView } from "./views/follow-page.js";
import { type Month, parseMonth } from "./views/month.js";
import { dayOf } from "./views/shown-events.js";

export interface PageQuery {
  /** The month to show; undefined when the query has none. */
  readonly month: number | undefined;
  /** Where the list of the month's events begins; undefined when the query has no day. */
  readonly start: ListStart | undefined;
  /** Whether the visitor comes from deleting their data. */
  readonly isDataDeleted: boolean;
}

/** Returns undefined when the query is invalid. Ignores other parameters, such as those of mailings. */
export function readPageQuery(url: string): PageQuery | undefined {
  const mark = url.indexOf("?");
  const pairs = parseForm(mark === -1 ? "" : url.slice(mark + 1));
  if (pairs === undefined || pairs === "too many") return undefined;
  const isDataDeleted = pairs.some(([name, value]) => name === "left" && value === "1");
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (name !== "month" && name !== "day" && name !== "page") continue;
    if (values.has(name)) return undefined;
    values.set(name, value);
  }
  const [text, day, page] = ["month", "day", "page"].map((name) => values.get(name));
  const isList = day !== undefined || page !== undefined;
  if (text === undefined) return isList ? undefined : { month: undefined, start: undefined, isDataDeleted };
  const month = parseMonth(text);
  if (month === undefined) return undefined;
  const start = day === undefined ? undefined : parseListStart(month, day, page ?? "1");
  return isList && start === undefined ? undefined : { month, start, isDataDeleted };
}

/** Reads what the page of a calendar prints; undefined when the calendar was deleted. */
export async function readCalendar(
  on: Reader,
  id: number,
  query: PageQuery,
  now: number,
): Promise<Pick<FollowView, "calendar" | "upcoming" | "month" | "categories"> | undefined> {
  const calendar = await findDescribedCalendar(on.read, id);
  if (calendar === undefined || calendar.deleted_at !== null) return undefined;
  const today = dayOf(toLocal(now, calendar.timezone));
  const range = { from: now, fromLocal: today };
  const categories = await listCategories(on, id);
  const upcoming = await readNextEvents(on, id, range, categories.length > 0);
  const [first] = upcoming.entries;
  const firstDay = first === undefined ? today : Math.max(today, first.event.start_local);
  // The default is the month of the next event.
  const index = query.month ?? monthIndex(firstDay);
  const events = await readMonth(on.read, calendar, index, query.start);
  const month: Month = { index, today, events, isNamed: query.month !== undefined };
  return { calendar, upcoming, month, categories };
}
