import { inspect } from "node:util";
import { expect, test } from "vitest";
import { createCalendarClient, type CalendarClientOptions } from "../src/index.js";
import { calendars, cut, json, startScriptedServer } from "./scripted-server.js";

const token = "canary+token/7f3a";
const params = { title: "Concerts", timezone: "Europe/Paris" };
const busy = json(503, { meta: { code: "503", error_type: "overloaded" } }, { "Retry-After": "0" });
const created = json(200, { meta: { code: "200" }, calendar: { id: "1" } });

function client(baseUrl: string, options: Partial<CalendarClientOptions>) {
  return createCalendarClient({ baseUrl, token, ...options });
}

test("hooks see each attempt and its response, in order, and both get the same request", async () => {
  await using server = await startScriptedServer(busy, calendars(["1"]));
  const seen: string[] = [];
  const started = new WeakSet<Request>();
  const hooked = client(server.url, {
    onRequest: (request) => {
      started.add(request);
      seen.push(`${request.method} ${new URL(request.url).pathname}`);
    },
    onResponse: async (response, request) => {
      await Promise.resolve();
      seen.push(`${response.status} ${response.headers.get("Content-Type")} ${started.has(request)}`);
    },
  });
  expect(await hooked.calendars.list().toArray()).toEqual([{ id: "1" }]);
  const request = "GET /api/v1/calendars/list/";
  expect(seen).toEqual([request, "503 application/json true", request, "200 application/json true"]);
});

test.each([
  [
    "a read",
    "GET",
    (url: string, options: Partial<CalendarClientOptions>) => client(url, options).calendars.list().toArray(),
  ],
  [
    "a write",
    "POST",
    (url: string, options: Partial<CalendarClientOptions>) => client(url, options).calendars.create(params),
  ],
  [
    "raw",
    "GET",
    (url: string, options: Partial<CalendarClientOptions>) =>
      client(url, options).raw.GET("/api/v1/timezones"),
  ],
])("a header that onRequest sets is sent with %s", async (_title, method, call) => {
  await using server = await startScriptedServer(
    json(200, { meta: { code: "200" }, calendars: [], calendar: {}, data: [], paging: { next: "" } }),
  );
  await call(server.url, { onRequest: async ({ headers }) => headers.set("Traceparent", "00-ab-cd-01") });
  expect(server.seen.map((seen) => [seen.method, seen.headers.traceparent])).toEqual([
    [method, "00-ab-cd-01"],
  ]);
  expect(server.seen[0]?.headers["content-type"]).toBe(
    method === "POST" ? "application/x-www-form-urlencoded;charset=UTF-8" : undefined,
  );
});

test.each([
  ["header", "POST"],
  ["header", "GET"],
  ["query", "POST"],
  ["query", "GET"],
] as const)("no hook is shown the token in the %s of a %s, now or later", async (tokenIn, mutationMethod) => {
  const echo = `http://example.com/?token=${encodeURIComponent(token)}&page=2`;
  await using server = await startScriptedServer(
    (response, { url, headers }) => {
      response.setHeader("X-Request-Id", `${token} ${url} ${String(headers.authorization)}`);
      calendars(["1"], echo)(response, { method: "", url, headers, body: "" });
    },
    json(400, { meta: { code: "400", error_message: `${echo} ${token}` } }),
  );
  const kept: (Request | Response)[] = [];
  const hooked = client(server.url, {
    tokenIn,
    mutationMethod,
    onRequest: (request) => void kept.push(request),
    onResponse: (response) => void kept.push(response),
  });
  await hooked.calendars.list().toArray({ limit: 1 });
  await hooked.calendars.create(params).catch(() => undefined);
  expect(kept).toHaveLength(4);
  for (const message of kept) {
    const body = message.bodyUsed ? "" : await message.text();
    const shown = `${inspect(message, { depth: 8 })} ${message.url} ${JSON.stringify([...message.headers])} ${body}`;
    for (const form of ["canary", encodeURIComponent(token)]) expect(shown).not.toContain(form);
  }
  expect(JSON.stringify(server.seen)).toContain("canary");
});

test.each(["onRequest", "onResponse"] as const)(
  "what %s throws comes through unchanged, and nothing is tried again",
  async (hook) => {
    await using server = await startScriptedServer(busy);
    const own = new Error("the hook is broken");
    const calls: number[] = [];
    const failing = client(server.url, {
      [hook]: () => {
        calls.push(1);
        throw own;
      },
    });
    await expect(failing.calendars.list().toArray()).rejects.toBe(own);
    expect(calls).toHaveLength(1);
    const rejecting = client(server.url, { [hook]: () => Promise.reject(own) });
    await expect(rejecting.events.delete(1)).rejects.toBe(own);
    expect(server.seen).toHaveLength(hook === "onRequest" ? 0 : 2);
  },
);

test("a hook that does not end is ended by the time limit", async () => {
  await using server = await startScriptedServer(created);
  const hanging = client(server.url, { timeoutMs: 80, onResponse: () => new Promise<void>(() => {}) });
  await expect(hanging.calendars.create(params)).rejects.toMatchObject({ kind: "timeout" });
});

test("onResponse is not called without a full response", async () => {
  await using server = await startScriptedServer(cut);
  const statuses: number[] = [];
  const hooked = client(server.url, { retries: 0, onResponse: ({ status }) => void statuses.push(status) });
  await expect(hooked.calendars.create(params)).rejects.toMatchObject({ kind: "network" });
  expect(statuses).toEqual([]);
});
