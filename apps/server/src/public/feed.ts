import { LRUCache } from "lru-cache";
import { type FeedOmits, feedOmits, omittedFrom } from "../calendars/feed-omits.js";
import { findDescribedCalendar, type PublicFeed, publicFeedsSql } from "../calendars/public-queries.js";
import { markFeedCut } from "../calendars/queries.js";
import { storageFailure } from "../db/failures.js";
import { createLookup, keptThroughOutages, orAfter, patienceMs } from "../db/lookup.js";
import { recordOf } from "../http/access-log.js";
import { createCache, getOrMake } from "../http/cache.js";
import { describeFailure } from "../background/failure-log.js";
import { heavy, publicOf } from "../http/quota.js";
import { pollingApp } from "../followers/agents.js";
import {
  type CombinedFollower,
  findCombined,
  type Follower,
  followersSql,
} from "../followers/subscriber-queries.js";
import { hashFollowerKey, isFollowerKey } from "../followers/subscribe.js";
import { createCombinedFeeds } from "./combined-feed.js";
import { dayOf, emptyFeed, type FeedBody, makeFeed } from "./feed-body.js";
import { feedFormat, type FeedState, isUnchanged, type Validators, validators } from "./feed-validators.js";
import {
  contentHeaders,
  dispositionOf,
  type FeedServices,
  notModifiedHeaders,
  plainTarget,
  type Poll,
  pollRoute,
  type PollRoute,
  sendFeed,
  sendFeedError,
} from "./polls.js";

/** Feeds of picked categories have a cache of their own, so that a hundred sets of one calendar displace no whole feed. */
const usualMemory = { all: 32 * 1024 * 1024, picked: 8 * 1024 * 1024 };

/** How long caches may repeat a feed, and this process one of a database that fails, in seconds. */
const maxAge = 300;

/**
 * Serves the iCalendar feeds: `/f/{key}/{slug}.ics` of a follower, of one calendar or of several, and the anonymous
 * `/c/{uniquekey}/{slug}.ics`. Any slug is accepted, so an address stays valid when the calendar is renamed.
 */
export function createFeeds(services: FeedServices): PollRoute {
  const { db, settings } = services;
  const format = feedFormat(settings, services.secret);
  const content = contentHeaders("text/calendar; charset=utf-8", settings);
  const findFollower = keptThroughOutages(
    createLookup<Follower>(db, { sql: followersSql, keyOf: (row) => row.key_hash }),
    maxAge * 1_000,
  );
  const findCalendar = keptThroughOutages(
    createLookup<PublicFeed>(db, { sql: publicFeedsSql, keyOf: (row) => row.uniquekey }),
    maxAge * 1_000,
  );
  const findBody = createBodies(services);
  const answerCombined = createCombinedFeeds(services);

  function find({ key, uniquekey }: Address): State | Promise<State> {
    if (key === undefined) return findCalendar(uniquekey);
    if (!isFollowerKey(key)) return undefined;
    const hash = hashFollowerKey(key);
    const found = findFollower(hash);
    const orCombined = (one: Follower | undefined): State | Promise<State> => one ?? findCombined(db, hash);
    return found instanceof Promise ? found.then(orCombined) : orCombined(found);
  }

  /** Reports whether the database fails now: the state of an address is one that was found before. */
  async function isOut(address: Address): Promise<boolean> {
    const state = await find(address);
    return state !== undefined && "isKept" in state;
  }

  function answer(state: State, poll: Poll<Address>): void | Promise<void> {
    const { req, res, address, now } = poll;
    if (isCombined(state)) return answerCombined(state, poll);
    if (state === undefined) return sendFeedError(res, 404, "There is no such feed.");
    if (state.deleted_at !== null) return sendFeedError(res, 410, "This calendar was deleted.");
    const follower = "key_hash" in state ? state : undefined;
    const userAgent = req.headers["user-agent"];
    if (follower !== undefined) services.fetches.record(follower, userAgent, now);
    services.polls.count(state.calendar_id, pollingApp(userAgent, follower?.calendar_type), now);

    const isEmpty = follower !== undefined && (follower.blocked === 1 || follower.unfollowed_at !== null);
    const current = validators(state, format, now, isEmpty);
    const cacheControl =
      follower === undefined ? `public, max-age=${maxAge}` : `private, max-age=${maxAge}, must-revalidate`;
    if (isUnchanged(req.headers, current)) {
      res.writeHead(304, notModifiedHeaders(current, cacheControl, res)).end();
      return undefined;
    }
    const headers = (sent: Validators): string[] => [
      ...notModifiedHeaders(sent, cacheControl, res),
      "Content-Disposition",
      dispositionOf(address),
      ...content,
    ];
    if (isEmpty) return sendEmpty(state, poll, headers(current));
    const send = (body: FeedBody): void => {
      const { version: feed_version, modifiedAt: feed_modified_at, omits } = body;
      // The body may be newer than the state, or cut differently.
      const isCurrent = state.feed_version === feed_version && !isCutOtherwise(body, state);
      const newer = { ...state, feed_version, feed_modified_at, feed_cut: feedOmits[omits] };
      const sent = isCurrent ? current : validators(newer, format, now, false);
      sendFeed(poll, headers(sent), services.compresses ? body : { bytes: body.bytes });
    };
    const body = findBody(state, poll, () => isOut(address));
    return body instanceof Promise ? body.then(send) : send(body);
  }

  async function sendEmpty(state: FeedState, poll: Poll<Address>, headers: string[]): Promise<void> {
    const { account_id, calendar_id } = state;
    const owner = publicOf(account_id);
    await heavy.run(owner, async () => {
      const find = db.list(owner, ({ read }) => findDescribedCalendar(read, calendar_id));
      const calendar = await find;
      if (calendar === undefined) return sendFeedError(poll.res, 404, "There is no such feed.");
      sendFeed(poll, headers, { bytes: emptyFeed(calendar, settings) });
    });
  }

  return pollRoute({ name: "feed", what: "Feeds", parse: parseAddress, find, answer }, services);
}

