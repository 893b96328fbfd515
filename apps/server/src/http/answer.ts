import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { hasIntegerCode, type Operation } from "@kalends/spec";
import fresh from "fresh";
import { recordOf } from "./access-log.js";
import { ApiError } from "./errors.js";
import { PrintedBody, printJson } from "./json.js";

/** Sends a JSON body. Without a charset parameter: JSON has none (RFC 8259 11). */
export function sendJson(res: ServerResponse, status: number, body: object, headers: Headers = {}): void {
  sendText(res, status, { type: "application/json", text: JSON.stringify(body) }, headers);
}

type Headers = Readonly<Record<string, string>>;

/** Sends a short text that no one caches. */
export function sendText(
  res: ServerResponse,
  status: number,
  { type, text }: { readonly type: string; readonly text: string },
  headers: Headers = {},
): void {
  const bytes = Buffer.from(text);
  recordOf(res).bytes = bytes.length;
  res.writeHead(status, {
    "Content-Type": type,
    "Content-Length": bytes.length,
    "Cache-Control": "no-store",
    ...headers,
  });
  endAnswer(res, bytes);
}

/** How long a sender may pause, and send altogether, once it is answered, in ms. */
const pauseLimitMs = 1_000;
const sendingLimitMs = 10_000;

/**
 * Ends an answer that may come before the request was read. As long as the sender goes on, what it sends is read and dropped:
 * closing a connection with bytes unread would take the answer from it (RFC 9112 9.6).
 */
function endAnswer(res: ServerResponse, bytes: Buffer | undefined): void {
  const { req } = res;
  const { "transfer-encoding": encoding, "content-length": length = 0 } = req.headers;
  if (req.complete || (encoding === undefined && Number(length) === 0)) {
    res.end(bytes);
    return;
  }
  res.write(bytes ?? "");
  const endsAt = performance.now() + sendingLimitMs;
  const end = (): void => {
    clearTimeout(timer);
    res.end();
  };
  const timer = setTimeout(end, pauseLimitMs);
  req.once("close", end).once("end", end);
  req.on("data", () => {
    if (performance.now() > endsAt) end();
    else timer.refresh();
  });
  req.resume();
}

export interface Content {
  /** Sent one after the other. */
  readonly parts: readonly Buffer[];
  readonly type: string;
  /** Of what others may cache. */
  readonly etag?: string | undefined;
}

/** Returns a strong ETag of a body (RFC 9110 8.8.3). */
export function etagOf(parts: readonly Buffer[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return `"${hash.digest("base64url").slice(0, 27)}"`;
}

export function cacheable(type: string, bytes: Buffer): Content & { readonly etag: string } {
  return { parts: [bytes], type, etag: etagOf([bytes]) };
}

/**
 * Sends a body with the headers that are set, and these raw headers. One with an ETag may be cached (rulings R2.5): who has it gets a
 * 304 (RFC 9110 13.1.2), also with no-cache, which asks for a validated response (RFC 9111 5.2.1.4).
 */
export function send(
  req: IncomingMessage,
  res: ServerResponse,
  { parts, type, etag }: Content,
  raw: readonly string[] = [],
): void {
  const headers = [...raw];
  if (!res.hasHeader("Cache-Control"))
    headers.push("Cache-Control", etag === undefined ? "no-store" : "public, max-age=300");
  if (etag !== undefined) headers.push("ETag", etag);
  const known = { "if-none-match": req.headers["if-none-match"] };
  if (etag !== undefined && res.statusCode === 200 && fresh(known, { etag })) {
    res.writeHead(304, headers).end();
    return;
  }
  let length = 0;
  for (const part of parts) length += part.length;
  recordOf(res).bytes = length;
  headers.push("Content-Type", type, "Content-Length", String(length));
  res.writeHead(res.statusCode, headers);
  for (const part of parts.slice(0, -1)) res.write(part);
  endAnswer(res, parts.at(-1));
}

/**
 * Returns what prints the payload of an answer, once: a write prints it in its transaction, which an answer that is too large
 * rolls back. @throws ApiError when it is
 */
export function createPrint({
  op,
  answerBytes,
}: {
  readonly op: Operation;
  readonly answerBytes: number;
}): (payload: object) => PrintedBody {
  let last: { readonly payload: object; readonly body: PrintedBody } | undefined;
  return (payload) => {
    if (last?.payload === payload) return last.body;
    const parts = printJson({ meta: { code: hasIntegerCode(op) ? 200 : "200" }, ...payload });
    const body = new PrintedBody(parts, op.auth === "none" ? etagOf(parts) : undefined);
    if (body.length > answerBytes) throw new ApiError("answer_too_large");
    last = { payload, body };
    return body;
  };
}
