import { expect, test } from "vitest";
import { startTestServer, testServer, type TestServer } from "./harness.js";
import { callConsole, cookieOf } from "./people.js";

const server = await testServer({ RATE_LIMIT: "1000", SLOW_MS: "0" }); // no line of a busy machine

test("every request has an id in its header, in its error body and in its one log line", async () => {
  const before = server.logLines.length;
  const answer = await server.request("/api/v1/calendars/list/");
  const id = answer.headers.get("X-Request-Id");
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(answer.body.meta.request_id).toBe(id);
  await expect.poll(() => server.logLines.length).toBe(before + 1);
  expect(server.logLines.at(-1)).toMatchObject({
    request_id: id,
    method: "GET",
    operation: "listCalendars",
    status: 401,
    error_type: "token_missing",
    msg: "request",
  });
});

test("the log never holds a token, a query or a person's data, whatever goes wrong", async () => {
  const account = await server.account();
  const canary = "canary4711";
  const { id } = (await account.get("createCalendar", { title: canary })).body.calendar;
  const event = {
    calendar_id: id,
    title: canary,
    start_date: "07/04/2026 13:30",
    organizer_email: `${canary}@example.com`,
  };
  const texts = [
    (await account.get("createEvent", event)).text,
    (await account.get("createEvent", { ...event, start_date: canary })).text,
    (await account.get("createEvent", { ...event, calendar_id: canary })).text,
    (await server.request(`/api/v1/calendars/list/?token=${canary}${canary}`)).text,
    (await server.request(`/${canary}?token=${account.token}`)).text,
    (await server.request(`/api/v1/calendars/list/?token=${account.token}&a=%zz${canary}`)).text,
  ];
  // The events table gone: the failure of the database must not put its query into the log or the answer.
  await server.db.transaction((trx) => trx.raw("alter table events rename to events_away"));
  texts.push((await account.get("createEvent", event)).text);
  await server.db.transaction((trx) => trx.raw("alter table events_away rename to events"));
  const internal = texts.at(-1) ?? "";
  expect(internal).toContain("internal_error");
  expect(internal).not.toMatch(/sqlite|select|insert|events_away/i);
  await expect.poll(() => server.logText()).toContain("internal_error");
  expect(server.logText()).not.toContain(canary);
  expect(server.logText()).not.toContain(account.token);
  for (const text of texts.slice(1)) expect(text).not.toContain(canary);
});

