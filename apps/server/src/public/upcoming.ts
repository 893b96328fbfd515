import fresh from "fresh";
import {
  findPageCalendar,
  type PageCalendar,
  type PublicFeed,
  publicFeedsSql,
} from "../calendars/public-queries.js";
import type { Database } from "../db/database.js";
import { createLookup } from "../db/lookup.js";
import { lastLocal } from "../events/dates.js";
import { recordOf } from "../http/access-log.js";
import { etagOf } from "../http/answer.js";
import { createCache, getOrMake } from "../http/cache.js";
import { heavy, publicOf } from "../http/quota.js";
import { parseForm } from "../http/query-string.js";
import { daySeconds, formatWallClock } from "../time/formats.js";
import { formatInstant } from "../time/instants.js";
import { toLocal, toUnix } from "../time/zones.js";
import { bySeries, mostDates, mostEvents, rangesFrom } from "./calendar-page.js";
import { CalendarGone, compress } from "./feed-body.js";
import {
  contentHeaders,
  notModifiedHeaders,
  plainTarget,
  type Poll,
  pollRoute,
  type PollRoute,
  type PollServices,
  sendFeed,
  sendFeedError,
} from "./polls.js";
import { paths } from "./public-paths.js";
import { type ListedEvent, listUpcomingEvents, type UpcomingEvent } from "./public-queries.js";
import { dayOf } from "./views/dates.js";

/** Memory for cached lists, plain and compressed. */
const cacheBytes = 8 * 1024 * 1024;

const defaultLimit = 5;

/** How long others may keep a list, in seconds; less when one of its events ends before. */
const maxAge = 300;

/**
 * Serves the next events of a calendar as JSON, `/c/{uniquekey}/upcoming.json`, for lists on other sites. It is generated once for each
 * version of the calendar, as a feed is; but it also changes when one of its events ends.
 */
export function createUpcoming(services: PollServices): PollRoute {
  const { db, settings, cacheCounts } = services;
  const findCalendar = createLookup<PublicFeed>(db, { sql: publicFeedsSql, keyOf: (row) => row.uniquekey });
  const cache = createCache<UpcomingBody>(cacheBytes, ({ bytes, gzip }) => bytes.length + gzip.length);

  function findBody(state: PublicFeed, options: ListOptions, { res, now }: Poll<Address>) {
    const { calendar_id: calendarId, account_id: accountId, feed_version: version } = state;
    const key = `${calendarId} ${options.limit} ${options.isGrouped} ${version}`;
    const request = { ...options, calendarId, accountId, now };
    const make = () => makeUpcoming(db, request, settings.publicUrl);
    const noted = { record: recordOf(res), counts: cacheCounts };
    const get = () => getOrMake(cache, key, () => heavy.run(publicOf(accountId), make), noted);
    const body = get();
    if (body instanceof Promise || now < body.until) return body;
    cache.delete(key);
    return get();
  }

  function send(body: UpcomingBody, poll: Poll<Address>): void {
    const { req, res, now } = poll;
    const { bytes, gzip, etag, until } = body;
    const age = Math.min(maxAge, Math.max(1, until - now));
    const headers = notModifiedHeaders({ etag }, `public, max-age=${age}`, res);
    if (fresh({ "if-none-match": req.headers["if-none-match"] }, { etag })) {
      res.writeHead(304, headers).end();
      return;
    }
    headers.push(...contentHeaders("application/json", settings));
    sendFeed(poll, headers, services.compresses ? { bytes, gzip } : { bytes });
  }

  function answer(state: PublicFeed | undefined, poll: Poll<Address>): void | Promise<void> {
    const { res, address } = poll;
    if (typeof address.options === "string") return sendFeedError(res, 400, address.options);
    if (state === undefined) return sendFeedError(res, 404, "There is no such calendar.");
    if (state.deleted_at !== null) return sendFeedError(res, 410, "This calendar was deleted.");
    const body = findBody(state, address.options, poll);
    return body instanceof Promise ? body.then((made) => send(made, poll)) : send(body, poll);
  }

  const find = ({ uniquekey, options }: Address) =>
    typeof options === "string" ? undefined : findCalendar(uniquekey);
  return pollRoute({ name: "upcoming", what: "Lists", parse: parseAddress, find, answer }, services);
}

