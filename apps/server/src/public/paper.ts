import { listCategoriesOfAll } from "../calendars/category-queries.js";
import type { PageCalendar } from "../calendars/public-queries.js";
import { queryString } from "../http/paths.js";
import { publicOf } from "../http/quota.js";
import { monthIndex } from "../time/formats.js";
import { toLocal, toUnix } from "../time/zones.js";
import { bySeries, mostEvents, rangesFrom, readPageQuery } from "./calendar-page.js";
import { readMonth } from "./month-events.js";
import { keep, type PageServices, sendErrorPage, sendPage, type Visit } from "./page.js";
import { listUpcomingEvents } from "./public-queries.js";
import { dayOf, shownEvent } from "./views/dates.js";
import { monthOnPaper } from "./views/paper-month.js";
import { posterPage, seasonPage } from "./views/paper-pages.js";

// What people print: a month, the season, and a poster. All on A4, by the print of the browser.

/** Events of a printed month, and the days that they take together: of more, the page says where the rest is. */
const mostListed = { events: 500, lines: 3_000 } as const;

/** Events of a season: of more, the page says where the rest is. */
const mostOfSeason = 300;

const yearSeconds = 366 * 86_400;

/** Entries of a poster: what fits below the code, whatever the titles are. */
const mostOnPoster = 6;

/** Shows the month that the address names, or that of the next event. */
export async function showMonthOnPaper(
  visit: Visit,
  calendar: PageCalendar,
  { clock, publicUrl }: PageServices,
): Promise<void> {
  const query = readPageQuery(queryString(visit.req));
  if (query === undefined) return sendErrorPage(visit, 400);
  const now = clock();
  const today = dayOf(toLocal(now, calendar.timezone));
  const [month, index] = await visit.db.list(publicOf(calendar.account_id), async (on) => {
    const [next] = await listUpcomingEvents(on, rangesFrom([calendar], now), 1);
    const first = next === undefined ? today : shownEvent(next, calendar.timezone).firstDay;
    const shown = query.month ?? monthIndex(Math.max(today, first));
    const colors = { calendars: [calendar], categories: await listCategoriesOfAll(on, [calendar.id]) };
    return [await readMonth(on.read, { ...colors, mostListed }, shown, query.start), shown];
  });
  keep(visit.res, publicUrl);
  sendPage(visit, 200, monthOnPaper({ ...visit, calendar, month, index }));
}

/** Lists all events of the next year. */
export async function showSeason(
  visit: Visit,
  calendar: PageCalendar,
  { clock, publicUrl }: PageServices,
): Promise<void> {
  const now = clock();
  const { timezone, account_id, id: calendarId } = calendar;
  const fromLocal = dayOf(toLocal(now, timezone));
  const local = fromLocal + yearSeconds;
  const range = { from: now, fromLocal, before: { at: toUnix(local, timezone), local } };
  const rows = await visit.db.list(publicOf(account_id), (on) =>
    listUpcomingEvents(on, [{ calendarId, range }], mostOfSeason + 1),
  );
  keep(visit.res, publicUrl);
  const events = rows.slice(0, mostOfSeason).map((row) => shownEvent(row, timezone));
  const isCut = rows.length > mostOfSeason;
  sendPage(visit, 200, seasonPage({ ...visit, calendar, events, isCut, today: fromLocal }));
}

export async function showPoster(
  visit: Visit,
  calendar: PageCalendar,
  { clock, publicUrl }: PageServices,
): Promise<void> {
  const now = clock();
  const { account_id, timezone } = calendar;
  const today = dayOf(toLocal(now, timezone));
  const rows = await visit.db.list(publicOf(account_id), (on) =>
    listUpcomingEvents(on, rangesFrom([calendar], now), mostEvents),
  );
  const events = bySeries(
    rows.filter(({ status }) => status !== "cancelled"),
    [calendar],
  )
    .slice(0, mostOnPoster)
    .map(({ event, others }) => ({
      shown: shownEvent(event, timezone),
      others: others.map((other) => shownEvent(other, timezone)),
    }));
  keep(visit.res, publicUrl);
  sendPage(visit, 200, posterPage({ ...visit, calendar, events, today }));
}
