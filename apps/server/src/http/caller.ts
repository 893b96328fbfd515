import { isWrite } from "@kalends/spec";
import type { Principal } from "../accounts/principal.js";
import { recordOf } from "./access-log.js";
import { tokenOf, tokenOfHead } from "./auth.js";
import type { Call } from "./call.js";
import { ApiError } from "./errors.js";
import { rawHeaders } from "./guards.js";
import type { Pair } from "./query-string.js";

// Who calls: the token or the cookie in the head of a request is looked up before its body is read.

/** Finds out whom the head of a request stands for. @throws ApiError where a token or a session is missing, unknown or used too often */
export async function admitHead(call: Call, query: readonly Pair[]): Promise<void> {
  const { route, req, session } = call;
  const { auth } = route.op;
  if (session !== undefined) {
    if (auth !== "link") call.principal = await admitSession(call); // which opens one
  } else if (auth === "token") {
    call.token = tokenOfHead(req, query);
    if (call.token !== undefined) call.principal = await admitToken(call, call.token);
    else if (req.method !== "POST") throw new ApiError("token_missing");
  }
}

/** The same once the body is there, which may have the token, and may take 30 s: who may no longer write by then is known. @throws ApiError */
export async function admitBody(call: Call, body: readonly Pair[]): Promise<void> {
  const { route, services, session } = call;
  if (session === undefined && route.op.auth === "token") {
    const token = tokenOf(call.token, body);
    if (call.principal === undefined) call.principal = await admitToken(call, token);
    else if (services.clock() !== call.now)
      call.principal = await services.authenticate(token, services.clock());
  } else if (call.principal !== undefined && services.clock() !== call.now)
    call.principal = await findSession(call, services.clock());
}

async function findSession({ services, session }: Call, now: number) {
  const secret = session?.secret;
  const found = secret === undefined ? undefined : await services.findSession(secret, now);
  if (found?.session === undefined) throw new ApiError("session_missing");
  return { ...found, session: found.session };
}

async function admitSession(call: Call): Promise<Principal> {
  const principal = await findSession(call, call.now);
  const record = recordOf(call.res);
  record.accountId = principal.accountId;
  record.sessionId = principal.session.id;
  await count(call, principal.session.tokenId ?? `session ${principal.session.id}`);
  return principal;
}

async function admitToken(call: Call, token: string): Promise<Principal> {
  const record = recordOf(call.res);
  const principal = await call.services.authenticate(token, call.now);
  record.accountId = principal.accountId;
  record.tokenId = principal.tokenId;
  await count(call, principal.tokenId);
  if (isWrite(call.route.op) && principal.scope !== "write") throw new ApiError("scope_insufficient");
  return principal;
}

async function count({ services: { rateLimit }, headers }: Call, key: number | string): Promise<void> {
  if (rateLimit !== undefined) headers.push(...rawHeaders(await rateLimit(key)));
}
