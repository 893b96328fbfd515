import { afterAll, describe, expect, test } from "vitest";
import { exchange } from "./calls.js";
import { startTestServer, testServer } from "./harness.js";
import { sendBytes } from "./sockets.js";

// Scheme and host of the URLs in answers (rulings R3.2): never what a stranger puts there.

const server = await testServer({ PAGE_SIZE: "3" });
const owner = await server.account();
const { token } = owner;
for (const title of ["one", "two", "three", "four"]) await owner.call("createCalendar", { title });

test("neighbours have the host of the request, and no header but Host changes it", async () => {
  const path = `/api/v1/calendars/list/?token=${token}`;
  const headers = {
    Host: "calendars.example:8443",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "https",
    Forwarded: "host=evil.example",
  };
  const answer = await exchange(server, path, { headers });
  expect(answer.body.paging.next).toBe(`http://calendars.example:8443${path}&page=2`);
});

test("PUBLIC_URL replaces scheme and host, and its path is a prefix", async () => {
  const published = await startTestServer({ PAGE_SIZE: "1", PUBLIC_URL: "https://calendars.example/base/" });
  const account = await published.account();
  for (const title of ["one", "two", "three"]) await account.call("createCalendar", { title });
  const { body } = await account.get("listCalendars", { page: "2" });
  const address = `https://calendars.example/base/api/v1/calendars/list/?token=${account.token}`;
  expect(body.paging).toStrictEqual({ previous: `${address}&page=1`, next: `${address}&page=3` });
  await published.stop();
});

test("links for a request without Host, which HTTP/1.0 allows, have the address that it was sent to", async () => {
  const path = `/api/v1/calendars/list/?token=${token}`;
  const answer = await sendBytes(server, `GET ${path} HTTP/1.0\r\n\r\n`);
  expect(answer.body.paging.next).toBe(`${server.url}${path}&page=2`);
});

describe("behind a trusted proxy", async () => {
  const proxied = await startTestServer({ PAGE_SIZE: "1", TRUST_PROXY: "1" });
  afterAll(() => proxied.stop());
  const account = await proxied.account();
  for (const title of ["one", "two"]) await account.call("createCalendar", { title });
  const path = `/api/v1/calendars/list/?token=${account.token}`;

  test("neighbours have the scheme and host of the proxy's headers", async () => {
    const headers = { "X-Forwarded-Host": "calendars.example", "X-Forwarded-Proto": "https" };
    const answer = await exchange(proxied, path, { headers });
    expect(answer.body.paging.next).toBe(`https://calendars.example${path}&page=2`);
  });

  test.each([
    { "X-Forwarded-Host": 'evil/"><script>' },
    { "X-Forwarded-Host": "user@evil.example" },
    { "X-Forwarded-Host": "evil.example/path?x=" },
    { "X-Forwarded-Proto": "javascript" },
  ])("what is no host or no scheme is a 400: %j", async (headers) => {
    const answer = await exchange(proxied, path, { headers });
    expect([answer.status, answer.body.meta.error_type]).toStrictEqual([400, "malformed_request"]);
  });
});
