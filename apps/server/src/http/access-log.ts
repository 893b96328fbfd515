import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Logger, pino } from "pino";
import type { OnQuery } from "../db/query-times.js";
import type { CacheOutcome } from "./cache.js";
import type { RequestName } from "./request-names.js";

/** What the access log reports of a request. Never a token, a query, a raw path or personal data. */
export interface RequestRecord {
  readonly requestId: string;
  /** By `performance.now()`. */
  readonly started: number;
  operation?: RequestName;
  accountId?: number;
  tokenId?: number;
  sessionId?: number;
  errorType?: string;
  /** What a write created, changed or deleted. */
  calendarId?: number;
  eventId?: number;
  /** The log does not name people. */
  subscriberId?: number;
  personId?: number;
  /** Where the response of a list or a feed came from. */
  cache?: CacheOutcome;
  /** Size of the body where the response's headers do not tell it any more. */
  bytes?: number;
}

declare module "http" {
  // oxlint-disable-next-line no-unused-vars -- merged interfaces must have the same type parameters
  interface ServerResponse<Request extends IncomingMessage = IncomingMessage> {
    /** Read it by `recordOf`. Not in a WeakMap: V8 would follow its entries in each collection (docs/decisions/0009). */
    kalendsRecord?: RequestRecord;
  }
}

/** The record of a request; its fields are filled on the way. */
export function recordOf(res: ServerResponse): RequestRecord {
  res.kalendsRecord ??= { requestId: newRequestId(), started: performance.now() };
  return res.kalendsRecord;
}

/** 122 random bits in hex. */
export function newRequestId(): string {
  return randomUUID().replaceAll("-", "");
}

/** What takes whole lines. */
export interface Lines {
  write(lines: string): unknown;
}

/** Takes each request that is over: its operation, status and seconds. */
export type ObserveRequest = (operation: RequestName | undefined, status: number, seconds: number) => void;

/** Status in the log where the client has gone before it got an answer: nginx logs the same. */
const goneStatus = 499;

/**
 * Writes one line when a request is over, and another one when it took `slowMs` or more (0: never). The line is put together
 * here: pino, which writes all others, is slower (docs/decisions/0009).
 * @param output where the log itself writes
 * @param observe takes the request too, for the metrics
 * @returns what to call when a request comes
 */
export function requestLog(log: Logger, output: Lines, slowMs: number, observe?: ObserveRequest) {
  const isDebug = log.isLevelEnabled("debug");
  const writeRequest = createRequestLines(log, output);

  function writeLine(this: ServerResponse): void {
    const record = recordOf(this);
    const status = this.headersSent ? this.statusCode : goneStatus;
    const exactMs = performance.now() - record.started;
    observe?.(record.operation, status, exactMs / 1000);
    const ms = Math.round(exactMs * 10) / 10;
    writeRequest(this, record, { status, ms });
    const { requestId, operation = "none", cache = "none" } = record;
    if (isDebug) log.debug({ request_id: requestId, operation, cache }, "request details");
    if (slowMs > 0 && ms >= slowMs) log.warn({ request_id: requestId, operation, ms, cache }, "slow request");
  }

  return function logRequest(res: ServerResponse): void {
    res.kalendsRecord = { requestId: newRequestId(), started: performance.now() };
    res.on("close", writeLine);
  };
}

/** Returns what writes the line of a request. */
function createRequestLines(log: Logger, output: Lines) {
  const { info, error } = log.levels.values;
  const shared = JSON.stringify(log.bindings()).slice(1, -1);
  const bindings = shared === "" ? "" : `,${shared}`;
  const timestamp = createTimestamp();

  return function writeRequest(
    res: ServerResponse,
    record: RequestRecord,
    { status, ms }: { readonly status: number; readonly ms: number },
  ): void {
    const level = status >= 500 ? "error" : "info";
    if (!log.isLevelEnabled(level)) return;
    const { requestId, operation, bytes, errorType, accountId, tokenId, sessionId, calendarId, eventId } =
      record;
    // Texts of ours and methods that Node's parser knows: nothing needs escaping.
    let line = `{"level":${level === "info" ? info : error}${timestamp()}${bindings}`;
    line += `,"request_id":"${requestId}"`;
    line += `,"method":"${res.req.method}","operation":"${operation ?? "none"}","status":${status}`;
    line += `,"ms":${ms}`;
    line += `,"bytes":${bytes ?? Number(res.getHeader("Content-Length") ?? 0)}`;
    if (errorType !== undefined) line += `,"error_type":"${errorType}"`;
    if (accountId !== undefined) line += `,"account_id":${accountId}`;
    if (tokenId !== undefined) line += `,"token_id":${tokenId}`;
    if (sessionId !== undefined) line += `,"session_id":${sessionId}`;
    if (calendarId !== undefined) line += `,"calendar_id":${calendarId}`;
    if (eventId !== undefined) line += `,"event_id":${eventId}`;
    if (!res.writableFinished) line += ',"aborted":true';
    output.write(`${line},"msg":"request"}\n`);
  };
}

/** Returns the time as pino writes it, made once for the lines of a millisecond. */
function createTimestamp(): () => string {
  let made = { at: -1, text: "" };
  return () => {
    const at = performance.now();
    if (at - made.at >= 1) made = { at, text: pino.stdTimeFunctions.isoTime() };
    return made.text;
  };
}

/** Characters of a statement that the log shows. */
const mostShown = 1_000;

/** Returns what logs each query that takes `slowMs` or more (0: none), and at level debug all; undefined where that is none. */
export function queryLog(log: Logger, slowMs: number): OnQuery | undefined {
  const isDebug = log.isLevelEnabled("debug");
  if (!isDebug && (slowMs === 0 || !log.isLevelEnabled("warn"))) return undefined;
  return (sql, exactMs) => {
    const isSlow = slowMs > 0 && exactMs >= slowMs;
    if (!isSlow && !isDebug) return;
    const query = sql.trim().replaceAll(/\s+/g, " ").slice(0, mostShown);
    const ms = Math.round(exactMs * 10) / 10;
    if (isSlow) log.warn({ query, ms }, "slow query");
    else log.debug({ query, ms }, "query");
  };
}

/** Tells the caller the id of the request. */
export function sendRequestId(_req: IncomingMessage, res: ServerResponse, next: () => void): void {
  res.setHeader("X-Request-Id", recordOf(res).requestId);
  next();
}
