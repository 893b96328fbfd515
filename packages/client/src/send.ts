import { CalendarApiError, keyHeader, retryAfterOf } from "./errors.js";
import { limited, type Fail } from "./limited.js";
import {
  check,
  checkToken,
  readBaseUrl,
  refuseUnknown,
  type CalendarClientOptions,
  type WriteEventOptions,
} from "./options.js";

/**
 * Returns the `fetch` of one call, which openapi-fetch uses: it adds the token and a write's key, watches the time and the
 * signal, and tries again.
 */
export type Send = (options?: WriteEventOptions) => (request: Request) => Promise<Response>;

export function createSend({
  baseUrl: address,
  allowInsecure = false,
  timeoutMs: usualMs = 30_000,
  retries: usualRetries = 3,
  retryWrites = true,
  ...settings
}: CalendarClientOptions): { readonly baseUrl: string; readonly send: Send } {
  const attempt = createAttempt(settings);
  const baseUrl = readBaseUrl(address, allowInsecure);
  const send: Send =
    ({ signal, timeoutMs = usualMs, retries = usualRetries, ...own } = {}) =>
    async (request) => {
      const { method, url, headers } = request;
      const path = pathOf(url, baseUrl);
      // By path too: a write may be a GET (rulings R1.1).
      const isWrite = method === "POST" || /(create|save|delete)\/$/.test(path);
      const canRepeat = !isWrite || retryWrites;
      const key = setCondition(headers, own, isWrite && canRepeat);
      const fail: Fail = (kind, details, words = kind) =>
        new CalendarApiError(`${method} ${path}: ${words}`, { ...details, kind, idempotencyKey: key });
      const call = [request, path, await request.blob(), fail] as const;
      const caller = signal ?? request.signal;
      for (let retry = 1; ; retry += 1) {
        const outcome = await limited(fail, caller, timeoutMs, (end) => attempt(call, end));
        const waitMs = canRepeat && retry <= retries ? waitBeforeRetry(outcome, retry) : undefined;
        if (waitMs !== undefined) await limited(fail, caller, waitMs);
        else if (outcome instanceof Response) {
          if (key) outcome.headers.set(keyHeader, key); // for the error that it may stand for
          return outcome;
        } else throw outcome;
      }
    };
  return { baseUrl, send };
}

/** A tuple, which takes fewer bytes than names do. */
type Call = readonly [request: Request, path: string, body: Blob, fail: Fail];

/** Returns what sends a call once. */
function createAttempt({
  token: source,
  tokenIn,
  mutationMethod,
  onRequest,
  onResponse,
  fetch: ownFetch,
  ...rest
}: Omit<CalendarClientOptions, "baseUrl">): (
  call: Call,
  end: AbortSignal,
) => Promise<Response | CalendarApiError> {
  refuseUnknown(rest);
  if (typeof source === "string") checkToken(source);
  return async ([request, path, sent, fail], signal) => {
    const { method, url, headers: own } = request;
    const isFile = /^(text|image)/.test(sent.type);
    const form = isFile ? "" : await sent.text();
    if (!isFile) own.delete("Content-Type"); // openapi-fetch names JSON; a form names itself
    await onRequest?.(request);
    const target = new URL(url);
    const isPost = method === "POST" && mutationMethod !== "GET";
    if (form && !isPost) target.search = form;
    const headers = new Headers(own);
    let token = "";
    // The time zone list takes no token (contract 4.12), so it is not shown one.
    if (path !== "/api/v1/timezones") {
      token = typeof source === "function" ? checkToken(await source(), "token()") : checkToken(source);
      if (tokenIn === "query") target.searchParams.append("token", token);
      else headers.set("Authorization", `Bearer ${token}`);
    }
    const body = isFile ? sent : new URLSearchParams(form);
    // A POST that follows a redirect may become a GET without its form, and another host may get the token.
    const init: RequestInit = isPost ? { method, body } : {};
    const made = new Request(target, { ...init, headers, signal, redirect: "manual" });
    // The platform's fetch is looked up here, so that what replaces it later (a test, a tracer) is used.
    const outcome = await exchange(fail, made, token, ownFetch ?? fetch);
    if (outcome instanceof Response) await onResponse?.(new Response(null, outcome), request);
    return outcome;
  };
}

/**
 * The path of a URL without its query.
 * @throws TypeError when it is another server's: raw takes a baseUrl for a call, but the token is for one server
 */
function pathOf(url: string, baseUrl: string): string {
  check(url.startsWith(`${baseUrl}/`), "raw: the baseUrl is fixed");
  return url.slice(baseUrl.length).replace(/\?.*/, "");
}

/** Sets the headers of a safe write (extensions X2). Returns its key: the caller's, or 128 random bits where it needs one. */
function setCondition(
  headers: Headers,
  { idempotencyKey, ifMatch, ...rest }: Omit<WriteEventOptions, "signal">,
  needsKey: boolean,
): string | undefined {
  refuseUnknown(rest);
  // Not randomUUID(), which pages of http: addresses lack.
  const random = needsKey && crypto.getRandomValues(new Uint32Array(4)).join("-");
  const key = idempotencyKey ?? headers.get(keyHeader) ?? (random || undefined);
  if (key !== undefined) {
    check(/^[!-~]{1,255}$/.test(key), "idempotencyKey: needs 1 to 255 visible ASCII characters");
    headers.set(keyHeader, key);
  }
  if (ifMatch !== undefined) {
    check(/^\d+$/.test(`${ifMatch}`), "ifMatch: expected updated_times");
    headers.set("If-Match", `"${ifMatch}"`);
  }
  return key;
}

/**
 * The answer with its body read, so that the body falls under the time limit: checked to be JSON when it is a success, and
 * without the token when it is not. It does not know its URL, which may hold the token. Of what the platform throws only
 * words are kept, for its objects may hold the request.
 */
async function exchange(
  fail: Fail,
  request: Request,
  token: string,
  fetch: (request: Request) => Promise<Response>,
): Promise<Response | CalendarApiError> {
  try {
    const response = await fetch(request);
    const { ok, status, headers } = response;
    const text = await response.text();
    if (ok && !/export\/(\?|$)/.test(request.url)) JSON.parse(text); // but a file
    const shown = [...headers].map(([key, value]): [string, string] => [key, withoutToken(value, token)]);
    // Status 0 is all that a browser shows of a redirect that it does not follow.
    return new Response((ok ? text : withoutToken(text, token)) || null, {
      headers: shown,
      status: status || 302,
    });
  } catch (thrown) {
    // The words of JSON.parse quote the body.
    if (thrown instanceof SyntaxError) return fail("parse", { status: 200 }, "malformed response");
    const { cause = thrown } = Object(thrown);
    const { code = cause } = Object(cause);
    return fail("network", {}, `no full answer (${withoutToken(String(code), token)})`);
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
