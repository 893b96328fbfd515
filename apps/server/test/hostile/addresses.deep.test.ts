import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { consoleManifest } from "../../src/follow/views/console-files.js";
import { createApp } from "../../src/process/app.js";
import { readConfig } from "../../src/settings/config.js";
import { openDatabase } from "../../src/db/open-database.js";
import { routeNames } from "../../src/http/request-names.js";
import { openMetrics } from "../../src/metrics/metrics.js";
import { createTestDatabase } from "../databases.js";
import { flood } from "./attacks.js";
import type { Exchanged, Sent } from "./exchange.js";
import { expectBounded, expectRestart, isFull, measure } from "./measure.js";
import { startTarget, type Target } from "./target.js";
import { followerOf, makeWorld, type World } from "./world.js";

// Kinds: multiply, hold, starve, speak. Every public address: those of Express from its routers, the feed and the list of the
// next events, which come before it, by the names that the access log has for them.

/** The paths of Express, as its routers have them, such as /c/:uniquekey. */
async function routes(): Promise<readonly string[]> {
  const database = await createTestDatabase("empty");
  const db = await openDatabase(database.url);
  const config = readConfig({ DATABASE_URL: database.url, METRICS_TOKEN: "a-token-of-metrics" });
  const app = createApp({
    db,
    operations: (_req, _res, next) => next(),
    config,
    clock: () => 0,
    log: pino({ level: "silent" }),
    findLocation: () => Promise.resolve({ postal: null, city: null, state: null, country: null }),
    isReady: () => Promise.resolve(true),
    metrics: openMetrics("a-token-of-metrics", config, () => 0),
  });
  await db.close();
  await database.remove();
  return [...new Set(pathsIn(app.router.stack))];
}

function pathsIn(stack: readonly unknown[]): readonly string[] {
  return stack.flatMap((layer) => {
    if (typeof layer !== "object" || layer === null) return [];
    const { route, handle }: { route?: unknown; handle?: unknown } = layer;
    if (typeof route === "object" && route !== null && "path" in route)
      return [route.path].flat().map(String);
    const inner: unknown = typeof handle === "function" && "stack" in handle ? handle.stack : undefined;
    return Array.isArray(inner) ? pathsIn(inner) : [];
  });
}

/** Before Express: follow/feed.ts and follow/upcoming.ts parse these addresses. */
const byHand = ["/c/:uniquekey/feed.ics", "/f/:key/feed.ics", "/c/:uniquekey/upcoming.json"];

const addresses = [...(await routes()), ...byHand, "/sitemap.xml", "/nothing/here"];

let target: Target;
let world: World;

beforeAll(async () => {
  target = await startTarget({ settings: { FOLLOW_LIMIT_PER_ADDRESS: "100000" } });
  world = await makeWorld(target);
});
afterAll(() => target.stop());

/** Of the console: its largest file, and a page that the script shows. */
const ofConsole = { name: consoleManifest?.script ?? "", path: "calendars" };

/** An address with the values of the world. A parameter that is new must be named there. */
function filled(pattern: string, key: string): string {
  const values: Readonly<Record<string, string>> = { ...world.address, ...ofConsole, key };
  return pattern.replaceAll(/[:*](\w+)/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`say in world.ts what a ${name} is`);
    return encodeURIComponent(value);
  });
}

const year = new Date().getUTCFullYear() + 1;

/** Queries that are legal somewhere, at their largest. */
const queries = [
  "",
  `month=${year}-07`,
  `month=${year}-07&day=1&page=9999`,
  `month=${year}-07&day=31`,
  "month=9999-12",
  "month=1900-01&day=1&page=2147483648",
  "limit=50",
  "download=1",
  "chosen=1&left=1",
  "a=b&".repeat(10_000),
  `${"%F0%9D%84%9E".repeat(4_000)}=1`,
];

const names = Array.from(
  { length: 20 },
  (_, index) => `category=${encodeURIComponent("𝄞".repeat(40))}${index}`,
);

/** Forms at their largest, within what a form may have and beyond. */
const forms = [
  `app=ical&name=${"%F0%9D%84%9E".repeat(255)}&email=${"x".repeat(242)}%40example.com&choose=1&${names.join("&")}`,
  "choose=1&category=x&".repeat(3_000),
  `app=${"x".repeat(60_000)}`,
  "x".repeat(1_000_000),
];

const browser = {
  Accept: "text/html",
  "Accept-Language": "de;q=0.1,".repeat(500),
  "Accept-Encoding": "gzip",
};
const metrics = { Authorization: `Bearer metrics-token-of-the-ring` };
const form = { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" };

function requestsTo(pattern: string, path: string): readonly Sent[] {
  const headers = pattern === "/metrics" ? metrics : browser;
  return [
    ...queries.map((query): Sent => ({ path: query === "" ? path : `${path}?${query}`, headers })),
    { path, headers: { Accept: "*/*" } },
    { path, headers: { Range: "bytes=0-0,1-1,2-2", "If-None-Match": '"x",'.repeat(5_000) } },
    { method: "HEAD", path, headers: browser },
    { path: `${path}/`, headers: browser },
    ...forms.map((body): Sent => ({ method: "POST", path, headers: form, body })),
  ];
}

/** Each as often, on so many connections. */
const [many, connections] = isFull ? [100, 32] : [24, 12];

for (const pattern of addresses) {
  describe(pattern, () => {
    test("its worst requests stay within the budget of a page, alone and many at once", async (context) => {
      // A follower of its own: some forms end what the key leads to.
      const path = filled(pattern, await followerOf(target, world.address.uniquekey));
      const requests = requestsTo(pattern, path);
      const row = await measure(context, target, pattern, async () => {
        const answers: Exchanged[] = [];
        for (const sent of requests) answers.push(await target.send(sent));
        const flooded = await flood(many, connections, (index) =>
          target.send({
            path: `${path}?month=${year}-07&day=${1 + (index % 31)}&n=${index}`,
            headers: pattern === "/metrics" ? metrics : browser,
          }),
        );
        return [...answers, ...flooded];
      });
      expectBounded(row);
    });
  });
}

test("every address that the access log has a name for was visited", async () => {
  await expect.poll(() => Object.keys(routeNames).filter((name) => !target.logged.has(name))).toEqual([]);
});

test("after all of them the server starts again", async (context) => {
  const row = await measure(context, target, "a restart after all addresses", () => Promise.resolve([]));
  await expectRestart(context, target, row);
});
