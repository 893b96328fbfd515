/** A token, or a function that fetches one. It is called before each attempt, so a renewed token is used at once. */
export type TokenSource = string | (() => string | Promise<string>);

/** How a client reaches its server. */
export interface CalendarClientOptions {
  /** Where the service is, such as `https://calendars.example.com`; a path may follow: `https://example.com/kalends`. */
  readonly baseUrl: string;
  /** Token of the account. Only the time zone list works without. It is never part of an error. */
  readonly token?: TokenSource | undefined;
  /**
   * Where the token travels. `header`: `Authorization: Bearer …`, which no proxy logs (rulings R1.7), the default.
   * `query`: the parameter `token`, for servers that know only the contract's own form (contract 5).
   */
  readonly tokenIn?: "header" | "query" | undefined;
  /** How writes are sent: `POST` with a form (rulings R1.1), the default, or `GET` for servers that know only plain URLs. Also for `raw.POST`. */
  readonly mutationMethod?: "POST" | "GET" | undefined;
  /** Longest time of one attempt in milliseconds, token and body included. Default 30000; `Infinity` for none. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is tried again after 429, 502, 503, 504 or a network error. Default 3. */
  readonly retries?: number | undefined;
  /**
   * Whether writes are tried again as reads are, default `true`. Each write then carries a key, the header `Idempotency-Key`, by
   * which the server does it once. `false` sends no key and no write twice: for servers that do not know the key, where a write
   * whose answer is lost would be done twice, and from web pages, whose requests such servers refuse because of the header.
   */
  readonly retryWrites?: boolean | undefined;
  /** Allows `http:` to a host that is not this machine. The token then travels in the clear. Default `false`. */
  readonly allowInsecure?: boolean | undefined;
  /**
   * Called before each attempt, with the request before the token is added, its body already read. Headers that are set on it
   * are sent. What a hook throws ends the call and comes through unchanged. The time limit includes the hooks.
   */
  readonly onRequest?: ((request: Request) => void | Promise<void>) | undefined;
  /**
   * Called after each response, also after errors and before a retry, with its status and its headers, and with the request
   * that `onRequest` was given. It has no body, which may hold the token. Without a full response it is not called.
   */
  readonly onResponse?: ((response: Response, request: Request) => void | Promise<void>) | undefined;
  /** Sends the requests; the fetch of the platform when not given. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** What one call may set for itself. */
export interface RequestOptions {
  /** Ends the call, also while it waits for its next attempt. The call rejects with kind `abort`. */
  readonly signal?: AbortSignal | undefined;
  /** Longest time of one attempt in milliseconds; the client's when not given. */
  readonly timeoutMs?: number | undefined;
  /** How often this call is tried again; the client's number when not given. */
  readonly retries?: number | undefined;
  /**
   * Key of a write, 1 to 255 visible ASCII characters; a random one when not given. The server answers a write that it has done
   * under the same key as it did then, for 24 hours: choose a key to repeat a write safely in another call, or after a restart.
   */
  readonly idempotencyKey?: string | undefined;
}

/** What one call that saves, changes or deletes an event may set for itself. */
export interface WriteEventOptions extends RequestOptions {
  /**
   * The `updated_times` of the event that the write is meant for. When the event has been saved since, nothing is done and the
   * call rejects with the status 412 and the type `event_changed`: read the event again.
   */
  readonly ifMatch?: number | string | undefined;
}

/** @param rest what is left of options when those that exist are taken out. @throws TypeError with the name of one */
export function refuseUnknown(rest: object): void {
  for (const name in rest) check(false, `${name}: unknown option`);
}

/** @throws TypeError with `refusal` */
export function check(isRight: unknown, refusal: string): asserts isRight {
  if (!isRight) throw new TypeError(refusal);
}

/**
 * The base address without its last slash. An error never shows it: it may hold a secret.
 *
 * @throws TypeError when it is no address, or one that shows the token to the network.
 */
export function readBaseUrl(baseUrl: string, allowInsecure: boolean): string {
  check(
    /^https?:\/\/[^@?#]+$/i.test(baseUrl) && URL.canParse(baseUrl),
    "baseUrl: expected https://host/path",
  );
  const { href } = new URL(baseUrl);
  const [prefix] = /\/api(\/kalends)?\/v1(?=\/|$)/.exec(href) ?? [];
  check(!prefix, `baseUrl: leave out ${prefix}`);
  const isOpen = /^http:\/\/(?!(([^/]+\.)?localhost|127(\.\d+){3}|\[::1])[:/])/.test(href);
  check(!isOpen || allowInsecure, "baseUrl: http: needs allowInsecure");
  return href.replace(/\/+$/, "");
}

/**
 * @param name whose token it is: "token" of the options, "token()" of their function
 * @throws TypeError when there is no token, or none that can travel. Headers would print the token in its refusal.
 */
export function checkToken(token: string | undefined, name = "token"): string {
  check(token !== undefined, `${name}: is missing`);
  check(token, `${name}: is empty`);
  check(!/\s/.test(token), `${name}: has a blank or a line break`);
  // RFC 6750 allows less; none of these needs an escape in JSON.
  check(!/[^!#-[\]-~]/.test(token), `${name}: has a character that is not visible ASCII, or " or \\`);
  return token;
}
