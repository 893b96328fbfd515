import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { calendarEnd, calendarStart, eventText } from "@kalends/ical";
import { paletteColors } from "../calendars/palettes.js";
import { findCalendarById } from "../calendars/queries.js";
import type { Database, Db } from "../db/connect.js";
import type { CalendarRow, EventRow } from "../db/rows.js";
import { type FeedPosition, listFeedEvents } from "../events/queries.js";
import { feedCalendar, feedEvent, type FeedSettings } from "./feed-entries.js";

/** A feed stays under this many bytes: Google and others stop reading larger ones without a word. */
const maxBytes = 1_000_000;

/** Events read and written in one go; other requests get their turn after each. */
const sliceSize = 200;

/** The feed of one version of a calendar, the same bytes for all its followers. */
export interface FeedBody {
  readonly version: number;
  /** Whether coming events were left out: then the feed moves on with each day (UTC). */
  readonly cut: boolean;
  readonly bytes: Buffer;
  readonly gzip: Buffer;
}

/** The calendar was deleted since it was looked up. */
export class CalendarGone extends Error {}

/**
 * Makes the feed of a calendar as it is now. @throws CalendarGone when it is deleted
 * When all events do not fit, the oldest past ones are left out, and only then the farthest of those to come.
 */
export async function makeFeed(
  db: Pick<Database, "list">,
  calendarId: number,
  now: number,
  settings: FeedSettings,
): Promise<FeedBody> {
  const day = dayOf(now);
  const made = await db.list((on) =>
    on.snapshot(async (trx) => {
      const calendar = await findCalendarById(trx, calendarId);
      if (calendar === undefined || calendar.deleted_at !== null) throw new CalendarGone();
      const start = calendarStart(feedCalendar(calendar, settings));
      const events = await fitting(
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
  const bytes = Buffer.from(made.text);
  return { version: made.calendar.feed_version, cut: made.cut, bytes, gzip: await compress(bytes) };
}

/** The feed of a follower who is blocked or has unfollowed: healthy, and without events. */
export function emptyFeed(calendar: CalendarRow, settings: FeedSettings): Buffer {
  return Buffer.from(calendarStart(feedCalendar(calendar, settings)) + calendarEnd(0));
}

/** The day (UTC) of an instant, in days since 1970. */
export function dayOf(now: number): number {
  return Math.floor(now / daySeconds);
}

const daySeconds = 86_400;
const endBytes = Buffer.byteLength(calendarEnd(1));
const compress = promisify(gzip);

/** The texts of the events that fit, in the order of their starts. Those to come go first. */
async function fitting(
  db: Db,
  calendar: CalendarRow,
  from: number,
  budget: number,
): Promise<{ readonly texts: readonly string[]; readonly cut: boolean }> {
  const colors = paletteColors(calendar.palette_id);
  const coming = await take(db, calendar.id, { direction: "later", startAt: from, id: 0 }, colors, budget);
  if (coming.full) return { texts: coming.texts, cut: true };
  const before = { direction: "earlier", startAt: from, id: 0 } as const;
  const past = await take(db, calendar.id, before, colors, budget - coming.bytes);
  return { texts: [...past.texts.toReversed(), ...coming.texts], cut: false };
}

async function take(
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
