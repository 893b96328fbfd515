import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import {
  type FeedOmits,
  feedOmits,
  findCalendarById,
  markFeedCut,
  omittedFrom,
  type PublicFeed,
  publicFeedsSql,
} from "../calendars/queries.js";
import type { Database } from "../db/database.js";
import { createLookup } from "../db/lookup.js";
import type { Trace } from "../db/trace.js";
import { isHttps } from "../http/base-url.js";
import { type CacheCounts, counting, createCache, getNoting } from "../http/cache.js";
import { namesOneHost } from "../http/guards.js";
import { databaseFor, recordOf } from "../http/access-log.js";
import { describeFailure } from "../http/failure-log.js";
import { failureOf, recordFailure } from "../http/failures.js";
import type { FetchRecorder } from "../subscribers/fetch-recorder.js";
import { hashFollowerKey, isFollowerKey } from "../subscribers/keys.js";
import { type Follower, followersSql } from "../subscribers/queries.js";
import { CalendarGone, dayOf, emptyFeed, type FeedBody, makeFeed } from "./feed-body.js";
import { feedHeaders, sendFeed, sendFeedError, notModifiedHeaders } from "./feed-response.js";
import type { FeedSettings } from "./feed-entries.js";
import { feedFormat, type FeedState, isUnchanged, type Validators, validators } from "./feed-validators.js";

export interface FeedServices {
  readonly db: Database;
  /** Unix seconds. */
  readonly clock: () => number;
  readonly settings: FeedSettings;
  /** Of the database (feed-secret.ts). */
  readonly secret: string;
  readonly compresses: boolean;
  readonly fetches: Pick<FetchRecorder, "record">;
  /** Of the cached feeds, for the metrics. */
  readonly cacheCounts?: CacheCounts | undefined;
  readonly log: Logger;
}

/** Handles a request for a feed. Returns false when the path is not that of a feed. */
export type Feeds = (req: IncomingMessage, res: ServerResponse) => boolean;

/** Memory for cached feeds, plain and compressed. */
const cacheBytes = 32 * 1024 * 1024;

/**
 * Serves the iCalendar feeds: `/f/{key}/{slug}.ics` of a follower and the anonymous `/c/{uniquekey}/{slug}.ics`. Any slug is
 * accepted, so an address stays valid when the calendar is renamed. Runs before Express because most requests are polls.
 */
export function createFeeds(services: FeedServices): Feeds {
  const { db, log, settings } = services;
  const format = feedFormat(settings, services.secret);
  const findFollower = createLookup<Follower>(db, { sql: followersSql, keyOf: (row) => row.key_hash });
  const findCalendar = createLookup<PublicFeed>(db, { sql: publicFeedsSql, keyOf: (row) => row.uniquekey });
  const bodies = createCache<FeedBody>(cacheBytes, ({ bytes, gzip }) => bytes.length + gzip.length);
  const cache = counting(bodies, services.cacheCounts);

  /** Returns the feed from the cache, or generates it when the calendar has changed. */
  function findBody(state: FeedState, { res, now }: Context) {
    const { calendar_id: calendarId, feed_version } = state;
    // A feed without some upcoming events changes with each day.
    const isDaily = omittedFrom(state) === "upcoming";
    const version = isDaily ? `${feed_version} ${dayOf(now)}` : feed_version;
    return getNoting(cache, recordOf(res), String(calendarId), version, async () => {
      const body = await makeFeed(databaseFor(res, db), calendarId, now, settings);
      if (body.omits !== omittedFrom(state)) markCut(calendarId, body.omits);
      return body;
    });
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
    if (follower !== undefined) services.fetches.record(follower, req.headers["user-agent"], now);

    const isEmpty = follower !== undefined && (follower.blocked === 1 || follower.unfollowed_at !== null);
    const current = validators(state, format, now, isEmpty);
    const isPublic = follower === undefined;
    const { requestId } = recordOf(res);
    if (isUnchanged(req.headers, current)) {
      res.writeHead(304, notModifiedHeaders(current, isPublic, requestId)).end();
      return undefined;
    }
    const headers = (sent: Validators): string[] =>
      feedHeaders(sent, address, { isPublic, isHttps: isHttps(settings.publicUrl), requestId });
    return isEmpty ? sendEmpty(state, context, headers(current)) : sendFull(state, context, current, headers);
  }

  async function sendEmpty(state: FeedState, { req, res }: Context, headers: string[]): Promise<void> {
    const calendar = await findCalendarById(databaseFor(res, db).read, state.calendar_id);
    if (calendar === undefined) return sendFeedError(res, 404, "There is no such feed.");
    sendFeed(req, res, headers, { bytes: emptyFeed(calendar, settings) });
  }

  function sendFull(
    state: FeedState,
    context: Context,
    current: Validators,
    headers: (sent: Validators) => string[],
  ): void | Promise<void> {
    const { req, res, now } = context;
    const send = (body: FeedBody): void => {
      const sent = hasState(body, state)
        ? current
        : validators(
            {
              ...state,
              feed_version: body.version,
              feed_modified_at: body.modifiedAt,
              feed_cut: feedOmits[body.omits],
            },
            format,
            now,
            false,
          );
      return sendFeed(req, res, headers(sent), services.compresses ? body : { bytes: body.bytes });
    };
    const body = findBody(state, context);
    return body instanceof Promise ? body.then(send) : send(body);
  }

  function fail(error: unknown, res: ServerResponse): void {
    if (error instanceof CalendarGone) return sendFeedError(res, 410, "This calendar was deleted.");
    const failure = failureOf(error);
    recordFailure(log, error, failure, res);
    if (res.headersSent) res.destroy();
    else sendFeedError(res, failure.status, failure.message, failure.headers);
  }

  return (req, res) => {
    const address = parseAddress(req.url ?? "");
    if (address === undefined) return false;
    const record = recordOf(res);
    record.operation = "feed";
    if (isAnsweredAtOnce(req, res)) return true;
    const context = { req, res, address, now: services.clock() };
    try {
      const found = findState(address, record.trace);
      const answered =
        found instanceof Promise ? found.then((state) => answer(state, context)) : answer(found, context);
      answered?.catch((error: unknown) => fail(error, res));
    } catch (error) {
      fail(error, res); // thrown synchronously
    }
    return true;
  };
}

