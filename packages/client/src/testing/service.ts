import { accountOf } from "./access.js";
import { Refusal } from "./errors.js";
import type { Answered, Exchange, Service } from "./exchange.js";
import type { Faulty } from "./faults.js";
import { answerOnce } from "./idempotency.js";
import { documentAnswer, documentPath } from "./extension-document.js";
import { methodsOf, type Operation, operationAt } from "./operations.js";
import { readParams } from "./params.js";
import type { Received } from "./received.js";
import { checkCharacters, checkTotal, ignoredNames, type Pair, readBody, readQuery } from "./request.js";
import { refusalAnswer } from "./respond.js";
import { announced } from "./webhook-messages.js";

/** A head has at most 64 KiB; a Request knows only its address (rulings R1.6). */
const maxTargetLength = 65_536;

/** Answers a request. Order of the checks: path, method, encoding, token, parameters, ownership (rulings R2.3). */
export async function answer(service: Service, received: Received): Promise<Answered> {
  const { faulty } = service;
  const { path, query } = split(received.target);
  const exchange = exchangeOf(service, received);
  const { operation } = exchange;
  try {
    if (received.target.length > maxTargetLength) throw new Refusal("head_too_large");
    if (path === documentPath) return documentAnswer(exchange);
    if (operation === undefined) throw new Refusal("path_unknown");
    if (faulty("K47") && !path.endsWith("/") && operation.path.endsWith("/"))
      return { status: 301, headers: { Location: received.target.replace(path, `${path}/`) }, body: "" };
    if (isPreflight(received)) return preflightAnswer(exchange, methodsOf(operation, faulty));
    checkMethod(operation, exchange);
    const known = [...operation.mandatory, ...operation.optional];
    const inQuery = readQuery(query, faulty);
    checkCharacters(known, inQuery, operation);
    const isPublic = operation.kind === "public" && !faulty("K24");
    const account = (inBody: readonly Pair[]): string =>
      isPublic ? "" : accountOf(service, exchange, { operation, inQuery, inBody });
    // A token in the head is checked before the body is read.
    if (received.headers.has("authorization") || inQuery.some(([name]) => /^token(\[|$)/.test(name)))
      account([]);
    const inBody = received.method === "POST" ? await readBody(received, faulty, operation) : [];
    checkCharacters(known, inBody, operation);
    const sent = { operation, path, inQuery, inBody, account: account(inBody) };
    return carryOut(service, exchange, sent);
  } catch (error) {
    return refusalAnswer(exchange, error);
  }
}

/** A request with what is known of its answer from the start. */
export function exchangeOf({ faulty, now }: Service, received: Received): Exchange {
  const operation = operationAt(split(received.target).path);
  const date = new Date(now() * 1000).toUTCString();
  return { received, operation, faulty, headers: { "Access-Control-Allow-Origin": "*", Date: date } };
}

/** Path and query of a target, which may be a whole address (RFC 9112 3.2.2). */
export function split(target: string): { readonly path: string; readonly query: string } {
  const [path = "/", ...rest] = target.replace(/^https?:\/\/[^/?]*/i, "").split("?");
  return { path, query: rest.join("?") };
}

interface Sent {
  readonly operation: Operation;
  readonly path: string;
  readonly inQuery: readonly Pair[];
  readonly inBody: readonly Pair[];
  readonly account: string;
}

/** Checks what was sent, and answers what the operation returns. */
function carryOut(
  service: Service,
  exchange: Exchange,
  { operation, path, inQuery, inBody, account }: Sent,
): Answered {
  const { faulty } = service;
  const pairs = [...inQuery, ...inBody];
  checkTotal(pairs);
  const known = [...operation.mandatory, ...operation.optional];
  const isPublic = operation.kind === "public" && !faulty("K24");
  const ignored = ignoredNames([...known, ...tokenName(isPublic)], pairs);
  if (ignored !== "") exchange.headers["Kalends-Ignored-Parameters"] = ignored;
  const params = readParams(operation, pairs, faulty);
  const base = faulty("M12") ? path : `${exchange.received.base}${path}`;
  const pageUrl = (page: number) => urlOfPage(base, { pairs: inQuery, page, faulty });
  const { state, pageSize } = service;
  const ifMatch = exchange.received.headers.get("if-match") ?? undefined;
  const call = { state, pageSize, faulty, account, params, ifMatch, now: service.now(), pageUrl };
  return answerOnce(exchange, call, (inner) => announced(operation, inner));
}

/** The time zone list knows no token (service.md 4.12). */
function tokenName(isPublic: boolean): readonly string[] {
  return isPublic ? [] : ["token"];
}

interface PageOf {
  readonly pairs: readonly Pair[];
  readonly page: number;
  readonly faulty: Faulty;
}

/** The request's own query with another `page`, encoded (service.md 2.2, rulings R3.2). */
function urlOfPage(base: string, { pairs, page, faulty }: PageOf): string {
  const lost = faulty("M9") ? ["page", "calendar_id", "order_by"] : ["page"];
  const kept = pairs.filter(([name]) => !lost.includes(name));
  if (faulty("M10")) kept.push(["page", String(page - 1)]);
  const encode = faulty("K25") ? (text: string) => text : encodeURIComponent;
  const query = [...kept, ["page", String(page)] as const].map(
    ([name, value]) => `${encode(name)}=${encode(value)}`,
  );
  return `${base}?${query.join("&")}`;
}

function checkMethod(operation: Operation, { received, faulty, headers }: Exchange): void {
  const methods = methodsOf(operation, faulty);
  if (!methods.includes(received.method)) {
    headers["Allow"] = methods.join(", ");
    throw new Refusal("method_not_allowed");
  }
  const purposes = ["sec-purpose", "purpose", "x-purpose", "x-moz"].map((name) => received.headers.get(name));
  const isPrefetch = purposes.some((purpose) => /prefetch|preview/i.test(purpose ?? ""));
  if (operation.kind === "write" && isPrefetch) throw new Refusal("prefetch_refused");
}

/** Any origin may call, without credentials (rulings R1.9). */
function isPreflight({ method, headers }: Received): boolean {
  return method === "OPTIONS" && headers.has("origin") && headers.has("access-control-request-method");
}

function preflightAnswer({ headers }: Exchange, methods: readonly string[]): Answered {
  const allowed = {
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers":
      "Authorization, Content-Type, Idempotency-Key, If-Match, traceparent, tracestate",
  };
  return { status: 204, headers: { ...headers, ...allowed }, body: "" };
}
