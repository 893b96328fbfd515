import { randomFillSync } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";

/** What the log line of a request tells. Never a token, a query, a path as sent or a person's data. */
export interface RequestRecord {
  readonly requestId: string;
  operation?: string;
  accountId?: number;
  tokenId?: number;
  errorType?: string;
  /** Size of the body where the response's headers do not tell it any more. */
  bytes?: number;
}

const records = new WeakMap<ServerResponse, RequestRecord>();

/** The record of a request; its fields are filled on the way. */
export function recordOf(res: ServerResponse): RequestRecord {
  const known = records.get(res);
  if (known !== undefined) return known;
  const record: RequestRecord = { requestId: newRequestId() };
  records.set(res, record);
  return record;
}

const idBytes = 16;
const random = Buffer.alloc(256 * idBytes);
let taken = random.length;

/** 128 random bits in hex. Drawn in bulk: one at a time they cost a poll a twentieth of its answer. */
export function newRequestId(): string {
  if (taken === random.length) {
    randomFillSync(random);
    taken = 0;
  }
  taken += idBytes;
  return random.toString("hex", taken - idBytes, taken);
}

/** Writes one line when a request is over. */
export function requestLog(log: Logger) {
  return function logRequest(req: IncomingMessage, res: ServerResponse): void {
    const started = performance.now();
    const record = recordOf(res);
    res.once("close", () => {
      const line = {
        request_id: record.requestId,
        method: req.method,
        operation: record.operation ?? "none",
        status: res.statusCode,
        ms: Math.round((performance.now() - started) * 10) / 10,
        bytes: record.bytes ?? Number(res.getHeader("Content-Length") ?? 0),
        ...(record.errorType === undefined ? {} : { error_type: record.errorType }),
        ...(record.accountId === undefined ? {} : { account_id: record.accountId, token_id: record.tokenId }),
        ...(res.writableFinished ? {} : { aborted: true }),
      };
      log[res.statusCode >= 500 ? "error" : "info"](line, "request");
    });
  };
}

/** Tells the caller the id of the request. */
export function sendRequestId(_req: IncomingMessage, res: ServerResponse, next: () => void): void {
  res.setHeader("X-Request-Id", recordOf(res).requestId);
  next();
}
