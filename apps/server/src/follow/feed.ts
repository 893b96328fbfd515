import { type FeedOmits, feedOmits, omittedFrom } from "../calendars/feed-omits.js";
import { findDescribedCalendar, type PublicFeed, publicFeedsSql } from "../calendars/public-queries.js";
import { markFeedCut } from "../calendars/queries.js";
import { createLookup } from "../db/lookup.js";
import type { Trace } from "../db/trace.js";
import { databaseFor, recordOf } from "../http/access-log.js";
import { type CacheCounts, createCache, getOrMake } from "../http/cache.js";
import { describeFailure } from "../http/failure-log.js";
import { heavy, publicOf } from "../http/limiter.js";
import type { PollCounter } from "../statistics/poll-counter.js";
import { pollingApp } from "../subscribers/agents.js";
import type { FetchRecorder } from "../subscribers/fetch-recorder.js";
import { hashFollowerKey, isFollowerKey } from "../subscribers/keys.js";
import { type Follower, followersSql } from "../subscribers/queries.js";
import { type Address, parseAddress } from "./feed-address.js";
import { dayOf, emptyFeed, type FeedBody, makeFeed } from "./feed-body.js";
import type { FeedSettings } from "./feed-entries.js";
import {
  contentHeaders,
  dispositionOf,
  notModifiedHeaders,
  type PollContext,
  type PollRoute,
  pollRoute,
  sendFeed,
  sendFeedError,
} from "./feed-response.js";
import { feedFormat, type FeedState, isUnchanged, type Validators, validators } from "./feed-validators.js";
import type { Services } from "../services.js";

export interface FeedServices extends Services {
  readonly settings: FeedSettings;
  /** Of the database (feed-validators.ts). */
  readonly secret: string;
  readonly compresses: boolean;
  readonly fetches: Pick<FetchRecorder, "record">;
  readonly polls: Pick<PollCounter, "count">;
  /** Of the cached feeds, for the metrics. */
  readonly cacheCounts?: CacheCounts | undefined;
  /** Memory for cached feeds, and for those of picked categories. */
  readonly memory?: { readonly all: number; readonly picked: number };
}

/** Memory for cached feeds, plain and compressed. */
const cacheBytes = 32 * 1024 * 1024;

/** The same for feeds of picked categories: their own, so that a hundred sets of one calendar displace no whole feed. */
const pickedCacheBytes = 8 * 1024 * 1024;

/**
 * Serves the iCalendar feeds: `/f/{key}/{slug}.ics` of a follower and the anonymous `/c/{uniquekey}/{slug}.ics`. Any slug is
 * accepted, so an address stays valid when the calendar is renamed. Runs before Express because most requests are polls.
 */