test("responses report a token's remaining requests; without any left it gets 429 with Retry-After, and other tokens do not", async () => {
  const limited = await startTestServer({ RATE_LIMIT: "3" });
  const [one, other] = [await limited.account(), await limited.account()];
  const statuses: number[] = [];
  for (let request = 0; request < 4; request++) statuses.push((await one.call("listCalendars")).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const refused = await one.call("listCalendars");
  expect(refused.body.meta.error_type).toBe("rate_limited");
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(refused.headers.get("RateLimit-Remaining")).toBe("0");
  expect((await other.call("listCalendars")).headers.get("RateLimit-Remaining")).toBe("2");
  await limited.stop();
});

test("a session counts as the token that opened it: more of them give no more requests", async () => {
  const limited = await startTestServer({ RATE_LIMIT: "3" });
  const account = await limited.account();
  const listWith = async () => {
    const opened = await callConsole(limited, "sessionOpen", { token: account.token });
    return (await callConsole(limited, "tokensList", {}, { Cookie: cookieOf(opened) })).status;
  };
  const statuses: number[] = [];
  for (let session = 0; session < 4; session++) statuses.push(await listWith());
  expect(statuses).toEqual([200, 200, 200, 429]);
  await limited.stop();
});

test("any origin may read a response, without credentials, and a preflight reports the allowed methods and headers", async () => {
  const headers = { Origin: "https://app.example" };
  const answer = await server.request("/api/v1/timezones", { headers });
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(answer.headers.get("Access-Control-Allow-Credentials")).toBeNull();
  const preflight = await server.request("/api/v1/calendars/create/", {
    method: "OPTIONS",
    headers: {
      ...headers,
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "authorization,traceparent,tracestate",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("Access-Control-Allow-Headers")).toBe(
    "Authorization,Content-Type,Idempotency-Key,If-Match,traceparent,tracestate",
  );
});

test("CORS_ORIGINS narrows who may read", async () => {
  const narrow = await startTestServer({ CORS_ORIGINS: "https://a.example,https://b.example" });
  const origin = async (from: string, path = "/api/v1/timezones") =>
    (await narrow.request(path, { headers: { Origin: from } })).headers.get("Access-Control-Allow-Origin");
  expect(await origin("https://b.example")).toBe("https://b.example");
  expect(await origin("https://c.example")).toBeNull();
  expect(await origin("https://c.example", "/openapi.json")).toBe("*");
  await narrow.stop();
});

test("no answer sets a cookie or names the software", async () => {
  const { headers } = await server.request("/api/v1/timezones");
  expect(headers.get("Set-Cookie")).toBeNull();
  expect(headers.get("X-Powered-By")).toBeNull();
  expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  expect(headers.get("Strict-Transport-Security")).toBeNull();
});

for (const path of [
  "/openapi.json",
  "/openapi.yaml",
  "/openapi-3.1.json",
  "/openapi-generators.json",
  "/openapi-kalends.json",
  "/openapi-kalends.yaml",
  "/openapi-kalends-generators.json",
]) {
  test(`${path} is served as published, with an ETag`, async () => {
    const { readFile } = await import("node:fs/promises");
    const published = await readFile(new URL(`../../../packages/spec${path}`, import.meta.url), "utf8");
    const answer = await server.request(path);
    expect(answer.text).toBe(published);
    const again = await server.request(path, {
      headers: { "If-None-Match": answer.headers.get("ETag") ?? "" },
    });
    expect(again.status).toBe(304);
  });
}

test("health and readiness answer, and only to reads", async () => {
  expect(await server.request("/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
  await expect
    .poll(() => server.request("/readyz")) // 503 when the process is held up
    .toMatchObject({ status: 200, body: { status: "ok" } });
  expect((await server.request("/healthz", { method: "POST" })).status).toBe(405);
});

test("a proxy is trusted only with TRUST_PROXY, and its host must be valid", async () => {
  const trusting = await startTestServer({ TRUST_PROXY: "1", PAGE_SIZE: "1" });
  const next = async (on: TestServer, host: string) => {
    const account = await on.account();
    for (const title of ["a", "b"]) await account.call("createCalendar", { title });
    const headers = {
      "X-Forwarded-Host": host,
      "X-Forwarded-Proto": "https",
      Authorization: `Bearer ${account.token}`,
    };
    return on.request("/api/v1/calendars/list/", { headers });
  };
  expect((await next(trusting, "calendars.example.com")).body.paging.next).toMatch(
    /^https:\/\/calendars\.example\.com\/api/,
  );
  expect((await next(trusting, 'evil"/')).status).toBe(400);
  const wary = await startTestServer({ PAGE_SIZE: "1" });
  expect((await next(wary, "calendars.example.com")).body.paging.next).toMatch(/^http:\/\/127\.0\.0\.1:/);
  await Promise.all([trusting.stop(), wary.stop()]);
});

test("the ETag of a feed cannot be computed from the id of its calendar and the number of its changes", async () => {
  const tagOf = async (on: TestServer): Promise<string | null> => {
    const account = await on.account();
    const { id, uniquekey } = (await account.call("createCalendar", { title: "x" })).body.calendar;
    expect(id).toBe("1");
    return (await on.request(`/c/${uniquekey}/x.ics`)).headers.get("ETag");
  };
  const [one, other] = [await startTestServer(), await startTestServer()];
  expect(await tagOf(one)).not.toBe(await tagOf(other));
  await Promise.all([one.stop(), other.stop()]);
});
