import * as z from "zod";
import { access } from "./access.js";
import { rule } from "./failures.js";
import { count, ids } from "./fields.js";
import { extensionRead, operation, type OperationTable } from "./operation.js";

/** Most days of a response: as many as are stored. */
export const mostStatisticsDays = 730;

const dateRule = rule("not_a_date", "must be a real date: YYYY-MM-DD, in the years 1900 to 9999");
const dateForm = /^(19|[2-9][0-9])[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/;

function isReal(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

const date = z.string().regex(dateForm, dateRule).refine(isReal, dateRule);

const day = z
  .object({
    date: z.string().regex(dateForm).meta({ description: "The day, in UTC.", example: "2026-07-02" }),
    followed: count.meta({ description: "How many began to follow, or were unblocked.", example: 3 }),
    unfollowed: count.meta({
      description: "How many unfollowed, were blocked or were deleted.",
      example: 1,
    }),
    active: count.meta({
      description: "How many subscribers were active and not blocked at its end; today, now.",
      example: 120,
    }),
  })
  .meta({ id: "StatisticsOfDay", description: "The followers of a calendar on a day." });

const polls = (app: string, example: number) =>
  count.meta({ description: `How often ${app} has polled.`, example });

const apps = z
  .object({
    apple: polls("Calendar of Apple", 310),
    google: polls("Google Calendar", 12),
    outlookcom: polls("Outlook.com", 0),
    office365: polls("Microsoft 365", 45),
    outlook: polls("Outlook", 0),
    yahoo: polls("Yahoo", 0),
    ical: polls("another known application", 4),
    browser: polls("a browser", 0),
    other: polls("another program", 0),
  })
  .meta({ id: "PollsByApp", description: "The polls of a calendar's feeds." });

const picked = z
  .object({
    name: z.string().meta({ description: "Its name when it was picked.", example: "Concerts" }),
    picks: count.meta({ description: "How often it was picked.", example: 2 }),
  })
  .meta({ id: "PickedCategory", description: "A category that followers have picked." });

export const statisticsOperations = {
  calendarsStatistics: operation({
    ...extensionRead,
    tag: "Calendars",
    section: "statistics",
    access: access.viewer,
    path: "/api/kalends/v1/calendars/statistics/",
    summary: "Get the statistics of a calendar",
    returns: "The counts of each day, and their sums.",
    description:
      "Returns the followers gained, lost and active on each day in UTC, and of all these days the polls by application and the picks by " +
      "category. Days are kept for two years; those before the calendar was created have zeros, so that charts of several calendars have the same days.",
    params: z.object({
      calendar_id: ids.calendar,
      from: date.optional().meta({
        description: "The first day. Without a value, 29 days before the last one.",
        example: "2026-07-01",
      }),
      to: date.optional().meta({
        description: `The last day, up to ${mostStatisticsDays} days after the first. Without a value, today in UTC. Days to come are left out.`,
        example: "2026-07-02",
      }),
    }),
    payload: z.object({
      days: z.array(day).meta({ description: "The days, first to last." }),
      apps,
      categories: z.array(picked).meta({
        description: "The 100 that were picked most, most first.",
      }),
    }),
    errors: ["calendar_not_found"],
    example: { sends: ["calendar_id"], mistake: { from: "2026-02-30" } },
  }),
} satisfies OperationTable;
