import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { errorMeta, Refusal, statusOf } from "./errors.js";
import type { Faulty } from "./faults.js";
import type { Operation } from "./operations.js";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Undefined when the path is unknown. */
  readonly operation: Operation | undefined;
  readonly faulty: Faulty;
}

/** Answers 200: `meta` and what the operation returned (service.md 2.1, 7.2). */
export function sendPayload(exchange: Exchange, payload: object): void {
  const bare = exchange.faulty("K65") && exchange.operation?.path.endsWith("/calendars/delete/");
  const meta = bare === true ? {} : { meta: { code: codeOf(exchange, 200) } };
  const body = JSON.stringify({ ...meta, ...payload });
  const { request, response } = exchange;
  if (exchange.operation?.kind === "public") {
    const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"`;
    response.setHeader("ETag", etag);
    if (request.headers["if-none-match"]?.includes(etag) === true) {
      response.writeHead(304).end();
      return;
    }
  }
  send(exchange, 200, body);
}

/** Answers what went wrong, in the envelope (service.md 7, rulings R2). */
export function sendError(exchange: Exchange, error: unknown): void {
  const { faulty, response } = exchange;
  const { type, failures } = error instanceof Refusal ? error : new Refusal("internal_error");
  const status = statusOf(type);
  if (faulty("M3") && status === 401) return sendHtml(exchange, status, "<h1>Unauthorized</h1>");
  if (faulty("K32") && type === "path_unknown") return sendHtml(exchange, status, "<h1>Not found</h1>");
  if (faulty("M16") && status === 500) return sendHtml(exchange, status, `<pre>${stackOf(error)}</pre>`);
  const requestId = randomUUID().replaceAll("-", "");
  response.setHeader("X-Request-Id", requestId);
  if (type === "body_too_large") response.setHeader("Connection", "close");
  const code = codeOf(exchange, faulty("M5") ? 200 : status);
  const body = JSON.stringify({ meta: { code, ...errorMeta(type, failures, requestId) } });
  send(exchange, faulty("M4") ? 200 : status, body);
}

/** The status as a string, on the time zone list as an integer (service.md 2.1). */
function codeOf({ operation, faulty }: Exchange, status: number): string | number {
  if (operation?.kind === "public") return faulty("M2") ? String(status) : status;
  return faulty("M1") ? status : String(status);
}

function send({ response, operation, faulty }: Exchange, status: number, body: string): void {
  response.writeHead(status, {
    "Content-Type": faulty("K37") ? "text/html" : "application/json",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": status === 200 && operation?.kind === "public" ? "public, max-age=300" : noStore(faulty),
  });
  response.end(body);
}

function noStore(faulty: Faulty): string {
  return faulty("K48") ? "public, max-age=300" : "no-store";
}

function sendHtml({ response }: Exchange, status: number, body: string): void {
  response.writeHead(status, { "Content-Type": "text/html", "Content-Length": Buffer.byteLength(body) });
  response.end(body);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : "Error";
}
