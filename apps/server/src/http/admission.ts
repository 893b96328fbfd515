import { type AnyOperationId, isWrite, type Operation } from "@kalends/spec";
import type { Request, Response } from "express";
import type { Principal, TokenPrincipal } from "../accounts/principal.js";
import { recordOf } from "./access-log.js";
import { type Authenticate, tokenOf } from "./auth.js";
import { readBody } from "./body.js";
import type { FindSession, sessionOf } from "./cookies.js";
import { ApiError } from "./errors.js";
import type { FileText } from "./file-text.js";
import { rawHeaders } from "./guards.js";
import type { ErasedHandler } from "./handler.js";
import type { Budget } from "./limits.js";
import { checkCharacters, Sent } from "./params.js";
import { maxPairs, type Pair } from "./query-string.js";
import type { RateLimit } from "./rate-limit.js";
import { arriving, type InPlace, takeUploadPlace } from "./slots.js";

/** What a path leads to. */
export interface Route {
  readonly id: AnyOperationId;
  readonly op: Operation;
  /** Methods that it answers, in capitals. */
  readonly methods: readonly string[];
  readonly handler: ErasedHandler;
  readonly budget: Budget;
  /** Whether it takes a session instead of a token. */
  readonly isInConsole?: true;
}

/** A request for an operation, and what its response needs. */
export interface RequestContext {
  readonly route: Route;
  readonly req: Request;
  readonly res: Response;
  /** Unix seconds. */
  readonly now: number;
  /** Scheme and host, as the caller sees them. */
  readonly base: string;
  /** Raw headers of the response. */
  readonly headers: string[];
  /** Below /console/api/. */
  readonly session: ReturnType<typeof sessionOf> | undefined;
}

/** What finds out who sends a request. */
export interface Admission {
  /** Unix seconds. */
  readonly clock: () => number;
  readonly authenticate: Authenticate;
  readonly findSession: FindSession;
  /** Undefined when there is no limit. */
  readonly rateLimit: RateLimit | undefined;
}

/** What the head of a request says. */
export interface Head {
  readonly query: Sent;
  /** The token there. */
  readonly inHead: string | undefined;
  /** Whom the token, or a cookie, stands for. */
  readonly admitted: Principal | undefined;
}

/** What a whole request says, and who sends it. */
export interface Whole {
  readonly sent: Sent;
  /** Undefined where the operation needs no token. */
  readonly principal: Principal | undefined;
  /** Of the file that the body was. */
  readonly encoding?: FileText["encoding"] | undefined;
  /** The place of an upload. */
  readonly inPlace?: InPlace | undefined;
}

/** What is said by a request that has no body. @throws ApiError where a token is missing */
export function withoutBody(context: RequestContext, { query, inHead, admitted }: Head): Whole {
  if (needsToken(context)) tokenOf(inHead, []);
  return { sent: query, principal: admitted };
}

/** Reads the body, which may hold parameters and the token. @throws ApiError */
export async function readRest(
  context: RequestContext,
  shared: Admission,
  { query, inHead, admitted }: Head,
): Promise<Whole> {
  const { req, res } = context;
  const { op } = context.route;
  const place = await takeUploadPlace(op, res, admitted?.accountId); // before the body is read
  const reading = readBody(req, admitted !== undefined, op);
  const { pairs, encoding } = await arriving(op, admitted?.accountId, reading);
  checkCharacters(pairs, op);
  const token = needsToken(context) ? tokenOf(inHead, pairs) : undefined;
  const principal = await admitWhole(context, shared, { admitted, token });
  const inPlace = place ?? (await takeUploadPlace(op, res, principal?.accountId));
  return { sent: withBody(query, pairs), principal, encoding, inPlace };
}

/** The parameters of the query and of the body. Of a link only those of the body: addresses are logged, and a link is a secret. */
function withBody({ op, pairs }: Sent, body: readonly Pair[]): Sent {
  if (op.auth === "link") return new Sent(op, body);
  if (pairs.length + body.length > maxPairs) throw new ApiError("too_many_parameters");
  return new Sent(op, [...pairs, ...body]);
}

/** Whether a token must be sent: not to an operation for all, nor where a session takes its place. */
export function needsToken({ route, session }: RequestContext): boolean {
  return route.op.auth === "token" && session === undefined;
}

/** Returns whom the token or the cookie in the head of a request stands for; undefined when it has none, or opens a session. */
export function admitHead(
  context: RequestContext,
  shared: Admission,
  token: string | undefined,
): Promise<Principal> | undefined {
  if (token !== undefined) return admit(context, shared, token);
  return context.session === undefined || context.route.op.auth === "link"
    ? undefined
    : admitSession(context, shared);
}

/** The same once the body is there, which may take 30 s: who may no longer write, or has another role, by then is known. @throws ApiError */
async function admitWhole(
  context: RequestContext,
  shared: Admission,
  { admitted, token }: { readonly admitted: Principal | undefined; readonly token: string | undefined },
): Promise<Principal | undefined> {
  const now = shared.clock();
  if (admitted === undefined) return token === undefined ? undefined : admit(context, shared, token);
  if (now === context.now) return admitted;
  if (token !== undefined) return shared.authenticate(token, now);
  const found = await shared.findSession(context.session?.secret ?? "", now);
  if (found === undefined) throw new ApiError("session_missing");
  return found;
}

async function admitSession(
  { res, now, headers, session }: RequestContext,
  { findSession, rateLimit }: Admission,
): Promise<Principal> {
  const record = recordOf(res);
  const principal =
    session?.secret === undefined ? undefined : await findSession(session.secret, now, record.trace);
  if (principal?.session === undefined) throw new ApiError("session_missing");
  record.accountId = principal.accountId;
  record.sessionId = principal.session.id;
  if (rateLimit !== undefined)
    headers.push(...rawHeaders(await rateLimit(`session ${principal.session.id}`)));
  return principal;
}

async function admit(
  { route, res, now, headers }: RequestContext,
  { authenticate, rateLimit }: Admission,
  token: string,
): Promise<TokenPrincipal> {
  const record = recordOf(res);
  const principal = await authenticate(token, now, record.trace);
  record.accountId = principal.accountId;
  record.tokenId = principal.tokenId;
  if (rateLimit !== undefined) headers.push(...rawHeaders(await rateLimit(principal.tokenId)));
  if (isWrite(route.op) && principal.scope !== "write") throw new ApiError("scope_insufficient");
  return principal;
}
