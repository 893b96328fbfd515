import type { FakeServer } from "@kalends/client/testing";

// What sends the same request to the fake and to the server, and compares their responses.

export type Values = Readonly<Record<string, string>>;

/** A request below a prefix such as `/api/v1/`; `token` stands for a token that reads and writes. */
export interface Sent {
  readonly path: string;
  readonly query?: string;
  readonly init?: { readonly method?: string; readonly headers?: Values; readonly body?: string | FormData };
}

/** The fake or the server. */
export interface Side {
  readonly fetch: FakeServer["fetch"];
  readonly base: string;
  readonly token: string;
  readonly prefix: string;
  /** The paths that it answered with 200. */
  readonly succeeded: Set<string>;
  /** The last cursor that it returned; `CURSOR` in a query stands for it. */
  cursor?: string;
  /** The last event of the last response with `event_ids`; `SERIES_EVENT` in a query or a body stands for it. */
  event?: string;
}

export const get = (path: string, params: Values = {}): Sent => ({
  path,
  query: new URLSearchParams({ token: "token", ...params }).toString(),
});

export const post = (path: string, body: string | FormData, type?: string, headers: Values = {}): Sent => ({
  path,
  init: {
    method: "POST",
    body,
    headers: {
      Authorization: "Bearer token",
      ...(type === undefined ? {} : { "Content-Type": type }),
      ...headers,
    },
  },
});

export const json = (path: string, value: unknown, headers: Values = {}): Sent =>
  post(path, JSON.stringify(value), "application/json", headers);

export const pairs = (path: string, params: Values, headers: Values = {}): Sent =>
  post(path, new URLSearchParams(params).toString(), "application/x-www-form-urlencoded", headers);

export async function exchange(side: Side, { path, query, init }: Sent) {
  const { fetch, base, token, prefix } = side;
  const put = (text: string): string =>
    text
      .replaceAll(/\btoken\b(?!=|\[)/g, token)
      .replaceAll("CURSOR", side.cursor ?? "")
      .replaceAll("SERIES_EVENT", side.event ?? "");
  const headers = Object.entries(init?.headers ?? {}).map(([name, value]): [string, string] => [
    name,
    put(value),
  ]);
  const url = `${base}${prefix}${path}${query === undefined ? "" : `?${put(query)}`}`;
  const body =
    typeof init?.body === "string" ? { body: init.body.replaceAll("SERIES_EVENT", side.event ?? "") } : {};
  const response = await fetch(url, { ...init, headers, ...body });
  const text = (await response.text()).replaceAll(base, "https://base").replaceAll(token, "token");
  if (response.status === 200) side.succeeded.add(`${prefix}${path.replace(/\?.*/, "")}`);
  side.event = /"event_ids":\[[^\]]*"(\d+)"\]/.exec(text)?.[1] ?? side.event ?? "";
  side.cursor = /"cursor":"([^"]+)"/.exec(text)?.[1] ?? side.cursor ?? "";
  return { status: response.status, headers: kept(response.headers), body: alike(text) };
}

const compared = [
  "Content-Type",
  "Cache-Control",
  "Allow",
  "Idempotency-Replayed",
  "Kalends-Ignored-Parameters",
  "Retry-After",
];

function kept(headers: Headers): Readonly<Record<string, string | null>> {
  return Object.fromEntries(compared.map((name) => [name, headers.get(name)]));
}

/** Messages, random texts and the order of failing parameters may differ. */
const own = ["error_message", "message", "request_id", "uniquekey", "uid", "cursor", "secret", "message_id"];

function alike(text: string): unknown {
  if (text === "") return "";
  return JSON.parse(text, (name, value: unknown) => {
    if (name === "errors" && Array.isArray(value))
      return value.map((each) => JSON.stringify(each)).toSorted();
    return own.includes(name) ? typeof value : value;
  });
}

export function titleOf({ path, query = "", init }: Sent): string {
  const body = typeof init?.body === "string" ? init.body.slice(0, 60) : "";
  return `${init?.method ?? "GET"} ${path} ${query.slice(0, 100)} ${body}`.trim();
}
