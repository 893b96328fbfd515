import { allOperationIds, allOperations, type AnyOperationId, isWrite, type Operation } from "@kalends/spec";
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { authorOf, type Principal } from "../accounts/principal.js";
import type { Uses } from "../accounts/uses.js";
import { boundedDatabase, withBudget } from "../db/budgeted-database.js";
import type { Database } from "../db/database.js";
import { sendPrinted } from "./answer.js";
import {
  admitHead,
  type Admission,
  needsToken,
  readRest,
  type RequestContext,
  type Route,
  withoutBody,
} from "./admission.js";
import { createAuthenticator, tokenOfHead } from "./auth.js";
import { baseUrlOf } from "./base-url.js";
import { consolePathOf, type Restrict, requireOwnPage, sessionOf } from "./cookies.js";
import { type Cache, type CacheCounts, counting, createCache, getNoting } from "./cache.js";
import { ApiError, methodNotAllowed } from "./errors.js";
import {
  crossOrigin,
  headersSetBy,
  isPreflight,
  originHeaders,
  rawHeaders,
  requireHost,
  securityHeaders,
  setAll,
} from "./guards.js";
import { FileAnswer, sendFile } from "./file-answer.js";
import type { FileText } from "./file-text.js";
import type { ErasedHandler, Handlers, Restricted, WriteDatabase } from "./handler.js";
import { PrintedBody } from "./json.js";
import { createPrint, keptPayload } from "./print.js";
import { budgetOf, budgets, sentFileBytes } from "./limits.js";
import { databaseFor, recordOf } from "./access-log.js";
import { createReadQuery, isPrefetch, type ReadQuery } from "./params.js";
import { type Pair, printForm } from "./query-string.js";
import { pathOf, pathsOf, queryString, withoutSlash } from "./paths.js";
import { idempotencyKeyOf, ownKey, preconditionOf } from "./preconditions.js";
import { createRateLimit, type RateLimit } from "./rate-limit.js";
import { type MakeRepeatable, Replay } from "./repeatable.js";
import type { Values } from "./parameter-checks.js";
import { countAnswer } from "./slots.js";

export interface Services extends Omit<Admission, "authenticate"> {
  readonly db: Database;
  readonly pageSize: number;
  readonly publicUrl: string | undefined;
  readonly tokenUses: Pick<Uses, "record">;
  readonly restrict: Restrict;
  /** Whether people may sign in over plain http. */
  readonly isInsecure: boolean;
  /** The name of the identity provider; undefined without one. */
  readonly provider: string | undefined;
  readonly repeatable: MakeRepeatable;
  readonly corsOrigins: string;
  readonly log: Pick<Logger, "debug" | "warn">;
  /** Receives the operation of each write that has held SQLite's only writer for longer than it may. */
  readonly overran?: ((operation: AnyOperationId) => void) | undefined;
  /** Memory for cached lists, in bytes. */
  readonly cacheBytes: number;
  /** Of the cached lists, for the metrics. */
  readonly cacheCounts?: CacheCounts | undefined;
}

/** What every request needs, made once. */
interface Shared extends Services, Admission {
  readonly cache: Cache<PrintedBody>;
  readonly readQuery: ReadQuery;
  /** Of wrong secrets, by address. */
  readonly guesses: RateLimit;
  /** The database of an operation that changes nothing: a transaction of it writes no row. */
  readonly reads: Database;
}

/**
 * Answers every operation of the spec and of its extensions. One look-up in a table instead of a route for each, and it comes before all else: each
 * step of Express that a request passes costs some microseconds.
 */
