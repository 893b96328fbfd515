import { type ErrorType, Refusal } from "./errors.js";
import type { Answered, Service } from "./exchange.js";
import type { Received } from "./received.js";
import type { FakeFault } from "./fake-faults.js";
import { htmlAnswer, refusalAnswer } from "./respond.js";
import { exchangeOf } from "./service.js";

/** `prefix`: the path of the base address, which the service does not see. */
export async function readRequest(request: Request, prefix: string): Promise<Received> {
  const { method, headers } = request;
  const { origin, pathname, search } = new URL(request.url);
  const isBelow = pathname.startsWith(`${prefix}/`);
  return {
    method,
    target: (isBelow ? pathname.slice(prefix.length) : pathname) + search,
    headers,
    body: new Uint8Array(await request.arrayBuffer()),
    base: isBelow ? `${origin}${prefix}` : origin,
  };
}

/** `isCut`: the body ends in the middle. */
export function responseOf(method: string, { status, headers, body }: Answered, isCut: boolean): Response {
  if (isCut) return new Response(halfOf(body), { status, headers });
  return new Response(method === "HEAD" || body === "" ? null : body, { status, headers });
}

function halfOf(body: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(body);
  let isSent = false;
  return new ReadableStream({
    pull: (controller) => {
      if (isSent) controller.error(new TypeError("terminated"));
      else controller.enqueue(bytes.slice(0, bytes.length / 2));
      isSent = true;
    },
  });
}

/** The error of Node's fetch, with the code in its cause. */
export function failedFetch(code: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
}

const types: Readonly<Record<429 | 500 | 503 | 507, ErrorType>> = {
  429: "rate_limited",
  500: "internal_error",
  503: "overloaded",
  507: "storage_full",
};

/** The response of a fault that does not reach the service; undefined for the other faults. */
export function faultAnswer(
  service: Service,
  received: Received,
  fault: FakeFault | undefined,
): Answered | undefined {
  const exchange = exchangeOf(service, received);
  if (fault?.kind === "html")
    return htmlAnswer(exchange, fault.status, "<html><h1>Not the service</h1></html>");
  if (fault?.kind !== "error") return undefined;
  const { status, retryAfter } = fault;
  if (retryAfter !== undefined)
    exchange.headers["Retry-After"] =
      typeof retryAfter === "number" ? String(retryAfter) : retryAfter.toUTCString();
  return refusalAnswer(exchange, new Refusal(types[status]));
}

/** Waits. Rejects when the caller aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = Number.isFinite(ms) ? setTimeout(resolve, ms) : undefined;
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new DOMException("aborted", "AbortError"));
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
