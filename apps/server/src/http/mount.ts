import {
  hasIntegerCode,
  isWrite,
  type Operation,
  type OperationId,
  operationIds,
  operations,
} from "@kalends/spec";
import type { Request, RequestHandler, Response } from "express";
import type { Principal } from "../accounts/queries.js";
import type { Database } from "../db/connect.js";
import { sendLasting, sendReadyJson } from "./answer.js";
import { type Authenticate, createAuthenticator, readToken } from "./auth.js";
import { baseUrlOf } from "./base-url.js";
import { bodyPairs, readBody } from "./body.js";
import { ApiError } from "./errors.js";
import {
  crossOrigin,
  headersSetBy,
  inTurn,
  isPreflight,
  originHeaders,
  requireHost,
  securityHeaders,
  setAll,
} from "./guards.js";
import type { ErasedHandler, Handlers } from "./handler.js";
import { printJson } from "./json.js";
import { recordOf } from "./log.js";
import { createPageCache, type IsCurrent, type KeptAnswer, type PageCache } from "./page-cache.js";
import { checkCharacters, isPrefetch, readParams } from "./params.js";
import { type Pair, parseForm, printForm } from "./query.js";
import type { RateLimit } from "./rate-limit.js";
import type { Values } from "./rules.js";

export interface Services {
  readonly db: Database;
  /** Unix seconds. */
  readonly clock: () => number;
  readonly pageSize: number;
  readonly publicUrl: string | undefined;
  readonly corsOrigins: string;
  /** Undefined when there is no limit. */
  readonly rateLimit: RateLimit | undefined;
  /** Memory for answers that may be sent again, in bytes. */
  readonly pageCacheBytes: number;
}

/** What every request needs, made once. */
interface Desk extends Services {
  readonly authenticate: Authenticate;
  readonly answers: PageCache;
  /** Headers of every answer, names and values in turn. */
  readonly headers: readonly string[];
}

/** What a path leads to. */
interface Route {
  readonly id: OperationId;
  readonly op: Operation;
  readonly handler: ErasedHandler;
}

/** A request on its way to its answer. */
interface Exchange {
  readonly route: Route;
  readonly req: Request;
  readonly res: Response;
  /** Unix seconds. */
  readonly now: number;
  /** Scheme and host, as the caller sees them. */
  readonly base: string;
  /** Headers of its answer, names and values in turn. */
  readonly headers: string[];
}

/**
 * Answers every operation of the spec. One look into a table instead of a route for each, and it comes before all else: each
 * step of Express that a request passes costs some microseconds.
 */