/** What an address is of: a calendar, a follower of one, or one person that follows several. */
type State = PublicFeed | Follower | readonly CombinedFollower[] | undefined;

function isCombined(state: State): state is readonly CombinedFollower[] {
  return Array.isArray(state);
}

/** Returns what gets a feed from the cache, or generates it when the calendar has changed. */
function createBodies({ db, log, settings, cacheCounts, memory = usualMemory }: FeedServices) {
  const sizeOf = ({ bytes, gzip }: FeedBody): number => bytes.length + gzip.length;
  const all = createCache<FeedBody>(memory.all, sizeOf);
  const picked = createCache<FeedBody>(memory.picked, sizeOf);
  const latest = new LRUCache<string, string>({ max: 10_000, ttl: maxAge * 1_000 }); // keys of the bodies made last

  function markCut(calendarId: number, omits: FeedOmits): void {
    if (omits !== "nothing")
      log.warn({ calendar_id: calendarId, omits }, "a feed over 1,000,000 bytes omits events");
    db.transaction((trx) => markFeedCut(trx, calendarId, omits)).catch((error: unknown) =>
      log.warn({ err: describeFailure(error) }, "failed to write feed_cut"),
    );
  }

  return function findBody(
    state: FeedState,
    { res, now }: Poll<Address>,
    isOut: () => Promise<boolean>,
  ): FeedBody | Promise<FeedBody> {
    const { calendar_id: calendarId, account_id: accountId, feed_version, categories, isKept } = state;
    const isPicked = typeof categories === "string";
    // A feed without some upcoming events changes with each day, and what was omitted once may fit later.
    const omitted = omittedFrom(state);
    const day = omitted === "upcoming" ? ` ${dayOf(now)}` : "";
    const content = `${calendarId}${isPicked ? ` ${categories}` : ""}`;
    const key = `${content} ${feed_version} ${omitted}${day}`;
    const make = async (): Promise<FeedBody> => {
      const owner = { calendarId, accountId };
      const body = await heavy.run(publicOf(accountId), () =>
        makeFeed(db, owner, now, { ...settings, categories }),
      );
      if (isCutOtherwise(body, state)) markCut(calendarId, body.omits);
      latest.set(content, key);
      return body;
    };
    const cache = isPicked ? picked : all;
    const findLast = (): FeedBody | undefined => cache.get(latest.get(content) ?? "");
    const last = isKept === true && !cache.has(key) ? findLast() : undefined; // to make one would fail, after seconds
    if (last !== undefined) return last;
    const body = getOrMake(cache, key, make, { record: recordOf(res), counts: cacheCounts });
    if (!(body instanceof Promise)) return body;
    const made = body.catch((error: unknown) => {
      const old = storageFailure(error) === undefined ? undefined : findLast();
      if (old === undefined) throw error;
      return old;
    });
    return orAfter(patienceMs, made, async () => {
      const old = findLast();
      return old !== undefined && (await isOut()) ? old : made;
    });
  };
}

/**
 * Returns whether the calendar's `feed_cut` is not true of the body. The feed of some categories omits no more than the whole one,
 * to which `feed_cut` belongs: there only more tells something.
 */
function isCutOtherwise({ omits }: FeedBody, state: FeedState): boolean {
  if (typeof state.categories !== "string") return omits !== omittedFrom(state);
  const amounts = ["nothing", "past", "upcoming"];
  return amounts.indexOf(omits) > amounts.indexOf(omittedFrom(state));
}

type Address = {
  /** The last path segment without `.ics`. */
  readonly name: string;
  readonly isDownload: boolean;
} & (
  | { readonly key: string; readonly uniquekey?: undefined }
  | { readonly uniquekey: string; readonly key?: undefined }
);

/**
 * People and programs change an address without meaning another: the case of `.ics`, a slash at its end, letters that are
 * percent-encoded.
 */
function parseAddress(target: string): Address | undefined {
  const url = plainTarget(target);
  const isFollower = url.startsWith("/f/");
  if (!isFollower && !url.startsWith("/c/")) return undefined;
  const mark = url.indexOf("?");
  const given = mark === -1 ? url : url.slice(0, mark);
  const path = given.endsWith("/") ? given.slice(0, -1) : given;
  const slash = path.indexOf("/", idStart);
  if (slash <= idStart || path.includes("/", slash + 1)) return undefined;
  if (path.slice(-".ics".length).toLowerCase() !== ".ics") return undefined;
  const id = path.slice(idStart, slash);
  const query = mark === -1 ? [] : url.slice(mark + 1).split("&");
  const isDownload = query.includes("download=1");
  const name = path.slice(slash + 1, -".ics".length);
  return isFollower ? { key: id, name, isDownload } : { uniquekey: id, name, isDownload };
}

const idStart = "/c/".length;
