import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

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
  res.end(bytes);
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

/** Sends the bytes, or 304 when the caller has them (RFC 9110 13.1.2). */
export function sendCacheable(
  req: IncomingMessage,
  res: ServerResponse,
  { bytes, type, etag }: Cacheable,
): void {
  const headers = { ETag: etag, "Cache-Control": "public, max-age=300" };
  if (matches(req.headers["if-none-match"], etag)) {
    res.writeHead(304, headers).end();
    return;
  }
  res.writeHead(200, { ...headers, "Content-Type": type, "Content-Length": bytes.length }).end(bytes);
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((item) => item.trim() === "*" || item.trim().replace(/^W\//, "") === etag);
}
