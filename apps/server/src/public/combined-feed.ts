import { hash } from "node:crypto";
import { calendarEnd, calendarStart, eventText } from "@kalends/ical";
import { findProfile, noProfile } from "../accounts/profile-queries.js";
import { type DescribedCalendar, findDescribedCalendar } from "../calendars/public-queries.js";
import type { Db } from "../db/database.js";
import type { MaybeKept } from "../db/lookup.js";
import { recordOf } from "../http/access-log.js";
import { heavy, publicOf } from "../http/quota.js";
import { pollingApp } from "../followers/agents.js";
import type { CombinedFollower } from "../followers/subscriber-queries.js";
import { compress, dayOf, endBytes, fittingEvents, maxBytes, startOfDay } from "./feed-body.js";
import { feedCalendar, feedEvent, type FeedSettings } from "./feed-entries.js";
import { createFeedMemory, maxAge } from "./feed-memory.js";
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

/**
 * Returns what answers with the feed of several calendars (extensions X11.3). Calendars that were deleted, that the person has left, or
 * whose owner has blocked her are not in it; every poll counts for each that is there.
 */
export function createCombinedFeeds(services: FeedServices): AnswerCombined {
  const { settings } = services;
  const format = feedFormat(settings, services.secret);
  const content = contentHeaders("text/calendar; charset=utf-8", settings);
  const findBody = createBodies(services);

  return ({ followers, isKept = false }, poll, isOut) => {
    const { req, res, address, now } = poll;
    const there = followers.filter(({ deleted_at }) => deleted_at === null);
    if (there.length === 0) return sendFeedError(res, 410, "These calendars were deleted.");
    countPoll(services, there, poll);
    const shown = there.filter(({ blocked, unfollowed_at }) => blocked === 0 && unfollowed_at === null);
    // With the day: what does not fit depends on it, and so may the name, which has no version.
    const tagOf = (versions: string) =>
      `W/"${hash("sha256", `${dayOf(now)} ${versions} ${format}`, "base64url").slice(0, 22)}"`;
    const headersOf = (etag: string) =>
      notModifiedHeaders({ etag }, `private, max-age=${maxAge}, must-revalidate`, res);
    const versions = versionsOf(shown);
    const etag = tagOf(versions);
    if (isUnchanged(req.headers, { etag, modifiedAt: undefined, lastModified: undefined })) {
      res.writeHead(304, headersOf(etag)).end();
      return undefined;
    }
    const send = (body: Body): void => {
      const disposition = ["Content-Disposition", dispositionOf(address)];
      const headers = [...headersOf(tagOf(body.versions)), ...disposition, ...content];
      sendFeed(poll, headers, services.compresses ? body : { bytes: body.bytes });
    };
    const body = findBody(there, { shown, versions, isKept, isOut }, poll);
    return body instanceof Promise ? body.then(send) : send(body);
  };
}

/** The followers that share a key, of which there is one or more. */
export interface CombinedState {
  readonly followers: readonly CombinedFollower[];
}

type AnswerCombined = (
  state: CombinedState & MaybeKept,
  poll: CombinedPoll,
  isOut: () => Promise<boolean>,
) => void | Promise<void>;

function countPoll(
  { fetches, polls }: FeedServices,
  there: readonly CombinedFollower[],
  { req, now }: CombinedPoll,
): void {
  const userAgent = req.headers["user-agent"];
  for (const follower of there) {
    fetches.record(follower, userAgent, now);
    polls.count(follower.calendar_id, pollingApp(userAgent, follower.calendar_type), now);
  }
}

/** Returns what gets a feed from the cache, or generates it when one of its calendars has changed. */
function createBodies({ db, settings, cacheCounts }: FeedServices) {
  const memory = createFeedMemory<Body>(cacheBytes);
  return (
    [first]: readonly CombinedFollower[],
    { shown, versions, isKept, isOut }: Shown,
    { res, now }: CombinedPoll,
  ): Body | Promise<Body> => {
    if (first === undefined) throw new Error("the feed has no calendar");
    // Where none is shown, the feed still has the name and the zone of one, and no events.
    const source = { accountId: first.account_id, named: first.calendar_id, shown, now, settings };
    const owner = publicOf(first.account_id);
    const make = async (): Promise<Body> => {
      const { versions, text } = await db.list(owner, (on) => on.snapshot((trx) => makeBody(trx, source)));
      const bytes = Buffer.from(text);
      return { versions, bytes, gzip: await compress(bytes) };
    };
    const content = [source.named, ...shown.map(({ calendar_id }) => calendar_id)].join(" ");
    const key = `${source.named} ${dayOf(now)} ${versions}`;
    const noted = { record: recordOf(res), counts: cacheCounts };
    return memory({ content, key, isKept, isOut, make: () => heavy.run(owner, make), noted });
  };
}

interface Shown {
  readonly shown: readonly CombinedFollower[];
  readonly versions: string;
  readonly isKept: boolean;
  readonly isOut: () => Promise<boolean>;
}

function versionsOf(calendars: readonly Pick<CombinedFollower, "calendar_id" | "feed_version">[]): string {
  return calendars.map(({ calendar_id, feed_version }) => `${calendar_id}-${feed_version}`).join(" ");
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
  const versions = versionsOf(found.map(({ id, feed_version }) => ({ calendar_id: id, feed_version })));
  return { versions, text: [start, ...texts, calendarEnd(texts.length)].join("") };
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
