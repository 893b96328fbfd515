import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Logger, pino } from "pino";

/** What the access log reports of a request. Never a token, a query, a raw path or personal data. */
export interface RequestRecord {
  readonly requestId: string;
  /** By `performance.now()`. */
  readonly started: number;
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
  const record: RequestRecord = { requestId: newRequestId(), started: performance.now() };
  records.set(res, record);
  return record;
}

/** 122 random bits in hex. */
export function newRequestId(): string {
  return randomUUID().replaceAll("-", "");
}

/** Takes each request that is over: its operation, status and seconds. */
export type ObserveRequest = (operation: string | undefined, status: number, seconds: number) => void;

/** Status in the log where the client has gone before it got an answer: nginx logs the same. */
const goneStatus = 499;

/**
 * Writes one line when a request is over. The line is put together here: pino, which writes all others, is slower
 * (docs/decisions/0019).
 * @param observe takes the request too, for the metrics
 * @returns what to call when a request comes
 */
export function requestLog(log: Logger, observe?: ObserveRequest) {
  const stream: { write(line: string): void } = Reflect.get(log, pino.symbols.streamSym);
  const { info, error } = log.levels.values;
  const shared = JSON.stringify(log.bindings()).slice(1, -1);
  const bindings = shared === "" ? "" : `,${shared}`;
  let made = { at: -1, text: "" };

  /** The time as pino writes it, made once for the lines of a millisecond. */
  function timestamp(): string {
    const at = performance.now();
    if (at - made.at >= 1) made = { at, text: pino.stdTimeFunctions.isoTime() };
    return made.text;
  }

  function writeLine(this: ServerResponse): void {
    const status = this.headersSent ? this.statusCode : goneStatus;
    const { started, requestId, operation, bytes, errorType, accountId, tokenId } = recordOf(this);
    const ms = performance.now() - started;
    observe?.(operation, status, ms / 1000);
    const level = status >= 500 ? "error" : "info";
    if (!log.isLevelEnabled(level)) return;
    // Texts of ours and methods that Node's parser knows: nothing needs escaping.
    let line = `{"level":${level === "info" ? info : error}${timestamp()}${bindings}`;
    line += `,"request_id":"${requestId}"`;
    line += `,"method":"${this.req.method}","operation":"${operation ?? "none"}","status":${status}`;
    line += `,"ms":${Math.round(ms * 10) / 10}`;
    line += `,"bytes":${bytes ?? Number(this.getHeader("Content-Length") ?? 0)}`;
    if (errorType !== undefined) line += `,"error_type":"${errorType}"`;
    if (accountId !== undefined) line += `,"account_id":${accountId},"token_id":${tokenId}`;
    if (!this.writableFinished) line += ',"aborted":true';
    stream.write(`${line},"msg":"request"}\n`);
  }

  return function logRequest(res: ServerResponse): void {
    records.set(res, { requestId: newRequestId(), started: performance.now() });
    res.on("close", writeLine);
  };
}

/** Tells the caller the id of the request. */
export function sendRequestId(_req: IncomingMessage, res: ServerResponse, next: () => void): void {
  res.setHeader("X-Request-Id", recordOf(res).requestId);
  next();
}
