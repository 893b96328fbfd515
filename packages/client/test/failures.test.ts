import { afterEach, describe, expect, test, vi } from "vitest";
import { CalendarApiError, createCalendarClient, type CalendarClientOptions } from "../src/index.js";
import {
  calendars,
  cut,
  html,
  json,
  silent,
  stalled,
  startScriptedServer,
  type ScriptedServer,
  type Step,
} from "./scripted-server.js";

const token = "a-secret/token+with~signs=";
const params = { title: "Concerts", timezone: "Europe/Paris" };
const patient = { timeout: 15_000, interval: 10 };
const busy = json(503, { meta: { code: "503", error_type: "overloaded" } });
const limited = (retryAfter: string): Step =>
  json(
    429,
    { meta: { code: "429", error_type: "rate_limited", error_message: "Too many." } },
    { "Retry-After": retryAfter },
  );

function client(baseUrl: string, options: Partial<CalendarClientOptions> = {}) {
  return createCalendarClient({ baseUrl, token, ...options });
}

async function idsOf(list: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

async function errorOf(call: Promise<unknown>): Promise<CalendarApiError> {
  const thrown = await call.then(
    () => new Error("nothing was thrown"),
    (reason: unknown) => reason,
  );
  if (thrown instanceof CalendarApiError) return thrown;
  throw thrown;
}

describe("a read is tried again", () => {
  test.each([
    ["after 503", [busy]],
    ["after 502 and 504 with HTML", [html(502), html(504)]],
    ["after a cut connection", [cut]],
    ["after 429, not before the seconds of Retry-After", [limited("1")]],
    ["after 503 (as 429) with a date in Retry-After, counted from the server's own clock", [httpDate]],
  ])("%s", async (title, steps) => {
    await using server = await startScriptedServer(...steps, calendars(["1"]));
    const started = performance.now();
    expect(await idsOf(client(server.url).calendars.list())).toEqual(["1"]);
    expect(server.seen.length).toBe(steps.length + 1);
    if (title.includes("429")) expect(performance.now() - started).toBeGreaterThan(990);
  });

  test("as often as the options say, and then fails with the last answer", async () => {
    await using server = await startScriptedServer(busy);
    const few = client(server.url, { retries: 1 });
    const error = await errorOf(idsOf(few.calendars.list()));
    expect(error).toMatchObject({ kind: "http", status: 503, errorType: "overloaded", message: "HTTP 503" });
    expect(server.seen.length).toBe(2);
    await errorOf(idsOf(few.calendars.list({}, { retries: 0 })));
    expect(server.seen.length).toBe(3);
  });

  test("but not when Retry-After is over 60 s: the error says how long", async () => {
    await using server = await startScriptedServer(limited("61"));
    const error = await errorOf(idsOf(client(server.url).calendars.list()));
    expect(error).toMatchObject({ kind: "http", status: 429, retryAfter: 61, message: "Too many." });
    expect(server.seen.length).toBe(1);
  });

  test.each([
    ["400", json(400, { meta: { code: "400" } })],
    ["500", json(500, {})],
    ["a success that is HTML", html(200)],
  ])("but not after %s", async (_title, step) => {
    await using server = await startScriptedServer(step);
    await errorOf(idsOf(client(server.url).calendars.list()));
    expect(server.seen.length).toBe(1);
  });

  test("and a renewed token is used at once", async () => {
    await using server = await startScriptedServer(busy, calendars([]));
    const tokens = ["old", "new"];
    await idsOf(client(server.url, { token: async () => tokens.shift() ?? "" }).calendars.list());
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer old", "Bearer new"]);
  });
});

describe("a write is tried again as a read is, under one key", () => {
  const created = json(200, { meta: { code: "200" }, calendar: { id: "1" } });
  const keysOf = ({ seen }: ScriptedServer) => seen.map(({ headers }) => headers["idempotency-key"]);

  test.each(["POST", "GET"] as const)("by %s, and each call has a key of its own", async (mutationMethod) => {
    await using server = await startScriptedServer(busy, cut, limited("0"), created);
    const { calendars } = client(server.url, { mutationMethod });
    expect(await calendars.create(params)).toEqual({ id: "1" });
    expect(server.seen.map(({ method }) => method)).toEqual(Array(4).fill(mutationMethod));
    await calendars.create(params);
    const [first, ...keys] = keysOf(server);
    expect(first).toMatch(/^[!-~]{30,255}$/);
    expect(keys.slice(0, 3)).toEqual([first, first, first]);
    expect(keys[3]).not.toBe(first);
    expect(new Set(server.seen.map(({ body }) => body)).size, "each attempt sends the same form").toBe(1);
  });

  test("while another attempt of it is in progress: 409 with Retry-After", async () => {
    const meta = { code: "409", error_type: "idempotency_in_progress" };
    await using server = await startScriptedServer(json(409, { meta }, { "Retry-After": "1" }), created);
    const started = performance.now();
    await client(server.url).calendars.create(params);
    expect(performance.now() - started).toBeGreaterThan(990);
    expect(new Set(keysOf(server)).size).toBe(1);
  });

  test("but not after another 409, nor after 422", async () => {
    for (const status of [409, 422]) {
      await using server = await startScriptedServer(json(status, { meta: { code: String(status) } }));
      expect(await errorOf(client(server.url).calendars.create(params))).toMatchObject({ status });
      expect(server.seen.length).toBe(1);
    }
  });

  test("which the caller may choose, in a call or in a header of raw", async () => {
    await using server = await startScriptedServer(created);
    const { calendars, raw } = client(server.url);
    await calendars.create(params, { idempotencyKey: "order-17" });
    await raw.POST("/api/v1/calendars/create/", { body: params, headers: { "Idempotency-Key": "order-18" } });
    await raw.GET("/api/v1/calendars/create/", { params: { query: params } });
    expect(keysOf(server)).toEqual(["order-17", "order-18", expect.stringMatching(/^[!-~]{30,}$/)]);
  });

  test("and a read has none", async () => {
    await using server = await startScriptedServer(calendars([]));
    await idsOf(client(server.url).calendars.list());
    expect(keysOf(server)).toEqual([undefined]);
  });

  test("as often as the options say", async () => {
    await using server = await startScriptedServer(busy);
    await errorOf(client(server.url, { retries: 1 }).calendars.create(params));
    expect(server.seen.length).toBe(2);
    await errorOf(client(server.url).calendars.create(params, { retries: 0 }));
    expect(server.seen.length).toBe(3);
  });
});

describe("with retryWrites: false a write is sent once", () => {
  test.each(["POST", "GET"] as const)(
    "by %s, whatever happens, and without a key",
    async (mutationMethod) => {
      for (const step of [busy, cut, limited("0")]) {
        await using server = await startScriptedServer(step);
        const { calendars } = client(server.url, { mutationMethod, retryWrites: false });
        await errorOf(calendars.create(params, { retries: 3 }));
        expect(server.seen.map(({ method }) => method)).toEqual([mutationMethod]);
        expect(server.seen[0]?.headers).not.toHaveProperty("idempotency-key");
      }
    },
  );

  test("and reads are tried again", async () => {
    await using server = await startScriptedServer(busy, calendars(["1"]));
    expect(await idsOf(client(server.url, { retryWrites: false }).calendars.list())).toEqual(["1"]);
  });
});

describe("a redirect is not followed", () => {
  const calls = [
    ["a read, of which another host would get the token", (url) => idsOf(tokenInQuery(url).calendars.list())],
    ["a write, which would lose its form", (url) => client(url).calendars.create(params)],
    [
      "a write by GET",
      (url) => client(url, { mutationMethod: "GET", tokenIn: "query" }).calendars.create(params),
    ],
  ] satisfies [string, (url: string) => Promise<unknown>][];
  const tokenInQuery = (url: string) => client(url, { tokenIn: "query" });

  test.each(calls)("by %s", async (_title, call) => {
    await using other = await startScriptedServer(calendars(["evil"]));
    await using server = await startScriptedServer((response, { url }) => {
      response.writeHead(301, { Location: `${other.url}${url}` }).end();
    });
    expect(await errorOf(call(server.url))).toMatchObject({ kind: "http", status: 301, message: "HTTP 301" });
    expect(server.seen.length).toBe(1);
    expect(other.seen).toEqual([]);
  });

  test("in a browser either, which hides its status: 302 stands for it, and no write is tried again", async () => {
    let sent = 0;
    const browser = async (): Promise<Response> => {
      sent += 1;
      return Response.error(); // as a redirect that is not followed, it has the status 0
    };
    const call = client("https://example.com", { fetch: browser }).calendars.create(params);
    expect(await errorOf(call)).toMatchObject({ kind: "http", status: 302 });
    expect(sent).toBe(1);
  });
});

describe("a call ends", () => {
  afterEach(() => void vi.useRealTimers());

  // The clock of the client stands still until the server has done its part.
  test.each([
    ["without an answer", silent, 0],
    ["in the middle of one", stalled, 1],
  ])("with kind timeout when the server stops %s", async (_title, step, answers) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await using server = await startScriptedServer(step);
    let answered = 0;
    const counting = async (request: Request): Promise<Response> => {
      const response = await fetch(request);
      answered += 1;
      return response;
    };
    const call = errorOf(idsOf(client(server.url, { timeoutMs: 80, fetch: counting }).calendars.list()));
    await expect.poll(() => [server.seen.length, answered], patient).toEqual([1, answers]);
    vi.advanceTimersByTime(80);
    expect(await call).toMatchObject({ kind: "timeout", message: "GET /api/v1/calendars/list/: timeout" });
    expect(server.seen.length).toBe(1);
  });

  test("with kind timeout also with a signal, and when the token does not come", async () => {
    await using server = await startScriptedServer(silent);
    const { signal } = new AbortController();
    const call = idsOf(client(server.url).calendars.list({}, { signal, timeoutMs: 80 }));
    expect(await errorOf(call)).toMatchObject({ kind: "timeout" });
    const hung = client(server.url, { token: () => new Promise<string>(() => {}), timeoutMs: 80 });
    expect(await errorOf(idsOf(hung.calendars.list()))).toMatchObject({ kind: "timeout" });
  });

  test("with kind abort: before, during, and while it waits for the next attempt", async () => {
    await using quiet = await startScriptedServer(silent);
    const before = errorOf(idsOf(client(quiet.url).calendars.list({}, { signal: AbortSignal.abort() })));
    expect(await before).toMatchObject({ kind: "abort" });
    expect(quiet.seen.length).toBe(0);
    const during = new AbortController();
    const calls = [
      errorOf(idsOf(client(quiet.url).calendars.list({}, { signal: during.signal }))),
      errorOf(client(quiet.url).raw.GET("/api/v1/calendars/list/", { signal: during.signal })),
    ];
    await expect.poll(() => quiet.seen.length, patient).toBe(2);
    during.abort();
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ kind: "abort" });
    await using full = await startScriptedServer(limited("60")); // longer than the test may take
    const waits = new AbortController();
    const onResponse = (): void => void setImmediate(() => waits.abort());
    const list = client(full.url, { onResponse }).calendars.list({}, { signal: waits.signal });
    const waiting = errorOf(idsOf(list));
    expect(await waiting).toMatchObject({ kind: "abort" });
    expect(full.seen.length).toBe(1);
  });

  test("with kind network when no server listens", async () => {
    // No program has this port, and the system gives it to none.
    const error = await errorOf(client("http://127.0.0.1:4").calendars.create(params, { retries: 0 }));
    expect([error.kind, error.status]).toEqual(["network", undefined]);
    expect(error.message).toBe("POST /api/v1/calendars/create/: no full answer (ECONNREFUSED)");
  });

  test.each([
    ["HTML", html(200)],
    ["nothing", (response) => void response.end()],
    ["null", json(200, null)],
    ["a body without the calendars", json(200, { meta: { code: "200" } })],
    ["one calendar for a list", json(200, { meta: { code: "200" }, calendars: { id: "1" } })],
    ["a code that is an error", json(200, { meta: { code: "404" }, calendars: [] })],
  ] satisfies [string, Step][])("with kind parse when a success is %s", async (_title, step) => {
    await using server = await startScriptedServer(step);
    expect(await errorOf(idsOf(client(server.url).calendars.list()))).toMatchObject({
      kind: "parse",
      status: 200,
    });
  });

  test("with a URIError when text is not well-formed Unicode: it could not be stored as it is", async () => {
    await using server = await startScriptedServer(calendars([]));
    const call = client(server.url).calendars.create({ ...params, title: "half an emoji: \ud83c" });
    await expect(call).rejects.toThrow(URIError);
    expect(server.seen).toEqual([]);
  });

  test("with the caller's own error when the token provider throws", async () => {
    const own = new Error("vault is sealed");
    const failing = client("http://localhost:9", { token: () => Promise.reject(own) });
    await expect(failing.calendars.delete("1")).rejects.toBe(own);
  });
});

