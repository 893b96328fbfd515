import { readFileSync } from "node:fs";
import { allOperations, operationIds } from "@kalends/spec";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { parse } from "yaml";
import { onPostgres } from "./databases.js";
import { addFollowers, follow } from "./followers.js";
import { sharedJobs } from "../src/process/jobs.js";
import { readConfig } from "../src/settings/config.js";
import { followerCounter } from "../src/metrics/subscriber-counts.js";
import { openMetrics } from "../src/metrics/metrics.js";
import { deleteEndpoint } from "../src/webhooks/queries.js";
import { startTestServer, type TestAccount, type TestServer } from "./harness.js";
import { countersOf, keyOf, parseMetrics } from "./metrics-text.js";
import { startReceiver } from "./webhook-receiver.js";
import { addEndpoint, everyType } from "./webhook-world.js";

// /metrics (docs/metrics.md).

const METRICS_TOKEN = "metrics-token-of-a-test";
const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
const patient = { timeout: 20_000, interval: 20 };

let server: TestServer;
let account: TestAccount;
let calendar_id = "";
let uniquekey = "";
beforeAll(async () => {
  server = await startTestServer({ METRICS_TOKEN, RATE_LIMIT: "1000", WEBHOOK_ALLOW_PRIVATE: "on" });
  account = await server.account();
  calendar_id = await addFollowers(server.db, account);
  [{ uniquekey }] = (await account.call("listCalendars")).body.calendars;
});
afterAll(() => server.stop());

const scrapeOnce = async (of = server) => (await of.request("/metrics", { headers })).text;