interface Address {
  readonly uniquekey: string;
  /** A text says what is wrong with a parameter. */
  readonly options: ListOptions | string;
}

interface ListOptions {
  readonly limit: number;
  /** Whether a series is one event, with the dates of its next ones. */
  readonly isGrouped: boolean;
}

/** Returns undefined when the target is not that of a list. */
function parseAddress(target: string): Address | undefined {
  const url = plainTarget(target);
  if (!url.startsWith("/c/")) return undefined;
  const [, uniquekey, query] = /^\/c\/([^/?]+)\/upcoming\.json\/?(?:\?(.*))?$/s.exec(url) ?? [];
  return uniquekey === undefined ? undefined : { uniquekey, options: readOptions(query) };
}

/** Ignores other parameters, such as those of mailings. */
function readOptions(query = ""): ListOptions | string {
  const pairs = query === "" ? [] : parseForm(query);
  if (pairs === undefined) return "The query is not valid percent-encoded UTF-8.";
  if (pairs === "too many") return "The query has too many parameters.";
  const valuesOf = (wanted: string) => pairs.flatMap(([name, value]) => (name === wanted ? [value] : []));
  const twice = ["limit", "group"].find((name) => valuesOf(name).length > 1);
  if (twice !== undefined) return `${twice}: must be given once.`;
  const [text = "", group = ""] = ["limit", "group"].flatMap((name) => valuesOf(name)[0] ?? "");
  if (!["", "series"].includes(group)) return "group: must be series.";
  const isGrouped = group === "series";
  if (text === "") return { limit: defaultLimit, isGrouped };
  const limit = /^[1-9]\d?$/.test(text) ? Number(text) : 0;
  if (limit === 0 || limit > mostEvents) return `limit: must be a whole number from 1 to ${mostEvents}.`;
  return { limit, isGrouped };
}

interface UpcomingBody {
  readonly bytes: Buffer;
  readonly gzip: Buffer;
  /** Weak: both encodings share it. */
  readonly etag: string;
  /** When the first of the events is over, in Unix seconds: until then the list is true while the calendar does not change. */
  readonly until: number;
}

interface UpcomingRequest extends ListOptions {
  readonly calendarId: number;
  readonly accountId: number;
  readonly now: number;
}

/** Lists the events that are running or to come, earliest start first. @throws CalendarGone when the calendar is deleted */
async function makeUpcoming(
  db: Pick<Database, "list">,
  { calendarId, accountId, limit, isGrouped, now }: UpcomingRequest,
  publicUrl: string | undefined,
): Promise<UpcomingBody> {
  const [calendar, rows] = await db.list(publicOf(accountId), async (on) => {
    const found = await findPageCalendar(on.read, calendarId);
    if (found === undefined || found.deleted_at !== null) throw new CalendarGone();
    const read = isGrouped ? mostEvents : limit;
    return [found, await listUpcomingEvents(on, rangesFrom([found], now), read)];
  });
  const { timezone, title, uniquekey } = calendar;
  const base = publicUrl ?? "";
  const listed = {
    calendar: { title, timezone, url: base + paths.page(uniquekey) },
    events: isGrouped
      ? bySeries(rows, [calendar])
          .slice(0, limit)
          .map(({ event, others }) => ({
            ...listedEvent(event, calendar, base),
            next_dates: others.slice(0, mostDates).map((row) => listedEvent(row, calendar, base).start_date),
          }))
      : rows.map((row) => listedEvent(row, calendar, base)),
  };
  const bytes = Buffer.from(JSON.stringify(listed));
  const ends = rows.map((row) => endOf(row, timezone));
  const until = Math.max(now + 1, Math.min(...ends));
  return { bytes, gzip: await compress(bytes), etag: `W/${etagOf([bytes])}`, until };
}

/** Names follow those of the API's events; times are those of the calendar's zone. */
function listedEvent(row: UpcomingEvent, { timezone, uniquekey }: PageCalendar, base: string) {
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

/** Returns when `listEventsWithin` no longer finds the event. */
function endOf(row: ListedEvent, timezone: string): number {
  if (row.all_day === 1) return toUnix(dayOf(lastLocal(row)) + daySeconds, timezone);
  return Math.max(row.end_at, row.start_at + 1);
}
