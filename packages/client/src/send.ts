import { CalendarApiError, retryAfterOf } from "./errors.js";
import { limited } from "./limited.js";
import { checkToken, type CalendarClientOptions, type RequestOptions } from "./options.js";

const firstBackoffMs = 150;
const longestBackoffMs = 10_000;
const longestRetryAfterS = 60;

/** Sends a request of openapi-fetch: adds the token, watches the time and the signal, and tries reads again. */
export type Send = (request: Request, options?: RequestOptions) => Promise<Response>;

export function createSend(settings: CalendarClientOptions): Send {
  const { baseUrl, token: source, tokenIn, mutationMethod } = settings;
  if (typeof source === "string") checkToken(source);
  return async (request, options = {}) => {
    const { timeoutMs = settings.timeoutMs ?? 30_000, retries = settings.retries ?? 3 } = options;
    const { signal = request.signal } = options;
    const { method, url } = request;
    // raw takes another baseUrl for a call, but the token is for one server.
    if (!url.startsWith(`${baseUrl}/`)) throw new TypeError("raw: the baseUrl is fixed");
    const path = url.slice(baseUrl.length).replace(/\?.*/, "");
    const name = `${method} ${path}`;
    const form = method === "POST" && (await request.text());

    async function attempt(end: AbortSignal): Promise<Response | CalendarApiError> {
      const target = new URL(url);
      const headers = new Headers(request.headers);
      const isPost = form && mutationMethod !== "GET";
      if (form && !isPost) {
        headers.delete("Content-Type");
        target.search = form;
      }
      let token = "";
      // The time zone list takes no token (service.md 4.12), so it is not shown one.
      if (path !== "/api/v1/timezones") {
        token = checkToken(typeof source === "function" ? await source() : source);
        if (tokenIn === "query") target.searchParams.append("token", token);
        else headers.set("Authorization", `Bearer ${token}`);
      }
      // A POST that follows a redirect may become a GET without its form.
      const init: RequestInit = isPost ? { method, body: form, redirect: "manual" } : {};
      const sent = new Request(target, { ...init, headers, signal: end });
      // The platform's fetch is looked up here, so that what replaces it later (a test, a tracer) is used.
      return exchange(name, sent, token, settings.fetch ?? fetch);
    }

    // By path, not by method: a write may be a GET (rulings R1.1).
    const attempts = /(create|save|delete)\/$/.test(path) ? 1 : retries + 1;
    for (let number = 1; ; number += 1) {
      const outcome = await limited(name, signal, timeoutMs, attempt);
      const waitMs = number < attempts ? waitBeforeRetry(outcome, number) : undefined;
      // A pause that is over has the kind timeout.
      const last = waitMs === undefined ? outcome : await limited(name, signal, waitMs);
      if (last instanceof Response) return last;
      if (waitMs === undefined || last.kind === "abort") throw last;
    }
  };
}

/**
 * The answer with its body read, so that the body falls under the time limit: checked to be JSON when it is a success, and
 * without the token when it is not. It does not know its URL, which may hold the token. Of what the platform throws only
 * words are kept, for its objects may hold the request.
 */
async function exchange(
  name: string,
  request: Request,
  token: string,
  fetch: (request: Request) => Promise<Response>,
): Promise<Response | CalendarApiError> {
  let response: Response | undefined;
  try {
    response = await fetch(request);
    const { ok, status, headers } = response;
    const text = await response.text();
    if (ok) JSON.parse(text);
    const shown = [...headers].map(([key, value]): [string, string] => [key, withoutToken(value, token)]);
    // Status 0 is all that a browser shows of a redirect that it does not follow: Response refuses it.
    return new Response((ok ? text : withoutToken(text, token)) || null, { status, headers: shown });
  } catch (thrown) {
    // The words of JSON.parse quote the body.
    if (thrown instanceof SyntaxError)
      throw new CalendarApiError(`${name}: not JSON`, { kind: "parse", status: response?.status });
    const { cause = thrown } = Object(thrown);
    const { code = cause } = Object(cause);
    return new CalendarApiError(`${name}: no full answer (${withoutToken(String(code), token)})`, {
      kind: "network",
    });
  }
}

/** Hides the token in text of others, in whatever way each of its characters is escaped: for a URL, or for JSON. */
function withoutToken(text: string, token: string): string {
  const forms = Array.from(token, (char) => {
    const hex = char.charCodeAt(0).toString(16);
    return `(\\\\?\\x${hex}|%${hex}|\\\\u00${hex})`;
  });
  return token ? text.replace(new RegExp(forms.join(""), "gi"), "[token]") : text;
}

/** Milliseconds to the next attempt; undefined when there shall be none. */
function waitBeforeRetry(outcome: Response | CalendarApiError, attempt: number): number | undefined {
  const isAnswer = outcome instanceof Response;
  const isPassing = isAnswer ? [429, 502, 503, 504].includes(outcome.status) : outcome.kind === "network";
  const retryAfterS = (isAnswer && retryAfterOf(outcome.headers)) || 0;
  // Earlier than asked would be no help: the caller decides, with retryAfter in the error.
  if (!isPassing || retryAfterS > longestRetryAfterS) return undefined;
  // oxlint-disable-next-line no-restricted-properties -- spreads the load, and is no secret
  return retryAfterS * 1000 + Math.random() * Math.min(longestBackoffMs, firstBackoffMs * 2 ** attempt);
}