/** What a scrape reads from the database, and leaves out where that does not answer in time, such as on a busy machine. */
const fromDatabase = [/^kalends_database_up 1$/m, /^kalends_followers\{/m, /^kalends_webhook_pending \d/m];

/** Returns a scrape that leaves nothing out. */
async function scrape(): Promise<string> {
  let text = "";
  const missing = async () => {
    text = await scrapeOnce();
    return fromDatabase.filter((pattern) => !pattern.test(text));
  };
  await expect.poll(missing, patient).toEqual([]);
  return text;
}
const valueOf = async (name: string, labels: Readonly<Record<string, string>> = {}) =>
  [...parseMetrics(await scrape()).values()]
    .flatMap(({ samples }) => samples)
    .find((sample) => keyOf(sample) === keyOf({ name, labels }))?.value;

/** What has been added since, without the scrapes themselves. */
async function addedSince(before: string, name: string): Promise<Readonly<Record<string, number>>> {
  const was = countersOf(before);
  const grown = [...countersOf(await scrape())].map(
    ([key, value]) => [key, value - (was.get(key) ?? 0)] as const,
  );
  return Object.fromEntries(
    grown.filter(([key, more]) => key.startsWith(`${name}{`) && more !== 0 && !key.includes('"other"')),
  );
}

describe("/metrics", () => {
  test("is a path like any unknown one without METRICS_TOKEN", async () => {
    const without = await startTestServer();
    const answers = await Promise.all(
      ["/metrics", "/nothing"].map((path) => without.request(path, { headers })),
    );
    const [metrics, unknown] = answers.map(({ status, body: { meta } }) => ({
      status,
      ...meta,
      request_id: "",
    }));
    expect(metrics?.status).toBe(404);
    expect(metrics).toEqual(unknown);
    await without.stop();
  });

  test.each([
    ["no token", undefined],
    ["another token", "Bearer metrics-token-of-a-tesT"],
    ["a longer one", `Bearer ${METRICS_TOKEN}x`],
    ["another scheme", `Basic ${METRICS_TOKEN}`],
  ])("is refused with %s, and counts nothing of the token's", async (_, authorization) => {
    const init = authorization === undefined ? {} : { headers: { authorization } };
    const answer = await server.request("/metrics", init);
    expect([answer.status, answer.headers.get("WWW-Authenticate")]).toEqual([
      401,
      expect.stringMatching(/^Bearer /),
    ]);
    expect(answer.text).not.toContain("kalends_");
  });

  test("is not opened by a token of an account, nor by its own in the query", async () => {
    const own = await server.request("/metrics", { headers: { Authorization: `Bearer ${account.token}` } });
    const inQuery = await server.request(`/metrics?token=${METRICS_TOKEN}`);
    expect([own.status, inQuery.status]).toEqual([401, 401]);
  });

  test("answers GET and HEAD alone, and has no rate limit", async () => {
    const [get, head, post] = await Promise.all(
      ["GET", "HEAD", "POST"].map((method) => server.request("/metrics", { method, headers })),
    );
    expect([get?.status, head?.status, post?.status]).toEqual([200, 200, 405]);
    expect(get?.headers.get("Content-Type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(get?.headers.get("Cache-Control")).toBe("no-store");
    expect(head?.text).toBe("");
    expect((await account.call("listCalendars")).headers.get("RateLimit-Limit")).toBe("1000");
    expect(get?.headers.get("RateLimit-Limit")).toBeNull();
  });
});

const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

describe("the metrics", () => {
  test("are those of docs/metrics.md, with its types and labels", async () => {
    const table = [...read("docs/metrics.md").matchAll(/^\| `(kalends_\w+)` +\| (\w+) +\| ([^|]*) \|/gm)];
    const documented = table.map(([, name, type, labels = ""]) => [
      name,
      type,
      [...labels.matchAll(/\w+/g)].map(([label]) => label),
    ]);
    await account.call("createEvent", { calendar_id, title: "x", start_date: "07/04/2026 10:00" });
    const printed = [...parseMetrics(await scrape())]
      .filter(([name]) => name.startsWith("kalends_"))
      .map(([name, { type, samples }]) => {
        const labels = new Set(samples.flatMap(({ labels }) => Object.keys(labels)));
        labels.delete("le");
        return [name, type, [...labels]];
      });
    const byName = (list: typeof documented) =>
      list.toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1));
    expect(byName(printed)).toEqual(byName(documented));
  });

  test("have no label that names a calendar, an account, a token or a person, whatever is sent", async () => {
    for (const path of [`/c/${uniquekey}`, `/c/${uniquekey}/x.ics`, "/f/secret-key/x.ics", "/a/path", "/%00"])
      await server.request(path, { headers: { "User-Agent": "An App/1.0" } });
    const families = [...parseMetrics(await scrape()).values()];
    const values = (label: string) =>
      new Set(families.flatMap(({ samples }) => samples.flatMap(({ labels }) => labels[label] ?? [])));
    expect([...values("operation")].toSorted()).toEqual(
      [...operationIds, "feed", "upcoming", "page", "other"].toSorted(),
    );
    expect(values("status")).toEqual(new Set(["2xx", "3xx", "4xx", "5xx"]));
    expect(values("code")).toEqual(new Set(["200", "304", "other"]));
    expect(values("cache")).toEqual(new Set(["lists", "feeds", "upcoming"]));
    expect(values("pool")).toEqual(new Set(onPostgres ? ["primary"] : ["writer", "readers", "lookups"]));
    const text = await scrape();
    for (const secret of [
      account.token,
      METRICS_TOKEN,
      uniquekey,
      "secret-key",
      "Ada",
      "203.0.113",
      "An App",
    ])
      expect(text).not.toContain(secret);
  });

  test("count each request once, by operation and class of its status", async () => {
    const before = await scrape();
    await account.call("listCalendars");
    await account.call("listCalendars");
    await account.call("listCalendars", { page: "x" });
    await server.request("/api/v1/calendars/list/");
    await server.request(`/c/${uniquekey}`);
    await server.request("/c/nothing");
    await server.request("/docs");
    const forms = ["follow", "unfollow", "renew", "categories", "delete"];
    for (const form of forms) await server.request(`/${form === "follow" ? "c" : "f"}/x/${form}`);
    const requests = (operation: string, status: string) =>
      keyOf({ name: "kalends_http_requests_total", labels: { operation, status } });
    const expected = {
      [requests("listCalendars", "2xx")]: 2,
      [requests("listCalendars", "4xx")]: 2,
      [requests("page", "2xx")]: 2,
      [requests("page", "4xx")]: 1 + forms.length,
    };
    // A request ends on the server after its client has the response.
    await expect.poll(() => addedSince(before, "kalends_http_requests_total"), patient).toEqual(expected);
    expect(Object.values(await addedSince(before, "kalends_http_request_duration_seconds_count"))).toEqual(
      Object.values(expected),
    );
    expect(await addedSince(before, "kalends_http_requests_total")).toEqual(expected);
  });

  test("tell feeds that were sent from those not modified, and what the caches had", async () => {
    await account.call("createEvent", { calendar_id, title: "x", start_date: "07/04/2026 10:00" });
    const before = await scrape();
    const feed = `/c/${uniquekey}/x.ics`;
    const etag = (await server.request(feed)).headers.get("ETag") ?? "";
    await server.request(feed);
    for (let poll = 0; poll < 3; poll++) await server.request(feed, { headers: { "If-None-Match": etag } });
    await server.request(`/f/nobody/x.ics`);
    for (let list = 0; list < 4; list++) await account.call("listEvents", { calendar_id });
    const polls = (code: string) => keyOf({ name: "kalends_feed_responses_total", labels: { code } });
    const lookups = (cache: string, result: string) =>
      keyOf({ name: "kalends_cache_requests_total", labels: { cache, result } });
    await expect
      .poll(() => addedSince(before, "kalends_feed_responses_total"), patient)
      .toEqual({ [polls("200")]: 2, [polls("304")]: 3 });
    expect(await addedSince(before, "kalends_cache_requests_total")).toEqual({
      [lookups("feeds", "hit")]: 1,
      [lookups("feeds", "miss")]: 1,
      [lookups("lists", "hit")]: 3,
      [lookups("lists", "miss")]: 1,
    });
  });

  test("count writes and the transactions that they share", async () => {
    const before = await scrape();
    const event = { calendar_id, title: "x", start_date: "07/04/2026 10:00" };
    await Promise.all([1, 2, 3, 4, 5].map(() => account.call("createEvent", event)));
    const waits = await addedSince(before, "kalends_write_wait_seconds_count");
    expect(waits).toEqual({ "kalends_write_wait_seconds_count{}": 5 });
    const groups = await addedSince(before, "kalends_write_groups_total");
    expect(Object.values(groups)).toEqual([expect.toSatisfy((count: number) => count >= 1 && count <= 5)]);
    expect(await valueOf("kalends_write_queue_length")).toBe(0);
    const pool = onPostgres ? "primary" : "writer";
    expect(await addedSince(before, "kalends_database_connection_wait_seconds_count")).toHaveProperty(
      [keyOf({ name: "kalends_database_connection_wait_seconds_count", labels: { pool } })],
      expect.any(Number),
    );
    expect(await valueOf("kalends_database_connections_max", { pool })).toBe(onPostgres ? 10 : 1);
  });

  test("show the followers of all calendars by app, counted no more than once a minute", async () => {
    const followers = (state: string) => valueOf("kalends_followers", { app: "apple", state });
    expect([await followers("active"), await followers("inactive")]).toEqual([2, 2]); // one of these is blocked
    const one = { active: 1, blocked: 0, subscribed_at: server.now, name: "", city: null };
    await follow(server.db, account, calendar_id, one);
    expect(await followers("active")).toBe(2);
    expect(await valueOf("kalends_followers", { app: "ical", state: "active" })).toBe(0);
  });

  test("count followers slice by slice, and again when a count is old", async () => {
    const one = { active: 0, blocked: 0, subscribed_at: server.now, name: "", city: null };
    const count = followerCounter(server.db, { sliceSize: 2, validMs: 0, validTimes: 0 });
    const whole = followerCounter(server.db);
    const ofApple = async (counter: typeof count) => (await counter())?.find(({ app }) => app === "apple");
    expect(await ofApple(count)).toEqual({ app: "apple", active: 3, inactive: 2 });
    expect(await ofApple(whole)).toEqual({ app: "apple", active: 3, inactive: 2 });
    await follow(server.db, account, calendar_id, one);
    await expect.poll(() => ofApple(count), patient).toEqual({ app: "apple", active: 3, inactive: 3 });
    expect(await ofApple(whole)).toEqual({ app: "apple", active: 3, inactive: 2 });
  });

  test("count no follower of a deleted calendar, also where a slice has no other", async () => {
    const { id } = (await account.call("createCalendar", { title: "x" })).body.calendar;
    const one = { active: 1, blocked: 0, subscribed_at: server.now, name: "", city: null };
    for (let count = 0; count < 5; count++) await follow(server.db, account, id, one);
    await follow(server.db, account, calendar_id, one);
    await account.call("deleteCalendar", { calendar_id: id });
    const counted = await followerCounter(server.db, { sliceSize: 2, validMs: 0, validTimes: 0 })();
    expect(counted?.find(({ app }) => app === "apple")).toMatchObject({ active: 4, inactive: 3 });
  });
});

describe("the files of examples/grafana", () => {
  interface Dashboard {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
    readonly templating: { readonly list: readonly { readonly definition?: string }[] };
  }
  const dashboard: Dashboard = JSON.parse(read("examples/grafana/kalends.json"));
  const queries = [
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.flatMap(({ definition = [] }) => definition),
  ];
  interface Rules {
    readonly groups: readonly {
      readonly rules: readonly { readonly alert: string; readonly expr: string }[];
    }[];
  }
  const alerts: Rules = parse(read("examples/grafana/alerts.yml"));
  const rules = alerts.groups.flatMap((group) => group.rules);

  test.each([
    ["kalends.json", queries],
    ["alerts.yml", rules.map(({ expr }) => expr)],
  ])("%s uses no metric and no label that is not printed", async (_, expressions) => {
    const families = parseMetrics(await scrape());
    const names = new Set(
      [...families].flatMap(([name, { type }]) =>
        type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    );
    const used = expressions.flatMap((expression) => metricsIn(expression));
    expect(used.length).toBeGreaterThan(8);
    // `up` is Prometheus's own.
    expect(used.filter((name) => !names.has(name) && name !== "up")).toEqual([]);
    const samples = [...families.values()].flatMap((family) => family.samples);
    const labels = new Set(["instance", "job", ...samples.flatMap(({ labels }) => Object.keys(labels))]);
    expect(
      expressions.flatMap((expression) => labelsIn(expression)).filter((name) => !labels.has(name)),
    ).toEqual([]);
  });

  test("alerts.yml has the alerts of docs/metrics.md", () => {
    const documented = [...read("docs/metrics.md").matchAll(/^\| (Kalends\w+) +\|/gm)].map(
      ([, name]) => name,
    );
    expect(rules.map(({ alert }) => alert)).toEqual(documented);
  });

  test("KalendsSlow looks at every list, also at those of the extensions, and at feeds", () => {
    const { expr = "" } = rules.find(({ alert }) => alert === "KalendsSlow") ?? {};
    const [, pattern = ""] = /operation=~"([^"]*)"/.exec(expr) ?? [];
    const lists = Object.entries(allOperations).flatMap(([id, { params }]) =>
      "page" in params.shape ? [id] : [],
    );
    const unseen = [...lists, "feed", "upcoming"].filter(
      (name) => !new RegExp(`^(?:${pattern})$`).test(name),
    );
    expect(lists).toContain("eventsList");
    expect(unseen).toEqual([]);
  });

  /** The labels of an expression: in selectors and in groups. */
  function labelsIn(expression: string): readonly string[] {
    const selected = [...expression.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = ""]) => label);
    const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) =>
      list.split(/, */),
    );
    return [...selected, ...grouped];
  }

  /** Every name in an expression that is not a function, an operator, a label or text. */
  function metricsIn(expression: string): readonly string[] {
    const plain = expression
      .replaceAll(/"[^"]*"/g, "")
      .replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|without) \([^)]*\)|\blabel_values\(|, instance\)/g, " ");
    return (plain.match(/[a-z_]\w*(?!\w| *\()/g) ?? []).filter((name) => !["by", "or", "and"].includes(name));
  }
});

