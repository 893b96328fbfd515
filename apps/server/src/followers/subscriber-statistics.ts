import { mostStatisticsDays, type Params, type ParameterFailure } from "@kalends/spec";
import { findCalendar } from "../calendars/queries.js";
import type { Handlers } from "../http/handler.js";
import { findFollowers, type FollowersOfDay, sumOfDays } from "./statistics-queries.js";
import { dayIndex } from "../time/formats.js";
import type { pollers } from "./agents.js";

/** Days that are returned without parameters. */
const usualDays = 30;

/** The counts of a calendar's days (extensions X8.7). */
export const statisticsHandlers = {
  async calendarsStatistics(params, { db, accountId, now, error }) {
    const calendar = await findCalendar(db, accountId, Number(params.calendar_id));
    if (calendar === undefined) throw error("calendar_not_found");
    const range = rangeOf(params, dayIndex(now), (failure) => error("parameter_invalid", [failure]));
    const [days, polls, picks] = await db.list(accountId, async (on) => [
      await findFollowers(on, calendar.id, range),
      await sumOfDays(on, calendar.id, "polls", range),
      await sumOfDays(on, calendar.id, "picks", range),
    ]);
    return {
      days: days.map(serialize),
      apps: byApp(polls),
      categories: [...picks].map(([name, count]) => ({ name, picks: count })),
    };
  },
} satisfies Partial<Handlers>;

/** Returns the first and the last day, no later than today. */
function rangeOf(
  { from, to }: Pick<Params<"calendarsStatistics">, "from" | "to">,
  today: number,
  error: (failure: ParameterFailure) => Error,
): readonly [first: number, last: number] {
  const last = to === undefined ? today : dayOf(to);
  const first = from === undefined ? last - usualDays + 1 : dayOf(from);
  if (first > last)
    throw error({
      parameter: "from",
      message: "must not be after to, which is today in UTC without a value",
      code: "too_late",
    });
  if (last - first > mostStatisticsDays)
    throw error({
      parameter: "from",
      message: `must be at most ${mostStatisticsDays} days before to, which is today in UTC without a value`,
      code: "too_early",
    });
  return [first, Math.min(last, today)];
}

function dayOf(date: string): number {
  return dayIndex(Date.parse(`${date}T00:00:00Z`) / 1_000);
}

function serialize({ day, ...counts }: FollowersOfDay) {
  return { date: new Date(day * 86_400_000).toISOString().slice(0, "YYYY-MM-DD".length), ...counts };
}

function byApp(polls: ReadonlyMap<string, number>): Record<(typeof pollers)[number], number> {
  const count = (app: string): number => polls.get(app) ?? 0;
  return {
    apple: count("apple"),
    google: count("google"),
    outlookcom: count("outlookcom"),
    office365: count("office365"),
    outlook: count("outlook"),
    yahoo: count("yahoo"),
    ical: count("ical"),
    browser: count("browser"),
    other: count("other"),
  };
}
