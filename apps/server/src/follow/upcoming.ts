import type { IncomingMessage, ServerResponse } from "node:http";
import fresh from "fresh";
import { type PublicFeed, publicFeedsSql } from "../calendars/public.js";
import { createLookup } from "../db/lookup.js";
import { databaseFor, recordOf } from "../http/access-log.js";
import { isHttps } from "../http/base-url.js";
import { counting, createCache, getNoting } from "../http/cache.js";
import { parseForm } from "../http/query.js";
import type { Feeds, FeedServices } from "./feed.js";
import { plainTarget } from "./feed-address.js";
import { sendFeedFailure } from "./feed-failures.js";
import { fixedRawHeaders, isAnsweredAtOnce, sendFeed, sendFeedError } from "./feed-response.js";
import { inTurn } from "./turns.js";
import { makeUpcoming, type UpcomingBody } from "./upcoming-body.js";

/** Memory for cached lists, plain and compressed. */
const cacheBytes = 8 * 1024 * 1024;

/** Events on a list, unless the request says how many, and at most. */
const defaultLimit = 5;
const mostEvents = 50;

/** How long others may keep a list, in seconds; less when one of its events ends before. */
const maxAge = 300;

/**
 * Serves the next events of a calendar as JSON, `/c/{uniquekey}/upcoming.json`, for lists on other sites. As a feed, it runs before
 * Express, and is generated once for each version of the calendar; but it also changes when one of its events ends.
 */
export function createUpcoming(services: UpcomingServices): Feeds {
  const { db, clock, settings, cacheCounts, log } = services;
  const find = createLookup<PublicFeed>(db, { sql: publicFeedsSql, keyOf: (row) => row.uniquekey });
  const bodies = createCache<UpcomingBody>(cacheBytes, ({ bytes, gzip }) => bytes.length + gzip.length);
  const cache = counting(bodies, cacheCounts);

  function findBody(state: PublicFeed, { res, limit, now }: Context): UpcomingBody | Promise<UpcomingBody> {
    const { calendar_id: calendarId, account_id: accountId, feed_version: version } = state;
    const key = `${accountId} ${calendarId} ${limit}`;
    const request = { calendarId, accountId, limit, now };
    const make = () => makeUpcoming(databaseFor(res, db), request, settings.publicUrl);
    const get = () => getNoting(cache, recordOf(res), key, version, () => inTurn(db, accountId, make));
    const body = get();
    if (body instanceof Promise || now < body.until) return body;
    cache.forget(key);
    return get();
  }

  function answer(state: PublicFeed | undefined, context: Context): void | Promise<void> {
    const { res } = context;
    if (state === undefined) return sendFeedError(res, 404, "There is no such calendar.");
    if (state.deleted_at !== null) return sendFeedError(res, 410, "This calendar was deleted.");
    const body = findBody(state, context);
    return body instanceof Promise
      ? body.then((made) => send(made, context, services))
      : send(body, context, services);
  }

  return (req, res) => {
    const address = parseAddress(req.url ?? "");
    if (address === undefined) return false;
    const record = recordOf(res);
    record.operation = "upcoming";
    if (isAnsweredAtOnce(req, res, "Lists")) return true;
    const { uniquekey, limit } = address;
    if (typeof limit === "string") {
      sendFeedError(res, 400, limit);
      return true;
    }
    const context = { req, res, limit, now: clock() };
    try {
      const found = find(uniquekey, record.trace);
      const answered =
        found instanceof Promise ? found.then((state) => answer(state, context)) : answer(found, context);
      answered?.catch((error: unknown) => sendFeedFailure(log, error, res));
    } catch (error) {
      sendFeedFailure(log, error, res); // thrown synchronously
    }
    return true;
  };
}

type UpcomingServices = Omit<FeedServices, "secret" | "fetches">;

interface Context {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly limit: number;
  readonly now: number;
}

function send(
  { bytes, gzip, etag, until }: UpcomingBody,
  { req, res, now }: Context,
  { compresses, settings }: UpcomingServices,
): void {
  const age = Math.min(maxAge, Math.max(1, until - now));
  const headers = ["ETag", etag, "Cache-Control", `public, max-age=${age}`, "Vary", "Accept-Encoding"];
  headers.push("Access-Control-Allow-Origin", "*", "Access-Control-Expose-Headers", "ETag");
  headers.push("X-Request-Id", recordOf(res).requestId);
  if (fresh({ "if-none-match": req.headers["if-none-match"] }, { etag })) {
    res.writeHead(304, headers).end();
    return;
  }
  headers.push("Content-Type", "application/json");
  if (isHttps(settings.publicUrl))
    headers.push("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  headers.push(...fixedRawHeaders);
  sendFeed(req, res, headers, compresses ? { bytes, gzip } : { bytes });
}

interface Address {
  readonly uniquekey: string;
  /** How many events; a text says what is wrong with the parameter. */
  readonly limit: number | string;
}

/** Returns undefined when the target is not that of a list. */
function parseAddress(target: string): Address | undefined {
  const url = plainTarget(target);
  if (!url.startsWith("/c/")) return undefined;
  const [, uniquekey, query] = /^\/c\/([^/?]+)\/upcoming\.json\/?(?:\?(.*))?$/s.exec(url) ?? [];
  return uniquekey === undefined ? undefined : { uniquekey, limit: readLimit(query) };
}

/** Ignores other parameters, such as those of mailings. */
function readLimit(query = ""): number | string {
  if (query === "") return defaultLimit;
  const pairs = parseForm(query);
  if (pairs === undefined) return "The query is not valid percent-encoded UTF-8.";
  if (pairs === "too many") return "The query has too many parameters.";
  const [text = "", ...more] = pairs.flatMap(([name, value]) => (name === "limit" ? [value] : []));
  if (more.length > 0) return "limit: must be given once.";
  if (text === "") return defaultLimit;
  const limit = /^[1-9]\d?$/.test(text) ? Number(text) : 0;
  return limit === 0 || limit > mostEvents ? `limit: must be a whole number from 1 to ${mostEvents}.` : limit;
}