export function answerOperations(handlers: Handlers, services: Services): RequestHandler {
  const routes = routesOf(handlers);
  const { publicUrl, corsOrigins, clock } = services;
  const open = corsOrigins === "*" ? headersSetBy(originHeaders(corsOrigins)) : {};
  const security = headersSetBy(securityHeaders(publicUrl));
  const always = rawHeaders({ ...security, ...open });
  const ofConsole = rawHeaders(security); // no CORS (extensions X9.3)
  const allowOrigin = crossOrigin(corsOrigins);
  const shared = sharedOf(services);
  return function answerOperation(req, res, next) {
    const route = routes.get(pathOf(req));
    if (route === undefined) {
      next();
      return;
    }
    const record = recordOf(res);
    record.operation = route.id;
    const { isInConsole = false } = route;
    const headers = [...(isInConsole ? ofConsole : always), "X-Request-Id", record.requestId];
    const fail = (error: unknown): void => {
      if (!res.headersSent) setAll(res, headers);
      next(error);
    };
    try {
      requireHost(req);
      const isAsked = isPreflight(req) && !isInConsole;
      if (isAsked) setAll(res, headers);
      if ((corsOrigins !== "*" && !isInConsole) || isAsked) allowOrigin(req, res, () => undefined);
      if (res.writableEnded) return; // a preflight is over
      const base = baseUrlOf(req, publicUrl);
      const session = isInConsole ? sessionOf(req, base, shared) : undefined;
      const context = { route, req, res, headers, now: clock(), base, session };
      answer(context, shared).catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

/** Wrong secrets from one address: a secret of 256 bits cannot be guessed, but each guess is work. */
const guessesPerMinute = 30;

function sharedOf(services: Services): Shared {
  const lists = createCache<PrintedBody>(services.cacheBytes, ({ length }) => length);
  return {
    ...services,
    authenticate: createAuthenticator(services.db, services.tokenUses),
    cache: counting(lists, services.cacheCounts),
    readQuery: createReadQuery(),
    guesses: createRateLimit(guessesPerMinute),
    reads: boundedDatabase(services.db, { budget: budgets.read }),
  };
}

function routesOf(handlers: Handlers): ReadonlyMap<string, Route> {
  return new Map(
    allOperationIds.flatMap((id) => {
      const route = routeOf(handlers, id);
      const inConsole = consolePathOf(route.op);
      return [
        ...pathsOf(route.op).map((path) => [path, route] as const),
        ...(inConsole === undefined
          ? []
          : [[withoutSlash(inConsole), { ...route, isInConsole: true }] as const]),
      ];
    }),
  );
}

export function routeOf(handlers: Handlers, id: AnyOperationId): Route {
  // The only cast of the server: the type Handlers proves each pair of operation and handler, an id alone cannot.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const handler = handlers[id] as unknown as ErasedHandler;
  const op = allOperations[id];
  return { id, op, methods: methodsOf(op), handler, budget: budgetOf(id) };
}

/** HEAD answers reads only: Express would run a writing GET handler for it (rulings R1.2). */
function methodsOf(op: Operation): readonly string[] {
  return isWrite(op) ? op.methods.map((method) => method.toUpperCase()) : ["GET", "HEAD"];
}

/** The order of checks is that of rulings R2.3. */
async function answer(context: RequestContext, shared: Shared): Promise<void> {
  const { route, req, res, headers, session } = context;
  const { op, methods } = route;
  if (!methods.includes(req.method)) throw methodNotAllowed(req.method, methods);
  if (isPrefetch(op, req.headers)) throw new ApiError("prefetch_refused");
  if (session !== undefined) requireOwnPage(req, op, context.base);
  const query = shared.readQuery(op, queryString(req));
  // A token in the head is checked before the body is read: no caller without a token costs us the parsing of a body.
  const inHead = needsToken(context) ? tokenOfHead(req, query.pairs) : undefined;
  const head = { query, inHead, admitted: await admitHead(context, shared, inHead) };
  const { sent, principal, encoding, inPlace } =
    req.method === "POST" ? await readRest(context, shared, head) : withoutBody(context, head);
  reportIgnored(context, shared, sent.ignored);
  const accountId = principal?.accountId;
  const grantsKey = principal?.session?.grantsKey ?? "";
  const address = accountId === undefined ? route.id : `${accountId} ${grantsKey} ${context.base}${req.url}`;
  const { params } = sent;
  const accepted = { params, query: query.pairs, encoding, principal, accountId, address };
  const work =
    principal?.session === undefined // a token may do all
      ? () => handle(context, shared, accepted)
      : async () => handle(context, shared, await restricted(context, shared, accepted));
  const printed = await (inPlace === undefined ? work() : inPlace(work));
  const isFile = printed instanceof FileAnswer;
  countAnswer(res, accountId ?? 0, isFile ? sentFileBytes : printed.length);
  headers.push(...(session?.headers ?? []));
  if (isFile) await sendFile(req, res, printed, headers);
  else sendPrinted(req, res, printed, headers);
}

interface Accepted {
  readonly params: Values;
  readonly calendars?: Restricted["calendars"];
  readonly query: readonly Pair[];
  /** Of the file that the body was. */
  readonly encoding: FileText["encoding"] | undefined;
  /** Undefined where the operation needs no token, as the account is. */
  readonly principal: Principal | undefined;
  readonly accountId: number | undefined;
  /** The account and the whole address; the operation alone where it needs no token. */
  readonly address: string;
}

/** Restricts an operation to what the person of a session has grants for. */
async function restricted(
  { route, res }: RequestContext,
  { restrict, reads }: Shared,
  accepted: Accepted,
): Promise<Accepted> {
  const { principal, params } = accepted;
  if (principal?.session === undefined) return accepted;
  const { accountId, session } = principal;
  const of = { accountId, grants: session.grants };
  return { ...accepted, ...(await restrict(databaseFor(res, reads), of, route.op, params)) };
}

/** Runs the handler of an operation and prints its payload, unless that was printed before. */
async function handle(
  context: RequestContext,
  shared: Shared,
  { params, query, encoding, principal, accountId, address, calendars }: Accepted,
): Promise<PrintedBody | FileAnswer> {
  const { route, req, res, headers, now, base, session } = context;
  const { op, handler } = route;
  const record = recordOf(res);
  const print = createPrint(route);
  const db = databaseFor(res, isWrite(op) ? shared.db : shared.reads);
  const key = ownKey(idempotencyKeyOf(op, req), principal, route.id);
  const write = { key, accountId, operation: route.id, params, ifMatch: req.headers["if-match"], now };
  const printText = (payload: object) => Buffer.concat(print(keptPayload(op, payload)).parts).toString();
  const answered = await handler(params, {
    db: isWrite(op)
      ? shared.repeatable(budgeted(db, context, shared, { principal, print }), write, printText)
      : db,
    now,
    base,
    requireMatch: preconditionOf(op, req),
    isKept: key !== undefined,
    encoding,
    accountId,
    principal,
    session,
    calendars,
    page: page(params, context, shared.pageSize, query),
    cached: async (version, make) => {
      if (version === undefined) return make();
      return getNoting(shared.cache, record, address, version, async () => print(await make()));
    },
    wrote: (ids) => void Object.assign(record, ids),
    error: (code, failures) => new ApiError(code, failures),
  }).catch((error: unknown) => {
    if (!(error instanceof Replay)) throw error;
    headers.push("Idempotency-Replayed", "true");
    return new PrintedBody([Buffer.from(error.body)]);
  });
  return answered instanceof PrintedBody || answered instanceof FileAnswer ? answered : print(answered);
}

/** The database of a write, whose transactions keep to the budget of the operation. */
function budgeted(
  db: Database,
  { route: { id, budget }, res }: RequestContext,
  { log, overran }: Shared,
  { principal, print }: { principal: Principal | undefined; print: (payload: object) => PrintedBody },
): WriteDatabase<object> {
  const { requestId, accountId } = recordOf(res);
  return withBudget<object>(db, {
    owner: accountId,
    budget,
    by: principal && authorOf(principal, id),
    check: print,
    overran: (ms) => {
      overran?.(id);
      log.warn({ request_id: requestId, operation: id, ms: Math.round(ms) }, "write held the database");
    },
  });
}

/** Names are not values: a misspelled one is shown to the caller and, at level debug, in the log (rulings R1.11). */
function reportIgnored({ res, headers }: RequestContext, { log }: Shared, ignored: string | undefined): void {
  if (ignored === undefined) return;
  headers.push("Kalends-Ignored-Parameters", ignored);
  log.debug({ request_id: recordOf(res).requestId, ignored }, "parameters ignored");
}

/** Where the list stands: neighbours repeat this request's query with another page (contract 2.2, rulings R3.2). */
function page(params: Values, { req, base }: RequestContext, size: number, query: readonly Pair[]) {
  const others = query.filter(([name]) => name !== "page");
  return {
    number: Number(params.page ?? 1),
    size,
    url: (number: number) => `${base}${req.path}?${printForm([...others, ["page", String(number)]])}`,
  };
}