export function createFeeds(services: FeedServices): PollRoute {
  const { db, log, settings } = services;
  const format = feedFormat(settings, services.secret);
  const content = contentHeaders("text/calendar; charset=utf-8", settings.publicUrl);
  const findFollower = createLookup<Follower>(db, { sql: followersSql, keyOf: (row) => row.key_hash });
  const findCalendar = createLookup<PublicFeed>(db, { sql: publicFeedsSql, keyOf: (row) => row.uniquekey });
  const cacheOf = createCaches(services);

  /** Returns the feed from the cache, or generates it when the calendar has changed. */
  function findBody(state: FeedState, { res, now }: Context) {
    const { calendar_id: calendarId, account_id: accountId, feed_version, categories } = state;
    // A feed without some upcoming events changes with each day.
    const isDaily = omittedFrom(state) === "upcoming";
    const version = isDaily ? `${feed_version} ${dayOf(now)}` : feed_version;
    const { cache, key } = cacheOf(state);
    const owner = { calendarId, accountId };
    const make = () => makeFeed(databaseFor(res, db), owner, now, { ...settings, categories });
    const makeAndMark = async () => {
      const body = await heavy.run(publicOf(accountId), make);
      if (isCutOtherwise(body, state)) markCut(calendarId, body.omits);
      return body;
    };
    const noted = { record: recordOf(res), counts: services.cacheCounts };
    return getOrMake(cache, `${key} ${version}`, makeAndMark, noted);
  }

  function markCut(calendarId: number, omits: FeedOmits): void {
    if (omits !== "nothing")
      log.warn({ calendar_id: calendarId, omits }, "a feed over 1,000,000 bytes omits events");
    db.transaction((trx) => markFeedCut(trx, calendarId, omits)).catch((error: unknown) =>
      log.warn({ err: describeFailure(error) }, "failed to write feed_cut"),
    );
  }

  /** Returns the state synchronously when it is cached. */
  function findState({ key, uniquekey }: Address, trace: Trace | undefined) {
    if (key === undefined) return findCalendar(uniquekey, trace);
    return isFollowerKey(key) ? findFollower(hashFollowerKey(key), trace) : undefined;
  }

  function answer(state: PublicFeed | Follower | undefined, context: Context): void | Promise<void> {
    const { req, res, address, now } = context;
    if (state === undefined) return sendFeedError(res, 404, "There is no such feed.");
    if (state.deleted_at !== null) return sendFeedError(res, 410, "This calendar was deleted.");
    const follower = "key_hash" in state ? state : undefined;
    const userAgent = req.headers["user-agent"];
    if (follower !== undefined) services.fetches.record(follower, userAgent, now);
    services.polls.count(state.calendar_id, pollingApp(userAgent, follower?.calendar_type), now);

    const isEmpty = follower !== undefined && (follower.blocked === 1 || follower.unfollowed_at !== null);
    const current = validators(state, format, now, isEmpty);
    const cacheControl =
      follower === undefined ? "public, max-age=300" : "private, max-age=300, must-revalidate";
    if (isUnchanged(req.headers, current)) {
      res.writeHead(304, notModifiedHeaders(current, cacheControl, res)).end();
      return undefined;
    }
    const headers = (sent: Validators): string[] => [
      ...notModifiedHeaders(sent, cacheControl, res),
      ...dispositionOf(address),
      ...content,
    ];
    return isEmpty ? sendEmpty(state, context, headers(current)) : sendFull(state, context, current, headers);
  }

  async function sendEmpty(state: FeedState, { req, res }: Context, headers: string[]): Promise<void> {
    const { account_id: accountId, calendar_id: id } = state;
    await heavy.run(publicOf(accountId), async () => {
      const calendar = await databaseFor(res, db).list(publicOf(accountId), ({ read }) =>
        findDescribedCalendar(read, id),
      );
      if (calendar === undefined) return sendFeedError(res, 404, "There is no such feed.");
      sendFeed(req, res, headers, { bytes: emptyFeed(calendar, settings) });
    });
  }

  function sendFull(
    state: FeedState,
    context: Context,
    current: Validators,
    headers: (sent: Validators) => string[],
  ): void | Promise<void> {
    const { req, res, now } = context;
    const send = (body: FeedBody): void => {
      const { version: feed_version, modifiedAt: feed_modified_at, omits } = body;
      const newer = { ...state, feed_version, feed_modified_at, feed_cut: feedOmits[omits] };
      const sent = hasState(body, state) ? current : validators(newer, format, now, false);
      return sendFeed(req, res, headers(sent), services.compresses ? body : { bytes: body.bytes });
    };
    const body = findBody(state, context);
    return body instanceof Promise ? body.then(send) : send(body);
  }

  const { clock } = services;
  return pollRoute({ name: "feed", what: "Feeds", parse: parseAddress, find: findState, answer, clock, log });
}

function createCaches({
  memory = { all: cacheBytes, picked: pickedCacheBytes },
}: Pick<FeedServices, "memory">) {
  const sizeOf = ({ bytes, gzip }: FeedBody): number => bytes.length + gzip.length;
  const all = createCache<FeedBody>(memory.all, sizeOf);
  const picked = createCache<FeedBody>(memory.picked, sizeOf);
  return ({ calendar_id, categories }: FeedState) =>
    typeof categories === "string"
      ? { cache: picked, key: `${calendar_id} ${categories}` }
      : { cache: all, key: `${calendar_id}` };
}

/** Returns whether the body was generated from this state: it may be newer, or cut differently. */
function hasState(body: FeedBody, state: FeedState): boolean {
  return state.feed_version === body.version && !isCutOtherwise(body, state);
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

type Context = PollContext<Address>;