export function answerOperations(handlers: Handlers, services: Services): RequestHandler {
  const routes = routesOf(handlers);
  const { publicUrl, corsOrigins, db, clock } = services;
  const fixed = headersSetBy(securityHeaders(publicUrl));
  const open = corsOrigins === "*" ? headersSetBy(originHeaders(corsOrigins)) : {};
  const allowOrigin = crossOrigin(corsOrigins);
  const desk: Desk = {
    ...services,
    authenticate: createAuthenticator(db),
    answers: createPageCache(services.pageCacheBytes),
    headers: inTurn({ ...fixed, ...open }),
  };
  return function answerOperation(req, res, next) {
    const route = routes.get(pathOf(req));
    if (route === undefined) {
      next();
      return;
    }
    const record = recordOf(res);
    record.operation = route.id;
    const headers = [...desk.headers, "X-Request-Id", record.requestId];
    const fail = (error: unknown): void => {
      if (!res.headersSent) setAll(res, headers);
      next(error);
    };
    try {
      requireHost(req);
      if (isPreflight(req)) setAll(res, headers);
      if (corsOrigins !== "*" || isPreflight(req)) allowOrigin(req, res, () => undefined);
      if (res.writableEnded) return; // a preflight is over
      const exchange = { route, req, res, headers, now: clock(), base: baseUrlOf(req, publicUrl) };
      answer(exchange, desk)?.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

function routesOf(handlers: Handlers): ReadonlyMap<string, Route> {
  return new Map(
    operationIds.map((id) => {
      // The only cast of the server: the type Handlers proves each pair of operation and handler, a loop over them cannot.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const handler = handlers[id] as unknown as ErasedHandler;
      return [operations[id].path.replace(/\/$/, ""), { id, op: operations[id], handler }];
    }),
  );
}

/** The path without the slash at its end. The target may be a whole address (RFC 9112 3.2.2). */
function pathOf(req: Request): string {
  const { url } = req;
  if (!url.startsWith("/")) return req.path.replace(/\/$/, "");
  const mark = url.indexOf("?");
  const end = mark === -1 ? url.length : mark;
  return url.slice(0, url.charAt(end - 1) === "/" ? end - 1 : end);
}

/** The order of checks is that of rulings R2.3. An answer that is kept and still true needs none of them: it passed them. */
function answer(exchange: Exchange, desk: Desk): void | Promise<void> {
  const { req, res, headers, now } = exchange;
  const { op } = exchange.route;
  if (isWrite(op) || op.auth !== "token" || !isRead(req)) return respond(exchange, desk, undefined);
  const { answers, rateLimit } = desk;
  const key = answers.keyOf(exchange.base, req.url, req.headers.authorization);
  const kept = answers.find(key);
  const lives = kept !== undefined && (kept.principal.expiresAt ?? Infinity) > now;
  if (!lives || rateLimit !== undefined || !isSame(kept.stamp, desk.db.commitStamp()))
    return respond(exchange, desk, { key, kept });
  identify(res, kept.principal);
  return sendReadyJson(res, kept.parts, headers);
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

/** An answer that is kept or will be, under its key. */
interface Place {
  readonly key: string;
  readonly kept: KeptAnswer | undefined;
}

async function respond(exchange: Exchange, desk: Desk, place: Place | undefined): Promise<void> {
  const { req, res, now, headers } = exchange;
  const { op, handler } = exchange.route;
  const { db, answers } = desk;
  // Before anything is read: what is committed from now on counts as news.
  const stamp = place === undefined ? undefined : db.commitStamp();
  checkMethod(op, req);
  if (isPrefetch(op, req.headers)) throw new ApiError("prefetch_refused");
  if (req.method === "POST") await readBody(req, res);
  const query = parseForm(queryString(req));
  if (query === undefined) throw new ApiError("encoding_invalid");
  const body = req.method === "POST" ? bodyPairs(req) : [];
  const pairs = [...query, ...body];
  checkCharacters(pairs, op);
  const principal =
    op.auth === "token" ? await admit(exchange, desk, readToken(req, query, body)) : undefined;
  const known = place?.kept;
  if (known !== undefined && (isSame(known.stamp, stamp) || (await known.isCurrent?.()) === true)) {
    if (place !== undefined && principal !== undefined)
      answers.keep(place.key, { ...known, principal, stamp });
    sendReadyJson(res, known.parts, headers);
    return;
  }
  const params = readParams(op, pairs);
  let kept: { readonly isCurrent: IsCurrent | undefined } | undefined;
  const payload = await handler(params, {
    db,
    now,
    accountId: principal?.accountId,
    page: page(params, exchange, desk.pageSize, query),
    keep: (isCurrent) => {
      kept = { isCurrent };
    },
    error: (code, failures) => new ApiError(code, failures),
  });
  if (hasIntegerCode(op)) {
    sendLasting(req, res, payload, headers);
    return;
  }
  const parts = printJson({ meta: { code: "200" }, ...payload });
  sendReadyJson(res, parts, headers);
  if (place !== undefined && principal !== undefined && kept !== undefined)
    answers.keep(place.key, { parts, principal, stamp, ...kept });
}

/** Whether nothing at all was committed in between. */
function isSame(earlier: string | undefined, later: string | undefined): boolean {
  return earlier !== undefined && earlier === later;
}

function checkMethod(op: Operation, req: Request): void {
  // HEAD answers reads only: Express would run a writing GET handler for it (rulings R1.2).
  const allowed = isWrite(op) ? ["GET", "POST"] : ["GET", "HEAD"];
  if (!allowed.includes(req.method))
    throw new ApiError("method_not_allowed", [], { Allow: allowed.join(", ") });
}

async function admit({ route, res, now, headers }: Exchange, desk: Desk, token: string): Promise<Principal> {
  const principal = await desk.authenticate(token, now);
  identify(res, principal);
  if (desk.rateLimit !== undefined) headers.push(...inTurn(await desk.rateLimit(principal.tokenId)));
  if (isWrite(route.op) && principal.scope !== "write") throw new ApiError("scope_insufficient");
  return principal;
}

/** Tells the log who asks. */
function identify(res: Response, { accountId, tokenId }: Principal): void {
  const record = recordOf(res);
  record.accountId = accountId;
  record.tokenId = tokenId;
}

function queryString(req: Request): string {
  const mark = req.url.indexOf("?");
  return mark === -1 ? "" : req.url.slice(mark + 1);
}

/** Where the list stands: neighbours repeat this request's query with another page (service.md 2.2, rulings R3.2). */
function page(params: Values, { req, base }: Exchange, size: number, query: readonly Pair[]) {
  const others = query.filter(([name]) => name !== "page");
  return {
    number: Number(params.page ?? 1),
    size,
    url: (number: number) => `${base}${req.path}?${printForm([...others, ["page", String(number)]])}`,
  };
}
