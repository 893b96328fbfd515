import { type FeedOmits, feedOmits, omittedFrom } from "../calendars/feed-omits.js";
import { findDescribedCalendar, type PublicFeed, publicFeedsSql } from "../calendars/public-queries.js";
import { markFeedCut } from "../calendars/queries.js";
import { createLookup, keptThroughOutages, type MaybeKept } from "../db/lookup.js";
import { recordOf } from "../http/access-log.js";
import { describeFailure } from "../background/failure-log.js";
import { heavy, publicOf } from "../http/quota.js";
import { pollingApp } from "../followers/agents.js";
import { findCombined, type Follower, followersSql } from "../followers/subscriber-queries.js";
import { hashFollowerKey, isFollowerKey } from "../followers/subscribe.js";
import { createCombinedFeeds, type CombinedState } from "./combined-feed.js";
import { dayOf, emptyFeed, type FeedBody, makeFeed } from "./feed-body.js";
import { createFeedMemory, maxAge } from "./feed-memory.js";
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

/**
 * Serves the iCalendar feeds: `/f/{key}/{slug}.ics` of a follower, of one calendar or of several, and the anonymous
 * `/c/{uniquekey}/{slug}.ics`. Any slug is accepted, so an address stays valid when the calendar is renamed.
 */
export function createFeeds(services: FeedServices): PollRoute {
  const { db, settings } = services;
  const format = feedFormat(settings, services.secret);
  const content = contentHeaders("text/calendar; charset=utf-8", settings);
  const findOne = createLookup<Follower>(db, { sql: followersSql, keyOf: (row) => row.key_hash });
  const findFollower = keptThroughOutages<Follower | CombinedState>(
    (hash) => {
      const found = findOne(hash);
      if (found instanceof Promise) return found.then(async (one) => one ?? findSeveral(hash));
      return found ?? findSeveral(hash);
    },
    maxAge * 1_000,
    (state) => ("followers" in state ? state.followers.length : 1),
  );
  const findCalendar = keptThroughOutages(
    createLookup<PublicFeed>(db, { sql: publicFeedsSql, keyOf: (row) => row.uniquekey }),
    maxAge * 1_000,
  );
  const findBody = createBodies(services);
  const answerCombined = createCombinedFeeds(services);

  async function findSeveral(hash: string): Promise<CombinedState | undefined> {
    const followers = await findCombined(db, hash);
    return followers.length === 0 ? undefined : { followers };
  }

  function find({ key, uniquekey }: Address): State | Promise<State> {
    if (key === undefined) return findCalendar(uniquekey);
    return isFollowerKey(key) ? findFollower(hashFollowerKey(key)) : undefined;
  }

  /** Reports whether the database fails now: the state of an address is one that was found before. */
  async function isOut(address: Address): Promise<boolean> {
    const state = await find(address);
    return state !== undefined && "isKept" in state;
  }

  function answer(state: State, poll: Poll<Address>): void | Promise<void> {
    const { req, res, address, now } = poll;
    if (state !== undefined && "followers" in state) return answerCombined(state, poll, () => isOut(address));
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
type State = ((PublicFeed | Follower | CombinedState) & MaybeKept) | undefined;

/** Returns what gets a feed from the cache, or generates it when the calendar has changed. */
function createBodies({ db, log, settings, cacheCounts, memory = usualMemory }: FeedServices) {
  const all = createFeedMemory<FeedBody>(memory.all);
  const picked = createFeedMemory<FeedBody>(memory.picked);

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
      return body;
    };
    const noted = { record: recordOf(res), counts: cacheCounts };
    return (isPicked ? picked : all)({ content, key, isKept: isKept === true, isOut, make, noted });
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
