import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";

/** What the log line of a request tells. Never a token, a query, a path as sent or a person's data. */
export interface RequestRecord {
  readonly requestId: string;
  operation?: string;
  accountId?: number;
  tokenId?: number;
  errorType?: string;
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

/** 128 random bits in hex. */
export function newRequestId(): string {
  return randomBytes(16).toString("hex");
}

/** Gives each request its id, in X-Request-Id, and writes one line when it is over. */
export function requestLog(log: Logger) {
  return function logRequest(req: IncomingMessage, res: ServerResponse, next: () => void): void {
    const started = performance.now();
    const record = recordOf(res);
    res.setHeader("X-Request-Id", record.requestId);
    res.once("close", () => {
      const line = {
        request_id: record.requestId,
        method: req.method,
        operation: record.operation ?? "none",
        status: res.statusCode,
        ms: Math.round((performance.now() - started) * 10) / 10,
        bytes: Number(res.getHeader("Content-Length") ?? 0),
        ...(record.errorType === undefined ? {} : { error_type: record.errorType }),
        ...(record.accountId === undefined ? {} : { account_id: record.accountId, token_id: record.tokenId }),
        ...(res.writableFinished ? {} : { aborted: true }),
      };
      log[res.statusCode >= 500 ? "error" : "info"](line, "request");
    });
    next();
  };
}
