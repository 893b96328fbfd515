import { hasIntegerCode, isWrite, type Operation, operationIds, operations } from "@kalends/spec";
import express, { type Express, type Request, type Response } from "express";
import type { Principal } from "../accounts/queries.js";
import type { Database } from "../db/connect.js";
import { cacheable, type Cacheable, sendCacheable, sendJson } from "./answer.js";
import { authenticate, readToken } from "./auth.js";
import { baseUrlOf } from "./base-url.js";
import { bodyPairs, maxBodyBytes } from "./body.js";
import { ApiError } from "./errors.js";
import type { ErasedHandler, Handlers } from "./handler.js";
import { recordOf } from "./log.js";
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
  readonly rateLimit: RateLimit;
}

/** Hangs a route for every operation of the spec. The order of checks is that of rulings R2.3. */
export function mountOperations(app: Express, handlers: Handlers, services: Services): void {
  const readBody = express.raw({ type: () => true, limit: maxBodyBytes, inflate: false });
  for (const id of operationIds) {
    const op: Operation = operations[id];
    const route = app.route(op.path);
    route.all((req, res, next) => {
      recordOf(res).operation = id;
      checkMethod(op, req);
      if (isPrefetch(op, req.headers)) throw new ApiError("prefetch_refused");
      // The body reader would first wait for all of it.
      if (req.method === "POST" && Number(req.headers["content-length"]) > maxBodyBytes)
        throw new ApiError("body_too_large");
      next();
    });
    if (isWrite(op)) route.post(readBody);
    // The only cast of the server: the type Handlers proves each pair of operation and handler, a loop over them cannot.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const handler = handlers[id] as unknown as ErasedHandler;
    route.all((req, res) => respond(op, handler, services, req, res));
  }
}

function checkMethod(op: Operation, req: Request): void {
  // HEAD answers reads only: Express would run a writing GET handler for it (rulings R1.2).
  const allowed = isWrite(op) ? ["GET", "POST"] : ["GET", "HEAD"];
  if (!allowed.includes(req.method))
    throw new ApiError("method_not_allowed", [], { Allow: allowed.join(", ") });
}

async function respond(
  op: Operation,
  handler: ErasedHandler,
  services: Services,
  req: Request,
  res: Response,
): Promise<void> {
  const query = parseForm(queryString(req));
  if (query === undefined) throw new ApiError("encoding_invalid");
  const body = req.method === "POST" ? bodyPairs(req) : [];
  const pairs = [...query, ...body];
  checkCharacters(pairs, op);
  const now = services.clock();
  const principal =
    op.auth === "token" ? await admit(op, services, readToken(req, query, body), now, res) : undefined;
  const params = readParams(op, pairs);
  const payload = await handler(params, {
    db: services.db,
    now,
    accountId: principal?.accountId,
    page: page(params, services, req, query),
    error: (code, failures) => new ApiError(code, failures),
  });
  if (hasIntegerCode(op)) sendCacheable(req, res, cached(payload));
  else sendJson(res, 200, { meta: { code: "200" }, ...payload });
}

async function admit(
  op: Operation,
  { db, rateLimit }: Services,
  token: string,
  now: number,
  res: Response,
): Promise<Principal> {
  const principal = await authenticate(db.read, token, now);
  const record = recordOf(res);
  record.accountId = principal.accountId;
  record.tokenId = principal.tokenId;
  for (const [name, value] of Object.entries(await rateLimit(principal.tokenId))) res.setHeader(name, value);
  if (isWrite(op) && principal.scope !== "write") throw new ApiError("scope_insufficient");
  return principal;
}

function queryString(req: Request): string {
  const mark = req.url.indexOf("?");
  return mark === -1 ? "" : req.url.slice(mark + 1);
}

/** Where the list stands: neighbours repeat this request's query with another page (service.md 2.2, rulings R3.2). */
function page(params: Values, { pageSize, publicUrl }: Services, req: Request, query: readonly Pair[]) {
  const others = query.filter(([name]) => name !== "page");
  const base = baseUrlOf(req, publicUrl);
  return {
    number: Number(params.page ?? 1),
    size: pageSize,
    url: (number: number) => `${base}${req.path}?${printForm([...others, ["page", String(number)]])}`,
  };
}

const bodies = new WeakMap<object, Cacheable>();

/** The time zone list is one object for an hour; its bytes and ETag are made once for it. */
function cached(payload: object): Cacheable {
  const known = bodies.get(payload);
  if (known !== undefined) return known;
  // An integer here, a string everywhere else (service.md 2.1).
  const made = cacheable(
    "application/json",
    Buffer.from(JSON.stringify({ meta: { code: 200 }, ...payload })),
  );
  bodies.set(payload, made);
  return made;
}