test("attempts to send to webhooks are counted by what came of them, and what waits with its age", async () => {
  let status = 200;
  const receiver = await startReceiver(() => status);
  const owner = await server.account();
  await addEndpoint(server.db, owner.id, { url: receiver.url, types: everyType });
  const attempts = (outcome: string) => valueOf("kalends_webhook_attempts_total", { outcome });
  const webhooks = (state: string) => valueOf(`kalends_webhooks_${state}`);
  const before = { enabled: (await webhooks("enabled")) ?? 0, disabled: (await webhooks("disabled")) ?? 0 };
  const create = () => owner.call("createCalendar", { title: "x", timezone: "UTC" });
  await create();
  await expect.poll(() => attempts("sent"), patient).toBe(1);
  await expect.poll(() => valueOf("kalends_webhook_pending"), patient).toBe(0); // settled after it is counted
  expect(await valueOf("kalends_webhook_oldest_pending_seconds")).toBe(0);
  status = 500;
  await create();
  await expect.poll(() => attempts("retried"), patient).toBe(1);
  server.now += 3;
  expect(await valueOf("kalends_webhook_pending")).toBe(1);
  expect(await valueOf("kalends_webhook_oldest_pending_seconds")).toBe(3);
  status = 410;
  server.now += 3;
  await expect.poll(() => attempts("failed"), patient).toBe(1);
  await expect.poll(() => valueOf("kalends_webhook_pending"), patient).toBe(0); // settled after it is counted
  expect(await valueOf("kalends_webhook_attempt_duration_seconds_count")).toBe(3);
  await expect.poll(() => webhooks("enabled"), patient).toBe(before.enabled - 1); // disabled after that
  expect(await webhooks("disabled")).toBe(before.disabled + 1);
  await receiver.close();
});

