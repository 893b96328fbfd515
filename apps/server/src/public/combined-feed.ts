import { hash } from "node:crypto";
import { calendarEnd, calendarStart, eventText } from "@kalends/ical";
import { findProfile, noProfile } from "../accounts/profile-queries.js";
import { type DescribedCalendar, findDescribedCalendar } from "../calendars/public-queries.js";
import type { Db } from "../db/database.js";
import { recordOf } from "../http/access-log.js";
import { createCache, getOrMake } from "../http/cache.js";
import { heavy, publicOf } from "../http/quota.js";
import { pollingApp } from "../followers/agents.js";
import type { CombinedFollower } from "../followers/subscriber-queries.js";
import { compress, dayOf, endBytes, fittingEvents, maxBytes, startOfDay } from "./feed-body.js";
import { feedCalendar, feedEvent, type FeedSettings } from "./feed-entries.js";
import { feedFormat, isUnchanged } from "./feed-validators.js";
import {
  contentHeaders,
  dispositionOf,
  type FeedServices,
  notModifiedHeaders,
  type Poll,
  sendFeed,
  sendFeedError,
} from "./polls.js";
import { paths } from "./public-paths.js";

/** Bytes of the cached feeds, plain and compressed. */
const cacheBytes = 8 * 1024 * 1024;

interface Body {
  /** What the feed was made of: of each calendar its id and version. */
  readonly versions: string;
  readonly bytes: Buffer;
  readonly gzip: Buffer;
}

type CombinedPoll = Poll<{ readonly name: string; readonly isDownload: boolean }>;

type AnswerCombined = (followers: readonly CombinedFollower[], poll: CombinedPoll) => void | Promise<void>;

/**
 * Returns what answers with the feed of several calendars (extensions X11.3). Calendars that were deleted, that the person has left, or
 * whose owner has blocked her are not in it; every poll counts for each that is there.
 */
export function createCombinedFeeds(services: FeedServices): AnswerCombined {
  const { db, settings, cacheCounts } = services;
  const format = feedFormat(settings, services.secret);
  const content = contentHeaders("text/calendar; charset=utf-8", settings);
  const cache = createCache<Body>(cacheBytes, ({ bytes, gzip }) => bytes.length + gzip.length);
  return (followers, poll) => {
    const { req, res, address, now } = poll;
    const [first] = followers;
    if (first === undefined) return sendFeedError(res, 404, "There is no such feed.");
    const there = followers.filter(({ deleted_at }) => deleted_at === null);
    if (there.length === 0) return sendFeedError(res, 410, "These calendars were deleted.");
    countFetches(services, there, req.headers["user-agent"], now);
    const shown = there.filter(({ blocked, unfollowed_at }) => blocked === 0 && unfollowed_at === null);
    const tagOf = (versions: string) => tag(`${dayOf(now)} ${versions} ${format}`);
    const headersOf = (versions: string) =>
      notModifiedHeaders({ etag: tagOf(versions) }, "private, max-age=300, must-revalidate", res);
    const versions = versionsOf(shown.map((row) => ({ ...row, id: row.calendar_id })));
    const known = { etag: tagOf(versions), modifiedAt: undefined, lastModified: undefined };
    if (isUnchanged(req.headers, known)) return void res.writeHead(304, headersOf(versions)).end();
    const send = (body: Body): void => {
      const headers = [
        ...headersOf(body.versions),
        "Content-Disposition",
        dispositionOf(address),
        ...content,
      ];
      sendFeed(poll, headers, services.compresses ? body : { bytes: body.bytes });
    };
    const owner = publicOf(first.account_id);
    // Where none is shown, the feed still has the name and the zone of one, and no events.
    const source = { accountId: first.account_id, named: there[0]?.calendar_id ?? 0, shown, now, settings };
    const make = () =>
      heavy.run(owner, () =>
        db.list(owner, (on) => on.snapshot((trx) => makeBody(trx, source))).then(withGzip),
      );
    const noted = { record: recordOf(res), counts: cacheCounts };
    const body = getOrMake(cache, `${source.named} ${dayOf(now)} ${versions}`, make, noted);
    return body instanceof Promise ? body.then(send) : send(body);
  };
}

/** Of the day too: what does not fit depends on it, and so may the name, which has no version. */
function tag(text: string): string {
  return `W/"${hash("sha256", text, "base64url").slice(0, 22)}"`;
}

function countFetches(
  { fetches, polls }: FeedServices,
  followers: readonly CombinedFollower[],
  userAgent: string | undefined,
  now: number,
): void {
  for (const follower of followers) {
    fetches.record(follower, userAgent, now);
    polls.count(follower.calendar_id, pollingApp(userAgent, follower.calendar_type), now);
  }
}

function versionsOf(calendars: readonly Pick<DescribedCalendar, "id" | "feed_version">[]): string {
  return calendars.map(({ id, feed_version }) => `${id}-${feed_version}`).join(" ");
}

interface Source {
  readonly accountId: number;
  /** The calendar whose zone the feed has. */
  readonly named: number;
  readonly shown: readonly CombinedFollower[];
  readonly now: number;
  readonly settings: FeedSettings;
}

async function makeBody(trx: Db, { accountId, named, shown, now, settings }: Source) {
  const head = await findDescribedCalendar(trx, named);
  const found: DescribedCalendar[] = [];
  for (const { calendar_id } of shown) {
    const calendar = await findDescribedCalendar(trx, calendar_id);
    if (calendar !== undefined && calendar.deleted_at === null) found.push(calendar);
  }
  const account = (await findProfile(trx, accountId)) ?? { ...noProfile, key: "" };
  const start = startOf(account, head, found, settings);
  const texts: string[] = [];
  let budget = maxBytes - 1 - Buffer.byteLength(start) - endBytes;
  // Each calendar has an equal part of what those before it have left, the smallest first.
  const bySize = found.toSorted((one, other) => one.events_total - other.events_total || one.id - other.id);
  for (const [index, calendar] of bySize.entries()) {
    const share = Math.floor(budget / (bySize.length - index));
    const source = { calendarId: calendar.id, categories: undefined, print: printer(calendar, settings) };
    const events = await fittingEvents(trx, source, startOfDay(now), share);
    texts.push(...events.texts);
    budget -= events.texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  }
  return { versions: versionsOf(found), text: [start, ...texts, calendarEnd(texts.length)].join("") };
}

/** Among the categories of an event stands its calendar: "Training" may be in each of them. */
function printer(calendar: DescribedCalendar, settings: FeedSettings) {
  return (row: Parameters<typeof feedEvent>[0]): string => {
    const event = feedEvent(row, calendar, settings);
    return eventText({ ...event, categories: [calendar.title, ...(event.categories ?? [])] });
  };
}

function startOf(
  account: { readonly name: string; readonly key: string },
  head: DescribedCalendar | undefined,
  found: readonly DescribedCalendar[],
  settings: FeedSettings,
): string {
  const [calendar = head] = found;
  if (calendar === undefined) throw new Error("the calendar of a feed was removed");
  const { publicUrl } = settings;
  const modifiedAt = Math.max(...found.map((row) => row.feed_modified_at), calendar.feed_modified_at);
  return calendarStart({
    ...feedCalendar(calendar, settings),
    name: account.name || calendar.calendarname,
    description: found.map(({ title }) => title).join("\n"),
    modifiedAt,
    url: publicUrl === undefined || account.key === "" ? undefined : publicUrl + paths.portal(account.key),
  });
}

async function withGzip({ versions, text }: { readonly versions: string; readonly text: string }) {
  const bytes = Buffer.from(text);
  return { versions, bytes, gzip: await compress(bytes) };
}