describe("paging", () => {
  test("takes only the page number out of next: no other host receives the token", async () => {
    await using other = await startScriptedServer(calendars(["evil"]));
    await using server = await startScriptedServer(
      calendars(["1"], `${other.url}/steal?page=2&token=x`),
      calendars(["2"]),
    );
    expect(await idsOf(client(server.url).calendars.list())).toEqual(["1", "2"]);
    expect(server.seen.map(({ url }) => url)).toEqual([
      "/api/v1/calendars/list/",
      "/api/v1/calendars/list/?page=2",
    ]);
    expect(other.seen).toEqual([]);
  });

  test.each(["?page=1", "?page=0", "?page=x", "?homepage=7", "nonsense"])(
    "ends when next is %s",
    async (next) => {
      await using server = await startScriptedServer(calendars(["1"], `http://h/l/${next}`));
      expect(await idsOf(client(server.url).calendars.list())).toEqual(["1"]);
    },
  );

  test("ends at an empty page, though it names a next one", async () => {
    await using server = await startScriptedServer(calendars(["1"], "/?page=2"), calendars([], "/?page=3"));
    expect(await idsOf(client(server.url).calendars.list())).toEqual(["1"]);
    expect(server.seen.length).toBe(2);
  });
});

describe("addresses", () => {
  test.each(["", "/", "/kalends", "/a/b/"])("may have the path %j", async (prefix) => {
    await using server = await startScriptedServer(
      calendars(["1"]),
      json(200, { meta: { code: 200 }, data: [] }),
    );
    const prefixed = client(`${server.url}${prefix}`, { tokenIn: "query" });
    expect(await idsOf(prefixed.calendars.list())).toEqual(["1"]);
    for await (const zone of prefixed.timezones.list()) expect(zone).toBeUndefined();
    const path = prefix.replace(/\/$/, "");
    const query = new URLSearchParams({ token }).toString();
    expect(server.seen.map(({ url }) => url)).toEqual([
      `${path}/api/v1/calendars/list/?${query}`,
      `${path}/api/v1/timezones`,
    ]);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  test.each(["http://example.com", "http://10.0.0.1", "http://127.evil.example", "http://localhost.example"])(
    "may not be %s, unless allowInsecure",
    (baseUrl) => {
      expect(() => client(baseUrl)).toThrow("allowInsecure");
      expect(() => client(baseUrl, { allowInsecure: true })).not.toThrow();
    },
  );

  test.each([
    "https://example.com",
    "http://localhost:3000",
    "http://a.localhost",
    "http://127.1.2.3",
    "http://[::1]:8",
  ])("may be %s", (baseUrl) => {
    expect(() => client(baseUrl)).not.toThrow();
  });

  test.each([
    "",
    "example.com",
    "ftp://example.com",
    "https://user:pw@example.com",
    "https://example.com/?a=b",
    "https://example.com/#a",
  ])("may not be %j", (baseUrl) => {
    expect(() => client(baseUrl)).toThrow(TypeError);
  });
});

function httpDate(...[response]: Parameters<Step>): void {
  response.sendDate = false;
  response.writeHead(503, {
    Date: "Fri, 01 Jan 1999 00:00:00 GMT",
    "Retry-After": "Fri, 01 Jan 1999 00:00:01 GMT",
  });
  response.end();
}