test("what the jobs remove of webhooks is counted by its reason", async () => {
  const owner = await server.account();
  const { id } = await addEndpoint(server.db, owner.id, { types: everyType, url: "https://hooks.example/b" });
  await owner.call("createCalendar", { title: "x", timezone: "UTC" });
  await server.db.transaction((trx) => deleteEndpoint(trx, { id, account_id: owner.id }, server.now));
  const config = readConfig({});
  const metrics = openMetrics("x", config);
  const purged = { keys: metrics.keys.purged, deliveries: metrics.webhooks.purged };
  const context = {
    db: server.db,
    config,
    clock: () => server.now,
    log: pino({ enabled: false }),
    purged,
  };
  await sharedJobs(context)
    .find(({ name }) => name === "webhook deliveries")
    ?.run(() => false);
  expect(await metrics.print()).toContain('kalends_webhook_deliveries_purged_total{reason="deleted"} 1\n');
});

test("writes with a key are counted by what became of them, and shortened messages", async () => {
  const before = await scrape();
  await addEndpoint(server.db, account.id, { types: everyType, url: "https://hooks.example/a" });
  const text = "x".repeat(30_000);
  for (const description of [text, text, "other"])
    await server.request("/api/v1/calendars/events/create/", {
      method: "POST",
      headers: { Authorization: `Bearer ${account.token}`, "Idempotency-Key": "counted" },
      body: new URLSearchParams({ calendar_id, title: "x", start_date: "07/04/2026 10:00", description }),
    });
  const keys = (outcome: string) => keyOf({ name: "kalends_idempotency_keys_total", labels: { outcome } });
  expect(await addedSince(before, "kalends_idempotency_keys_total")).toEqual({
    [keys("stored")]: 1,
    [keys("replayed")]: 1,
    [keys("reused")]: 1,
  });
  const shortened = "kalends_webhook_payloads_shortened_total";
  const was = countersOf(before).get(keyOf({ name: shortened, labels: {} })) ?? 0;
  expect(await valueOf(shortened)).toBe(was + 1);
});

test.runIf(onPostgres)(
  "/metrics answers while the database is away, without what is read from it",
  async () => {
    const far = await startTestServer({ METRICS_TOKEN });
    const present = async () => {
      const families = parseMetrics(await scrapeOnce(far));
      return {
        up: families.get("kalends_database_up")?.samples[0]?.value,
        followers: (families.get("kalends_followers")?.samples.length ?? 0) > 0,
        requests: (families.get("kalends_http_requests_total")?.samples.length ?? 0) > 0,
      };
    };
    await expect.poll(present, patient).toEqual({ up: 1, followers: true, requests: true });
    const control = new pg.Client({ connectionString: `${inject("postgresUrl")}/postgres` });
    await control.connect();
    const name = new URL(far.databaseUrl).pathname.slice(1);
    await control.query(`alter database ${name} with allow_connections false`);
    // Again and again: a connection that was being made has no name of a database yet.
    const away = async () => {
      await control.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
        name,
      ]);
      return present();
    };
    await expect.poll(away, patient).toEqual({ up: 0, followers: false, requests: true });
    await control.query(`alter database ${name} with allow_connections true`);
    await expect.poll(present, patient).toEqual({ up: 1, followers: true, requests: true });
    await control.end();
    await far.stop();
  },
);
