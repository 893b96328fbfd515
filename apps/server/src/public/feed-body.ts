import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { calendarEnd, calendarStart, eventText } from "@kalends/ical";
import type { FeedOmits } from "../calendars/feed-omits.js";
import { type DescribedCalendar, findDescribedCalendar } from "../calendars/public-queries.js";
import { namesOf } from "../calendars/category-names.js";
import type { Database, Db } from "../db/open-database.js";
import { feedOrder, type FeedPart, type FeedPosition } from "../events/part-queries.js";
import { daySeconds } from "../time/formats.js";
import { feedCalendar, feedEvent, type FeedSettings } from "./feed-entries.js";
import { listFeedEvents, type ShownEventRow } from "./public-queries.js";
import { publicOf } from "../http/quota.js";

/** Size limit of a feed: Google and others silently stop reading larger ones. */
export const maxBytes = 1_000_000;

/** Events per query; the event loop serves other requests between two of them. */
const sliceSize = 200;

/** The feed of one version of a calendar, the same bytes for all its followers, or for all who picked the same categories. */
export interface FeedBody {
  readonly version: number;
  /** `feed_modified_at` of that version. */
  readonly modifiedAt: number;
  /** Without some upcoming events, the feed changes with each day (UTC). */
  readonly omits: FeedOmits;
  readonly bytes: Buffer;
  readonly gzip: Buffer;
}

/** The calendar was deleted since it was looked up. */
export class CalendarGone extends Error {}

/**
 * Generates the feed of a calendar from one snapshot. When not all events fit, the oldest past events are omitted first, then
 * the most distant upcoming ones; what is running stays. With `categories` it has their events, and
 * those without any. @throws CalendarGone when the calendar is deleted
 */
export async function makeFeed(
  db: Pick<Database, "list">,
  { calendarId, accountId }: { readonly calendarId: number; readonly accountId: number },
  now: number,
  { categories, ...settings }: FeedSettings & { readonly categories?: string | null | undefined },
): Promise<FeedBody> {
  const generated = await db.list(publicOf(accountId), (on) =>
    on.snapshot(async (trx) => {
      const calendar = await findDescribedCalendar(trx, calendarId);
      if (calendar === undefined || calendar.deleted_at !== null) throw new CalendarGone();
      const start = calendarStart(feedCalendar(calendar, settings));
      const events = await fittingEvents(
        trx,
        {
          calendarId,
          // What has no category is for everyone.
          categories: typeof categories === "string" ? namesOf(categories) : undefined,
          print: (row) => eventText(feedEvent(row, calendar, settings)),
        },
        startOfDay(now),
        maxBytes - 1 - Buffer.byteLength(start) - endBytes,
      );
      return {
        calendar,
        omits: events.omits,
        text: [start, ...events.texts, calendarEnd(events.texts.length)].join(""),
      };
    }),
  );
  const { calendar, omits, text } = generated;
  const bytes = Buffer.from(text);
  const { feed_version: version, feed_modified_at: modifiedAt } = calendar;
  return { version, modifiedAt, omits, bytes, gzip: await compress(bytes) };
}

/** Returns the feed of a follower who is blocked or has unfollowed: valid, without events. */
export function emptyFeed(calendar: DescribedCalendar, settings: FeedSettings): Buffer {
  return Buffer.from(calendarStart(feedCalendar(calendar, settings)) + calendarEnd(0));
}

/** Returns the day (UTC) of an instant, in days since 1970. */
export function dayOf(now: number): number {
  return Math.floor(now / daySeconds);
}

/** Returns when that day began, in Unix seconds: what ended before is past. */
export const startOfDay = (now: number): number => dayOf(now) * daySeconds;

export const endBytes = Buffer.byteLength(calendarEnd(1));
export const compress = promisify(gzip);

interface Entry {
  readonly startAt: number;
  readonly id: number;
  readonly text: string;
}

interface Source {
  readonly calendarId: number;
  readonly categories: readonly string[] | undefined;
  readonly print: (row: ShownEventRow) => string;
}

/** What is taken first comes first. What has ended is decided by the end, not the start. */
const precedence: readonly FeedPart[] = ["runningLong", "running", "upcoming", "past"];

/** Returns the texts of the events that fit into the budget (bytes), by start. */
export async function fittingEvents(
  db: Db,
  source: Source,
  from: number,
  budget: number,
): Promise<{ readonly texts: readonly string[]; readonly omits: FeedOmits }> {
  const entries: Entry[] = [];
  let omits: FeedOmits = "nothing";
  let left: number | undefined = budget;
  for (const part of precedence) {
    left = await takeEvents(db, source, { part, from, budget: left }, entries);
    if (left === undefined) {
      omits = part === "past" ? "past" : "upcoming";
      break;
    }
  }
  entries.sort((a, b) => a.startAt - b.startAt || a.id - b.id);
  return { texts: entries.map(({ text }) => text), omits };
}

/** Adds the events of one part to `entries`. Returns the bytes left of the budget; undefined when an event did not fit. */
async function takeEvents(
  db: Db,
  { calendarId, categories, print }: Source,
  { part, from, budget }: { readonly part: FeedPart; readonly from: number; readonly budget: number },
  entries: Entry[],
): Promise<number | undefined> {
  const { column, begin } = feedOrder(part, from);
  let left = budget;
  let after: FeedPosition = begin;
  for (;;) {
    const slice = { part, from, after, limit: sliceSize, bytes: left, categories };
    const rows = await listFeedEvents(db, calendarId, slice);
    for (const row of rows) {
      after = { at: row[column], id: row.id };
      const text = print(row);
      left -= Buffer.byteLength(text);
      if (left < 0) return undefined;
      entries.push({ startAt: row.start_at, id: row.id, text });
    }
    if (rows.length < sliceSize) return left;
  }
}
