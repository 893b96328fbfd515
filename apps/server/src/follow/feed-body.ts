import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { calendarEnd, calendarStart, eventText } from "@kalends/ical";
import { paletteColors } from "../calendars/palettes.js";
import { findCalendarById } from "../calendars/queries.js";
import type { Database, Db } from "../db/connect.js";
import type { CalendarRow, EventRow } from "../db/rows.js";
import { type FeedPosition, listFeedEvents } from "../events/queries.js";
import { feedCalendar, feedEvent, type FeedSettings } from "./feed-entries.js";

/** Size limit of a feed: Google and others silently stop reading larger ones. */
const maxBytes = 1_000_000;

/** Events per query; the event loop serves other requests between two of them. */
const sliceSize = 200;

/** The feed of one version of a calendar, the same bytes for all its followers. */
export interface FeedBody {
  readonly version: number;
  /** `feed_modified_at` of that version. */
  readonly modifiedAt: number;
  /** Whether upcoming events were omitted: then the feed changes with each day (UTC). */
  readonly cut: boolean;
  readonly bytes: Buffer;
  readonly gzip: Buffer;
}

/** The calendar was deleted since it was looked up. */
export class CalendarGone extends Error {}

/**
 * Generates the feed of a calendar from one snapshot. When not all events fit, the oldest past events are omitted first, then
 * the most distant upcoming ones. @throws CalendarGone when the calendar is deleted
 */
export async function makeFeed(
  db: Pick<Database, "list">,
  calendarId: number,
  now: number,
  settings: FeedSettings,
): Promise<FeedBody> {
  const day = dayOf(now);
  const generated = await db.list((on) =>
    on.snapshot(async (trx) => {
      const calendar = await findCalendarById(trx, calendarId);
      if (calendar === undefined || calendar.deleted_at !== null) throw new CalendarGone();
      const start = calendarStart(feedCalendar(calendar, settings));
      const events = await fittingEvents(
        trx,
        calendar,
        day * daySeconds,
        maxBytes - 1 - Buffer.byteLength(start) - endBytes,
      );
      return {
        calendar,
        cut: events.cut,
        text: [start, ...events.texts, calendarEnd(events.texts.length)].join(""),
      };
    }),
  );
  const { calendar, cut, text } = generated;
  const bytes = Buffer.from(text);
  const { feed_version: version, feed_modified_at: modifiedAt } = calendar;
  return { version, modifiedAt, cut, bytes, gzip: await compress(bytes) };
}

/** Returns the feed of a follower who is blocked or has unfollowed: valid, without events. */
export function emptyFeed(calendar: CalendarRow, settings: FeedSettings): Buffer {
  return Buffer.from(calendarStart(feedCalendar(calendar, settings)) + calendarEnd(0));
}

/** Returns the day (UTC) of an instant, in days since 1970. */
export function dayOf(now: number): number {
  return Math.floor(now / daySeconds);
}

const daySeconds = 86_400;
const endBytes = Buffer.byteLength(calendarEnd(1));
const compress = promisify(gzip);

/** Returns the texts of the events that fit into the budget (bytes), by start. Upcoming events take precedence. */
async function fittingEvents(
  db: Db,
  calendar: CalendarRow,
  from: number,
  budget: number,
): Promise<{ readonly texts: readonly string[]; readonly cut: boolean }> {
  const colors = paletteColors(calendar.palette_id);
  const upcoming = await takeEvents(
    db,
    calendar.id,
    { direction: "later", startAt: from, id: 0 },
    colors,
    budget,
  );
  if (upcoming.full) return { texts: upcoming.texts, cut: true };
  const before = { direction: "earlier", startAt: from, id: 0 } as const;
  const past = await takeEvents(db, calendar.id, before, colors, budget - upcoming.bytes);
  return { texts: [...past.texts.toReversed(), ...upcoming.texts], cut: false };
}

/** Reads events in one direction until the budget is used up. */
async function takeEvents(
  db: Db,
  calendarId: number,
  from: FeedPosition,
  colors: readonly string[],
  budget: number,
): Promise<{ readonly texts: readonly string[]; readonly bytes: number; readonly full: boolean }> {
  const texts: string[] = [];
  let bytes = 0;
  let position = from;
  for (;;) {
    const rows: readonly EventRow[] = await listFeedEvents(db, calendarId, position, sliceSize);
    for (const row of rows) {
      const text = eventText(feedEvent(row, colors));
      const size = Buffer.byteLength(text);
      if (bytes + size > budget) return { texts, bytes, full: true };
      texts.push(text);
      bytes += size;
      position = { direction: from.direction, startAt: row.start_at, id: row.id };
    }
    if (rows.length < sliceSize) return { texts, bytes, full: false };
  }
}
