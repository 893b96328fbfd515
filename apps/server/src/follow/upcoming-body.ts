import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { findPageCalendar, type PageCalendar } from "../calendars/public.js";
import type { Database } from "../db/database.js";
import { lastLocal } from "../events/dates.js";
import { etagOf } from "../http/answer.js";
import { formatWallClock } from "../time/formats.js";
import { formatInstant } from "../time/instants.js";
import { toLocal, toUnix } from "../time/zones.js";
import { paths } from "./addresses.js";
import { CalendarGone } from "./feed-body.js";
import { listUpcomingEvents, type ListedEvent, type UpcomingEvent } from "./queries.js";
import { dayOf } from "./views/shown-events.js";
import { publicOf } from "./turns.js";

/** The next events of a calendar as JSON. */
export interface UpcomingBody {
  readonly bytes: Buffer;
  readonly gzip: Buffer;
  /** Weak: both encodings share it. */
  readonly etag: string;
  /** When the first of the events is over, in Unix seconds: until then the list is true while the calendar does not change. */
  readonly until: number;
}

export interface UpcomingRequest {
  readonly calendarId: number;
  readonly accountId: number;
  /** Events at most. */
  readonly limit: number;
  /** Unix seconds. */
  readonly now: number;
}

/** Lists the events that are running or to come, earliest start first. @throws CalendarGone when the calendar is deleted */
export async function makeUpcoming(
  db: Pick<Database, "list">,
  { calendarId, accountId, limit, now }: UpcomingRequest,
  publicUrl: string | undefined,
): Promise<UpcomingBody> {
  const [calendar, rows] = await db.list(publicOf(accountId), async (on) => {
    const found = await findPageCalendar(on.read, calendarId);
    if (found === undefined || found.deleted_at !== null) throw new CalendarGone();
    const fromLocal = dayOf(toLocal(now, found.timezone));
    return [found, await listUpcomingEvents(on, calendarId, { from: now, fromLocal }, limit)];
  });
  const { timezone, title, uniquekey } = calendar;
  const base = publicUrl ?? "";
  const listed = {
    calendar: { title, timezone, url: base + paths.page(uniquekey) },
    events: rows.map((row) => listedEvent(row, calendar, base)),
  };
  const bytes = Buffer.from(JSON.stringify(listed));
  const ends = rows.map((row) => endOf(row, timezone));
  const until = Math.max(now + 1, Math.min(...ends));
  return { bytes, gzip: await compress(bytes), etag: `W/${etagOf([bytes])}`, until };
}

const compress = promisify(gzip);

/** Names follow those of the API's events; times are those of the calendar's zone. */
function listedEvent(row: UpcomingEvent, { timezone, uniquekey }: PageCalendar, base: string): object {
  const isAllDay = row.all_day === 1;
  const wallClock = (local: number): string =>
    isAllDay ? formatWallClock(local).slice(0, "YYYY-MM-DD".length) : formatWallClock(local);
  const [start, end] = isAllDay
    ? [row.start_local, lastLocal(row)] // both days are part of it (rulings R4.4)
    : [toLocal(row.start_at, timezone), toLocal(row.end_at, timezone)];
  return {
    uid: row.uid,
    title: row.title,
    status: row.status,
    all_day_event: isAllDay,
    start_date: wallClock(start),
    end_date: wallClock(end),
    start_at: formatInstant(row.start_at, row.start_local),
    end_at: formatInstant(row.end_at, row.end_local),
    location: row.location,
    url: base + paths.event(uniquekey, row.uid),
  };
}

const daySeconds = 86_400;

/** Returns when `listEventsWithin` no longer finds the event. */
function endOf(row: ListedEvent, timezone: string): number {
  if (row.all_day === 1) return toUnix(dayOf(lastLocal(row)) + daySeconds, timezone);
  return Math.max(row.end_at, row.start_at + 1);
}
