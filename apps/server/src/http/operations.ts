import { isWrite } from "@kalends/spec";
import type { RequestHandler } from "express";
import { recordOf } from "./access-log.js";
import { createPrint, send } from "./answer.js";
import { baseUrlOf } from "./base-url.js";
import { getOrMake } from "./cache.js";
import type { Call, Services } from "./call.js";
import { admitBody, admitHead } from "./caller.js";
import { requireOwnPage, sessionOf } from "./cookies.js";
import { ApiError, methodNotAllowed } from "./errors.js";
import { FileAnswer, sendFile } from "./file-answer.js";
import * as guards from "./guards.js";
import type { ErasedHandler, Handlers, Restricted } from "./handler.js";
import { PrintedBody } from "./json.js";
import { isPrefetch, type Sent, withBody } from "./params.js";
import { pageLinks, readBody, reportIgnored } from "./input.js";
import { countUnsent, heavy, requireUnsentRoom } from "./quota.js";
import { pathOf, queryString } from "./paths.js";
import { routesOf } from "./routes.js";
import { Replay } from "./repeatable.js";
import { preconditionOf, writeDatabase } from "./write-database.js";

/** Answers every operation of the spec and of its extensions, by one look-up in a table, before all steps of Express. */
export function answerOperations(handlers: Handlers, services: Services): RequestHandler {
  const routes = routesOf(handlers);
  const { publicUrl, corsOrigins, clock } = services;
  const open = corsOrigins === "*" ? guards.headersSetBy(guards.originHeaders(corsOrigins)) : {};
  const security = guards.headersSetBy(guards.securityHeaders(publicUrl));
  const always = guards.rawHeaders({ ...security, ...open });
  const ofConsole = guards.rawHeaders(security); // no CORS (extensions X9.3)
  const allowOrigin = guards.crossOrigin(corsOrigins);
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
      if (!res.headersSent) guards.setAll(res, headers);
      next(error);
    };
    try {
      guards.requireHost(req);
      const isAsked = guards.isPreflight(req) && !isInConsole;
      if (isAsked) guards.setAll(res, headers);
      if ((corsOrigins !== "*" && !isInConsole) || isAsked) allowOrigin(req, res, () => undefined);
      if (res.writableEnded) return; // a preflight is over
      const base = baseUrlOf(req, publicUrl);
      const session = isInConsole ? sessionOf(req, base, services) : undefined;
      const caller = { token: undefined, principal: undefined };
      answer({ services, route, req, res, headers, now: clock(), base, session, ...caller }).catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

/** The order of checks is that of rulings R2.3. */
async function answer(call: Call): Promise<void> {
  const { services, route, req, res, headers, session } = call;
  const { op, methods } = route;
  if (!methods.includes(req.method)) throw methodNotAllowed(req.method, methods);
  if (isPrefetch(op, req.headers)) throw new ApiError("prefetch_refused");
  if (session !== undefined) requireOwnPage(req, op, call.base);
  const query = services.readQuery(op, queryString(req));
  await admitHead(call, query.pairs);
  const { sent, encoding } = req.method === "POST" ? await readWhole(call, query) : { sent: query };
  reportIgnored(call, sent);
  const { params } = sent;
  const work = () => handle(call, { params, encoding, page: pageLinks(call, query.pairs, params) });
  const owner = call.principal?.accountId;
  if (owner !== undefined && isWrite(op)) requireUnsentRoom(owner);
  const isHeavy = route.heavyPart === "all" && owner !== undefined;
  const printed = await (isHeavy ? heavy.run(owner, work) : work());
  countUnsent(res, owner ?? "none", { length: printed.length, isWritten: isWrite(op) });
  if (session !== undefined) headers.push(...session.headers);
  if (printed instanceof FileAnswer) await sendFile(call, printed, owner ?? "none");
  else send(req, res, printed, headers);
}

/** Reads the body, which may hold parameters and the token. */
async function readWhole(call: Call, query: Sent) {
  const { pairs, encoding } = await readBody(call);
  await admitBody(call, pairs);
  return { sent: withBody(query, pairs), encoding };
}

interface Input extends Pick<Parameters<ErasedHandler>[1], "encoding" | "page"> {
  readonly params: Restricted["params"];
}

/** Runs the handler of an operation and prints its payload, unless that was printed before. */
async function handle(call: Call, input: Input): Promise<PrintedBody | FileAnswer> {
  const { services, route, req, res, headers, session, principal } = call;
  const { op, handler } = route;
  const record = recordOf(res);
  const { db } = services;
  const grants = principal?.session?.grants;
  const accountId = principal?.accountId;
  const { params, calendars } =
    grants === undefined || accountId === undefined // a token may do all
      ? { params: input.params, calendars: undefined }
      : await services.restrict(db, { accountId, grants }, op, input.params);
  const print = createPrint(route);
  const write = isWrite(op) ? writeDatabase(call, db, { params, print }) : undefined;
  const answered = await handler(params, {
    db: write?.db ?? db,
    now: call.now,
    base: call.base,
    requireMatch: preconditionOf(op, req),
    isKept: write?.key !== undefined,
    encoding: input.encoding,
    accountId,
    principal,
    session,
    calendars,
    page: input.page,
    cached: cachedBy(call, print),
    wrote: (ids) => void Object.assign(record, ids),
    error: (code, failures) => new ApiError(code, failures),
  }).catch((error: unknown) => {
    if (!(error instanceof Replay)) throw error;
    headers.push("Idempotency-Replayed", "true");
    return new PrintedBody([Buffer.from(error.body)]);
  });
  return answered instanceof PrintedBody || answered instanceof FileAnswer ? answered : print(answered);
}

/** Returns what a handler makes its answer by, unless it is cached for this account and address at that version of the data. */
function cachedBy(
  { services, route, req, res, base, principal }: Call,
  print: (payload: object) => PrintedBody,
) {
  const accountId = principal?.accountId;
  const isHeavy = accountId !== undefined && route.heavyPart === "uncached";
  return async (version: string | number | undefined, make: () => Promise<object>): Promise<PrintedBody> => {
    const printed = async () => print(await make());
    const limited = isHeavy ? () => heavy.run(accountId, printed) : printed;
    if (version === undefined) return limited();
    const caller = `${accountId} ${principal?.session?.grantsKey ?? ""} ${base}${req.url}`;
    const key = `${accountId === undefined ? route.id : caller} ${version}`;
    return getOrMake(services.cache, key, limited, { record: recordOf(res), counts: services.cacheCounts });
  };
}
