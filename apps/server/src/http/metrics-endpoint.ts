import { createHash, timingSafeEqual } from "node:crypto";
import type { Express } from "express";
import { tokenOfHead } from "./auth.js";
import { ApiError } from "./errors.js";
import { addRead } from "./documents.js";

/** The text format of Prometheus. */
const type = "text/plain; version=0.0.4; charset=utf-8";

interface PrintedMetrics {
  /** METRICS_TOKEN. */
  readonly token: string;
  readonly print: () => Promise<string>;
}

/** Serves /metrics to who sends the token. */
export function mountMetrics(app: Express, { token, print }: PrintedMetrics): void {
  const expected = hash(token);
  addRead(app, "/metrics", "metrics", async (req, res) => {
    const sent = tokenOfHead(req, []);
    if (sent === undefined)
      throw new ApiError("token_missing", [], {}, "Send METRICS_TOKEN as Authorization: Bearer.");
    // Hashes of one length, compared in a time that tells nothing of them.
    if (!timingSafeEqual(hash(sent), expected))
      throw new ApiError("token_unknown", [], {}, "The token is not METRICS_TOKEN.");
    const bytes = Buffer.from(await print());
    res.writeHead(200, { "Content-Type": type, "Content-Length": bytes.length, "Cache-Control": "no-store" });
    res.end(bytes);
  });
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
