import { notInForm } from "./calls.js";
import { CalendarApiError, retryAfterOf } from "./errors.js";
import { limited } from "./limited.js";
import { checkToken, type CalendarClientOptions, type RequestOptions } from "./options.js";

/**
 * Returns the `fetch` of one call, which openapi-fetch uses: it adds the token and a write's key, watches the time and the
 * signal, and tries again.
 */
export type Send = (options?: RequestOptions) => (request: Request) => Promise<Response>;

export function createSend(baseUrl: string, settings: CalendarClientOptions): Send {
  if (typeof settings.token === "string") checkToken(settings.token);
  return (options = {}) =>
    async (request) => {
      const { signal = request.signal, timeoutMs = settings.timeoutMs ?? 30_000 } = options;
      const path = pathOf(request.url, baseUrl);
      const name = `${request.method} ${path}`;
      const form = await request.text(); // "" for a GET
      const isFile = request.headers.get("Content-Type") === "text/calendar";
      if (!isFile) request.headers.delete("Content-Type"); // openapi-fetch names JSON; a form names itself
      const isRepeatable = setKey(request, path, options.idempotencyKey, settings.retryWrites);

      async function attempt(end: AbortSignal): Promise<Response | CalendarApiError> {
        await settings.onRequest?.(request);
        const target = new URL(request.url);
        const isPost = (form || isFile) && settings.mutationMethod !== "GET";
        if (form && !isPost) target.search = form;
        const headers = new Headers(request.headers);
        let token = "";
        // The time zone list takes no token (service.md 4.12), so it is not shown one.
        if (path !== "/api/v1/timezones") {
          token = checkToken(typeof settings.token === "function" ? await settings.token() : settings.token);
          if (settings.tokenIn === "query") target.searchParams.append("token", token);
          else headers.set("Authorization", `Bearer ${token}`);
        }
        const body = isFile ? form : new URLSearchParams(form);
        // A POST that follows a redirect may become a GET without its form, and another host may get the token.
        const init: RequestInit = isPost ? { method: "POST", body } : {};
        const sent = new Request(target, { ...init, headers, signal: end, redirect: "manual" });
        // The platform's fetch is looked up here, so that what replaces it later (a test, a tracer) is used.
        const outcome = await exchange(name, sent, token, settings.fetch ?? fetch);
        if (outcome instanceof Response) await settings.onResponse?.(new Response(null, outcome), request);
        return outcome;
      }

      const retries = isRepeatable ? (options.retries ?? settings.retries ?? 3) : 0;
      for (let retry = 1; ; retry += 1) {
        const outcome = await limited(name, signal, timeoutMs, attempt);
        const waitMs = waitBeforeRetry(outcome, retry);
        if (retry <= retries && waitMs !== undefined) await limited(name, signal, waitMs);
        else if (outcome instanceof Response) return outcome;
        else throw outcome;
      }
    };
}

/**
 * The path of a URL without its query.
 * @throws TypeError when it is another server's: raw takes a baseUrl for a call, but the token is for one server
 */
function pathOf(url: string, baseUrl: string): string {
  if (!url.startsWith(`${baseUrl}/`)) throw new TypeError("raw: the baseUrl is fixed");
  return url.slice(baseUrl.length).replace(/\?.*/, "");
}

/** Gives a write its key: the caller's, or 128 random bits. Returns whether the request may be sent again. */
function setKey(request: Request, path: string, ownKey?: string, retryWrites = true): boolean {
  // By path too: a write may be a GET (rulings R1.1).
  if (request.method !== "POST" && !/(create|save|delete)\/$/.test(path)) return true;
  const name = "Idempotency-Key";
  // Not randomUUID(), which pages of http: addresses lack.
  const random = retryWrites && crypto.getRandomValues(new Uint32Array(4)).join("-");
  const key = ownKey || request.headers.get(name) || random;
  if (key) request.headers.set(name, key);
  return retryWrites;
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
  try {
    const response = await fetch(request);
    const { ok, status, headers } = response;
    const text = await response.text();
    if (ok) JSON.parse(text);
    const shown = [...headers].map(([key, value]): [string, string] => [key, withoutToken(value, token)]);
    // Status 0 is all that a browser shows of a redirect that it does not follow.
    return new Response((ok ? text : withoutToken(text, token)) || null, {
      headers: shown,
      status: status || 302,
    });
  } catch (thrown) {
    // The words of JSON.parse quote the body.
    if (thrown instanceof SyntaxError) throw notInForm(name);
    const { cause = thrown } = Object(thrown);
    const { code = cause } = Object(cause);
    return new CalendarApiError(`${name}: no full answer (${withoutToken(String(code), token)})`, {
      kind: "network",
    });
  }
}

/** Hides the token in text of others, in whatever way each of its characters is escaped: for a URL, or for JSON. */
function withoutToken(text: string, token: string): string {
  const anyForm = token.replace(/./g, (char) => {
    const hex = char.charCodeAt(0).toString(16);
    return `(\\\\?\\x${hex}|(%|\\\\u00)${hex})`;
  });
  return token ? text.replace(new RegExp(anyForm, "gi"), "[token]") : text;
}

/** Milliseconds to the next attempt; undefined when there shall be none. */
function waitBeforeRetry(outcome: Response | CalendarApiError, attempt: number): number | undefined {
  const firstBackoffMs = 150;
  const longestBackoffMs = 10_000;
  const longestRetryAfterS = 60;
  const isAnswer = outcome instanceof Response;
  const retryAfterS = (isAnswer && retryAfterOf(outcome.headers)) || 0;
  // A 409 says when to try again if an earlier attempt of this write is still at work, and only then.
  const passing = ["network", 429, 502, 503, 504, retryAfterS && 409];
  const isPassing = passing.includes(isAnswer ? outcome.status : outcome.kind);
  // Earlier than asked would be no help: the caller decides, with retryAfter in the error.
  if (!isPassing || retryAfterS > longestRetryAfterS) return undefined;
  // oxlint-disable-next-line no-restricted-properties -- spreads the load, and is no secret
  return retryAfterS * 1000 + Math.random() * Math.min(longestBackoffMs, firstBackoffMs * 2 ** attempt);
}
