import { afterAll, expect, test } from "vitest";
import { exchange } from "./calls.js";
import { startTestServer } from "./harness.js";

// The console's page and files (docs/decisions/0022-console.md). What they do is tested in a browser: deep/server/console.deep.test.ts.

const server = await startTestServer();
const behindPath = await startTestServer({ PUBLIC_URL: "https://club.example/kalends/" });
afterAll(() => Promise.all([server.stop(), behindPath.stop()]));

const scriptOf = (page: string): string => /<script type="module" src="([^"]+)"/.exec(page)?.[1] ?? "";

test.each(["/console", "/console/", "/console/join", "/console/calendars/7/share"])(
  "%s is the console, which may talk to its own server alone and write no text as HTML",
  async (path) => {
    const { status, headers, text } = await server.request(path);
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers.get("cache-control")).toBe("no-cache");
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none';style-src 'self';script-src 'self';img-src 'self';form-action 'self';base-uri 'none';object-src 'none';frame-ancestors 'none';connect-src 'self';require-trusted-types-for 'script';trusted-types 'none'",
    );
    expect(headers.get("x-robots-tag")).toBe("noindex");
    expect(text).toContain('<div id="app"></div>');
  },
);

test("the page is in the visitor's language, and not sent again while it is the same", async () => {
  const { headers, text } = await server.request("/console", { headers: { "Accept-Language": "fr-CA, en" } });
  expect(text).toMatch(/<html lang="fr" dir="ltr" data-root="">/);
  expect(headers.get("vary")).toContain("Accept-Language");
  const again = await exchange(server, "/console", {
    headers: { "Accept-Language": "fr-CA, en", "If-None-Match": headers.get("etag") ?? "" },
  });
  expect(again.status).toBe(304);
});

test("each file that the page names is there, immutable, in what the browser can decompress", async () => {
  const { text } = await server.request("/console");
  const files = [...text.matchAll(/(?:href|src)="(\/console\/assets\/[^"]+)"/g)].map(
    ([, path]) => path ?? "",
  );
  expect(files.length).toBeGreaterThan(2);
  for (const path of files) {
    for (const [accepted, sent] of [
      ["br, gzip", "br"],
      ["gzip", "gzip"],
      ["identity", null],
    ] as const) {
      const { status, headers } = await server.request(path, { headers: { "Accept-Encoding": accepted } });
      expect([path, status, headers.get("content-encoding")]).toEqual([path, 200, sent]);
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(headers.get("vary")).toContain("Accept-Encoding");
    }
  }
});

test.each([
  ["GET", "/console/assets/console.00000000.js", 404],
  ["GET", "/console/assets/../../package.json", 404],
  ["GET", "/console/assets/constructor", 404],
  ["GET", "/consoles", 404],
  ["POST", "/console", 405],
] as const)("%s %s is a %i", async (method, path, expected) => {
  expect((await server.request(path, { method })).status).toBe(expected);
});

test("what is below /console/api is answered as the API is", async () => {
  const { status, headers } = await server.request("/console/api/none/");
  expect([status, headers.get("content-type")]).toEqual([404, "application/json"]);
});

test("behind a path the page and its files name it", async () => {
  const { text } = await behindPath.request("/console");
  expect(text).toContain('data-root="/kalends"');
  expect(scriptOf(text)).toMatch(/^\/kalends\/console\/assets\/console\.\w+\.js$/);
});
