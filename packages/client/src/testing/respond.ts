import { errorMeta, Refusal, statusOf } from "./errors.js";
import type { Answered, Exchange } from "./exchange.js";
import { randomHex } from "./random.js";

/** Answers 200: `meta` and what the operation returned (service.md 2.1, 7.2). */
export function payloadAnswer(exchange: Exchange, payload: object): Answered {
  const { received, operation, headers } = exchange;
  const bare = exchange.faulty("K65") && operation?.id === "deleteCalendar";
  const meta = bare ? {} : { meta: { code: codeOf(exchange, 200) } };
  const body = JSON.stringify({ ...meta, ...payload });
  if (operation?.kind === "public") {
    const etag = `"${hashOf(body)}"`;
    headers["ETag"] = etag;
    if (received.headers.get("if-none-match")?.includes(etag) === true)
      return { status: 304, headers, body: "" };
  }
  return jsonAnswer(exchange, 200, body);
}

/** Answers what went wrong, in the envelope (service.md 7, rulings R2). */
export function refusalAnswer(exchange: Exchange, error: unknown): Answered {
  const { faulty, headers } = exchange;
  const { type, failures } = error instanceof Refusal ? error : new Refusal("internal_error");
  const status = statusOf(type);
  if (faulty("M3") && status === 401) return htmlAnswer(exchange, status, "<h1>Unauthorized</h1>");
  if (faulty("K32") && type === "path_unknown") return htmlAnswer(exchange, status, "<h1>Not found</h1>");
  if (faulty("M16") && status === 500) return htmlAnswer(exchange, status, `<pre>${stackOf(error)}</pre>`);
  const requestId = randomHex(16);
  headers["X-Request-Id"] = requestId;
  if (type === "body_too_large") headers["Connection"] = "close";
  const code = codeOf(exchange, faulty("M5") ? 200 : status);
  const body = JSON.stringify({ meta: { code, ...errorMeta(type, failures, requestId) } });
  return jsonAnswer(exchange, faulty("M4") ? 200 : status, body);
}

/** The status as a string, on the time zone list as an integer (service.md 2.1). */
function codeOf({ operation, faulty }: Exchange, status: number): string | number {
  if (operation?.kind === "public") return faulty("M2") ? String(status) : status;
  return faulty("M1") ? status : String(status);
}

function jsonAnswer({ headers, operation, faulty }: Exchange, status: number, body: string): Answered {
  const isCached = (status === 200 && operation?.kind === "public") || faulty("K48");
  const own = {
    "Content-Type": faulty("K37") ? "text/html" : "application/json",
    "Cache-Control": isCached ? "public, max-age=300" : "no-store",
  };
  return { status, headers: { ...headers, ...own }, body };
}

export function htmlAnswer({ headers }: Pick<Exchange, "headers">, status: number, body: string): Answered {
  return { status, headers: { ...headers, "Content-Type": "text/html" }, body };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : "Error";
}

/** A short hash (FNV-1a), which is the same on every platform; it protects nothing. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(16);
}
