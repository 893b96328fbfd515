import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { sizeOf } from "./json.js";
import { recordOf } from "./log.js";

/** Sends a JSON body. Without a charset parameter: JSON has none (RFC 8259 11). */
export function sendJson(
  res: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  res.writeHead(status, {
    "Content-Type": "application/json",
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
export function endAnswer(res: ServerResponse, bytes: Buffer): void {
  const { req } = res;
  const { "transfer-encoding": encoding, "content-length": length = 0 } = req.headers;
  if (req.complete || (encoding === undefined && Number(length) === 0)) {
    res.end(bytes);
    return;
  }
  res.write(bytes);
  const answered = performance.now();
  const end = (): void => {
    clearTimeout(timer);
    res.end();
  };
  const timer = setTimeout(end, pauseLimitMs);
  req.once("close", end).once("end", end);
  req.on("data", () => {
    if (performance.now() - answered > sendingLimitMs) end();
    else timer.refresh();
  });
  req.resume();
}

/** Sends JSON that is ready. `headers` are all that the answer has beside its own: names and values in turn, added to here. */
export function sendReadyJson(res: ServerResponse, parts: readonly Buffer[], headers: string[]): void {
  const length = sizeOf(parts);
  recordOf(res).bytes = length;
  headers.push("Content-Type", "application/json", "Content-Length", String(length));
  headers.push("Cache-Control", "no-store");
  res.writeHead(200, headers);
  for (const part of parts.slice(0, -1)) res.write(part);
  res.end(parts.at(-1));
}

/** Bytes that change seldom, with their ETag. */
export interface Cacheable {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

export function cacheable(type: string, bytes: Buffer): Cacheable {
  return { bytes, type, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"` };
}

/** Sends the bytes, or 304 when the caller has them (RFC 9110 13.1.2). `headers` are names and values in turn. */
export function sendCacheable(
  req: IncomingMessage,
  res: ServerResponse,
  { bytes, type, etag }: Cacheable,
  headers: readonly string[] = [],
): void {
  const validators = ["ETag", etag, "Cache-Control", "public, max-age=300", ...headers];
  if (matches(req.headers["if-none-match"], etag)) {
    res.writeHead(304, validators).end();
    return;
  }
  recordOf(res).bytes = bytes.length;
  res
    .writeHead(200, ["Content-Type", type, "Content-Length", String(bytes.length), ...validators])
    .end(bytes);
}

const bodies = new WeakMap<object, Cacheable>();

/** Sends a payload that is one object for long, as the list of time zones is: its bytes and ETag are made once. */
export function sendLasting(
  req: IncomingMessage,
  res: ServerResponse,
  payload: object,
  headers: readonly string[],
): void {
  sendCacheable(req, res, cached(payload), headers);
}

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

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((item) => item.trim() === "*" || item.trim().replace(/^W\//, "") === etag);
}
