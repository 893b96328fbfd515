import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import fresh from "fresh";
import type { PrintedBody } from "./json.js";
import { piecesOf } from "./body-pieces.js";
import { createReadingTurns } from "./reading-turns.js";
import { recordOf } from "./access-log.js";

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
  const turns = createReadingTurns(req);
  const end = (): void => {
    turns.end();
    clearTimeout(timer);
    res.end();
  };
  const timer = setTimeout(end, pauseLimitMs);
  req.once("close", end).once("end", end);
  req.on("data", () => {
    turns.take();
    if (piecesOf(req).areTiny) return; // nothing more comes
    if (performance.now() - answered > sendingLimitMs) end();
    else timer.refresh();
  });
  req.resume();
}

/**
 * Sends a JSON body. One with an ETag may be cached by others (rulings R2.5). `headers` are the raw headers of the response
 * besides its own; they are added to.
 */
export function sendPrinted(
  req: IncomingMessage,
  res: ServerResponse,
  { parts, length, etag }: PrintedBody,
  headers: string[],
): void {
  if (etag !== undefined) {
    sendCacheable(req, res, { bytes: Buffer.concat(parts), type: "application/json", etag }, headers);
    return;
  }
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

/** Returns a strong ETag of a body (RFC 9110 8.8.3). */
export function etagOf(parts: readonly Buffer[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return `"${hash.digest("base64url").slice(0, 27)}"`;
}

export function cacheable(type: string, bytes: Buffer): Cacheable {
  return { bytes, type, etag: etagOf([bytes]) };
}

/** Sends the bytes, or 304 when the caller has them (RFC 9110 13.1.2). `headers` are raw headers. */
export function sendCacheable(
  req: IncomingMessage,
  res: ServerResponse,
  { bytes, type, etag }: Cacheable,
  headers: readonly string[] = [],
): void {
  const validators = ["ETag", etag, "Cache-Control", "public, max-age=300", ...headers];
  // Without Cache-Control: a 304 is the validated response that no-cache asks for (RFC 9111 5.2.1.4).
  if (fresh({ "if-none-match": req.headers["if-none-match"] }, { etag })) {
    res.writeHead(304, validators).end();
    return;
  }
  recordOf(res).bytes = bytes.length;
  res
    .writeHead(200, ["Content-Type", type, "Content-Length", String(bytes.length), ...validators])
    .end(bytes);
}