/** Answers what asks for no feed: without one valid host, or by another method than GET and HEAD. */
function isAnsweredAtOnce(req: IncomingMessage, res: ServerResponse): boolean {
  if (!namesOneHost(req)) sendFeedError(res, 400, "The request must name one host.");
  else if (req.method === "OPTIONS")
    res.writeHead(204, { ...allow, ...preflight, "X-Request-Id": recordOf(res).requestId }).end();
  else if (req.method !== "GET" && req.method !== "HEAD")
    // Thunderbird sends PUT and PROPFIND to find out whether it may write; only a 405 says that it may not.
    sendFeedError(res, 405, "Feeds are read-only.", allow);
  else return false;
  return true;
}

/** Returns whether the body was generated from this state: it may be newer, or cut differently. */
function hasState({ version, omits }: FeedBody, state: FeedState): boolean {
  return state.feed_version === version && omittedFrom(state) === omits;
}

interface Context {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly address: Address;
  readonly now: number;
}

const allow = { Allow: "GET, HEAD, OPTIONS" };

/** Lets the scripts of any site poll a feed with what they know of it. */
const preflight = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, HEAD",
  "Access-Control-Allow-Headers": "If-None-Match, If-Modified-Since, Cache-Control",
  "Access-Control-Max-Age": "86400",
};

type Address = { readonly name: string; readonly isDownload: boolean } & (
  | { readonly key: string; readonly uniquekey?: undefined }
  | { readonly uniquekey: string; readonly key?: undefined }
);

/**
 * Parses the request target, in origin-form or absolute-form (RFC 9112 3.2.2), whose host is ignored. People and programs change
 * an address without meaning another: the case of `.ics`, a slash at its end, letters that are percent-encoded.
 */
function parseAddress(target: string): Address | undefined {
  const whole = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "");
  const url = whole.includes("%") ? withPlainLetters(whole) : whole;
  const isFollower = url.startsWith("/f/");
  if (!isFollower && !url.startsWith("/c/")) return undefined;
  const mark = url.indexOf("?");
  const given = mark === -1 ? url : url.slice(0, mark);
  const path = given.endsWith("/") ? given.slice(0, -1) : given;
  const slash = path.indexOf("/", idStart);
  if (slash <= idStart || path.includes("/", slash + 1)) return undefined;
  if (path.slice(-".ics".length).toLowerCase() !== ".ics") return undefined;
  const id = path.slice(idStart, slash);
  const isDownload =
    mark !== -1 &&
    url
      .slice(mark + 1)
      .split("&")
      .includes("download=1");
  const name = path.slice(slash + 1, -".ics".length);
  return isFollower ? { key: id, name, isDownload } : { uniquekey: id, name, isDownload };
}

/** Decodes the characters that never need to be percent-encoded (RFC 3986 6.2.2.2). */
function withPlainLetters(url: string): string {
  return url.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : encoded;
  });
}

const idStart = "/c/".length;
