import { pino } from "pino";
import { afterAll, describe, expect, test, vi } from "vitest";
import { readConfig } from "../src/config.js";
import { openDatabase } from "../src/db/connect.js";
import { migrate } from "../src/db/migrate.js";
import { startServer } from "../src/server.js";
import { tzdataVersion } from "../src/time/zones.js";
import { type Client, client } from "./clients.js";
import { createTestDatabase } from "./databases.js";
import { startOfTests } from "./harness.js";
import { countersOf, keyOf, parseMetrics } from "./metrics-text.js";
import { unexplained, watchOwnPauses } from "./own-pauses.js";
import {
  isAlive,
  load,
  metricsToken,
  type Service,
  serviceToken,
  servicesOn,
  workersOf,
} from "./services.js";

// Several processes on one port: WORKERS, docs/workers.md.
vi.setConfig({ testTimeout: 120_000 }); // each process has to load the sources: seconds on a busy machine
const patient = { timeout: 60_000, interval: 20 };

const database = await createTestDatabase();
const services = servicesOn(database);
afterAll(async () => {
  vi.resetConfig();
  await services.end();
  await database.remove();
});

const acknowledged: string[] = [];

describe("two workers", () => {
  let service: Service;
  let headers = { Authorization: "" };
  let calendar: { readonly id: string; readonly uniquekey: string };

  /** Clients that keep their connections, so many that each worker has some of them. */
  const clients = (count: number): readonly Client[] =>
    Array.from({ length: count }, () => client(service.url, "kept", headers));

  const metricsOf = async (by = client(service.url, "new")): Promise<string> =>
    (await by.send("/metrics", { headers: { Authorization: `Bearer ${metricsToken}` } })).text;

  /** How many workers answered a scrape, and how many did not. */
  const workersIn = (text: string) =>
    parseMetrics(text)
      .get("kalends_workers")
      ?.samples.map(({ value }) => value);

  /** A scrape that every worker answered in time. */
  async function wholeMetrics(): Promise<string> {
    let text = "";
    await expect.poll(async () => workersIn((text = await metricsOf())), patient).toEqual([2, 0]);
    return text;
  }

  /** The counters that are smaller than before, which is a restart of the service to Prometheus. */
  async function fallenSince(before: string, now?: string): Promise<readonly string[]> {
    const current = countersOf(now ?? (await metricsOf()));
    return [...countersOf(before)].flatMap(([key, value]) => ((current.get(key) ?? 0) < value ? key : []));
  }

  async function addEvent(by: Client, title: string): Promise<void> {
    const form = `calendar_id=${calendar.id}&title=${title}&start_date=07/04/2027 13:30`;
    const { status, text } = await by.send("/api/v1/calendars/events/create/", { form });
    if (status !== 200) throw new Error(`${status} ${text}`);
    acknowledged.push(title);
  }

  test("take the token of the settings", async () => {
    service = await services.start();
    expect(workersOf(service).map(({ number }) => number)).toEqual([1, 2]);
    headers = { Authorization: `Bearer ${serviceToken}` };
    // A connection that stayed open here, idle, would delay the replacement of its worker by more than a minute.
    const by = client(service.url, "new", headers);
    expect((await by.send("/api/v1/calendars/list/")).status).toBe(200);
  });

  test("each see the writes of the others at once: lists, feeds and their ETags", async () => {
    const [writer = client(service.url, "kept"), ...readers] = clients(6);
    const made = await writer.send("/api/v1/calendars/create/", { form: "title=Concerts&timezone=UTC" });
    ({ calendar } = JSON.parse(made.text));
    const feed = `/c/${calendar.uniquekey}/concerts.ics`;
    for (let round = 1; round <= 10; round++) {
      const etag = String((await writer.send(feed)).headers.etag);
      await addEvent(writer, `round-${round}`);
      for (const reader of readers) {
        const list = await reader.send(`/api/v1/calendars/events/list/?calendar_id=${calendar.id}`);
        expect(JSON.parse(list.text).calendar.events_count).toBe(round);
        const { status, text } = await reader.send(feed, { headers: { "If-None-Match": etag } });
        expect([status, text.includes(`SUMMARY:round-${round}\r\n`)]).toEqual([200, true]);
      }
    }
    const etag = String((await writer.send(feed)).headers.etag);
    for (const reader of readers)
      expect((await reader.send(feed, { headers: { "If-None-Match": etag } })).status).toBe(304);
    for (const one of [writer, ...readers]) one.close();
  });

  test("count a token's requests together", async () => {
    const everyone = clients(4);
    const remaining: number[] = [];
    for (const by of [...everyone, ...everyone]) {
      const answer = await by.send("/api/v1/calendars/list/");
      remaining.push(Number(answer.headers["ratelimit-remaining"]));
    }
    const [first = 0] = remaining;
    expect(first).toBeGreaterThan(900_000);
    expect(remaining).toEqual(remaining.map((_, index) => first - index));
    for (const one of everyone) one.close();
  });

  test("print their metrics as one: what each has counted, and how many they are", async () => {
    const key = keyOf({
      name: "kalends_http_requests_total",
      labels: { operation: "listCalendars", status: "2xx" },
    });
    const before = countersOf(await wholeMetrics()).get(key) ?? 0;
    const everyone = clients(6);
    for (const by of [...everyone, ...everyone]) await by.send("/api/v1/calendars/list/");
    const figures = (text: string) => {
      const metrics = parseMetrics(text);
      const valuesOf = (name: string) => metrics.get(name)?.samples.map(({ value }) => value);
      return {
        requests: countersOf(text).get(key),
        workers: workersIn(text),
        build: valuesOf("kalends_build_info"),
        up: valuesOf("kalends_database_up"),
        started: valuesOf("process_start_time_seconds")?.length,
      };
    };
    const scrapes = async () => (await Promise.all(everyone.map((by) => metricsOf(by)))).map(figures);
    const expected = { requests: before + 12, workers: [2, 0], build: [1], up: [1], started: 1 };
    await expect.poll(scrapes, patient).toEqual(everyone.map(() => expected));
    for (const one of everyone) one.close();
  });

  test("print their metrics in time when one of them hangs, with what it had counted", async () => {
    const before = await wholeMetrics();
    const [hanging] = workersOf(service);
    if (hanging === undefined) throw new Error("no workers");
    process.kill(hanging.pid, "SIGSTOP");
    const everyone = clients(6); // one connection waits for the worker that hangs, the other worker has the rest
    const began = performance.now();
    const text = await Promise.any(everyone.map((by) => metricsOf(by)));
    expect(performance.now() - began).toBeLessThan(10_000); // the scrape_timeout of Prometheus
    process.kill(hanging.pid, "SIGCONT");
    expect(workersIn(text)).toEqual([1, 1]);
    expect(await fallenSince(before, text)).toEqual([]);
    await expect.poll(async () => workersIn(await metricsOf()), patient).toEqual([2, 0]);
    for (const one of everyone) one.close();
  });

  test("a killed one is replaced, and the other continues", async () => {
    const scraped = await metricsOf();
    const [kept, killed] = workersOf(service);
    if (kept === undefined || killed === undefined) throw new Error("no workers");
    const state = { over: false, served: 0 };
    // A connection of the killed one breaks, and its client makes a new one.
    const report = (failure?: unknown): void => void (failure === undefined && state.served++);
    const everyone = clients(6);
    const done = everyone.map((by, index) => {
      let count = 0;
      return load(state, 5, () => addEvent(by, `killed-${index}-${count++}`), report);
    });
    await expect.poll(() => state.served, patient).toBeGreaterThan(20);
    process.kill(killed.pid, "SIGKILL");
    const before = state.served;
    await expect.poll(() => state.served, patient).toBeGreaterThan(before + 20);
    await expect
      .poll(() => workersOf(service).map(({ pid }) => pid), patient)
      .toEqual([kept.pid, expect.not.toSatisfy((pid: number) => pid === killed.pid)]);
    expect(await fallenSince(scraped)).toEqual([]);
    state.over = true;
    await Promise.all(done);
    for (const one of everyone) one.close();
  });

  test("are replaced one by one at SIGUSR2: no request fails, no connection closes unannounced", async () => {
    const scraped = await metricsOf();
    const before = workersOf(service);
    const state = { over: false, served: 0 };
    const failures: unknown[] = [];
    const report = (failure?: unknown): void => {
      if (failure === undefined) state.served++;
      else failures.push(failure);
    };
    const kept = (pauseMs: number): Promise<void> => {
      const by = client(service.url, "kept", headers);
      const paths = ["/api/v1/calendars/list/", `/c/${calendar.uniquekey}/concerts.ics`, "/healthz"];
      let sent = 0;
      let mayBeNew = true;
      const send = async (): Promise<void> => {
        const answer = await by.send(paths[sent++ % paths.length] ?? "");
        if (answer.status !== 200) throw new Error(String(answer.status));
        if (!answer.reused && !mayBeNew) throw new Error("the connection was closed unannounced");
        mayBeNew = answer.headers.connection === "close";
      };
      return load(state, pauseMs, send, report).then(() => by.close());
    };
    const newConnection = (index: number): Promise<void> => {
      const by = client(service.url, "new", headers);
      let count = 0;
      return load(state, 20, () => addEvent(by, `replaced-${index}-${count++}`), report);
    };
    const done = [...[10, 20, 30, 100, 1200, 1300, 1400, 1500].map(kept), ...[0, 1, 2].map(newConnection)];
    await expect.poll(() => state.served, patient).toBeGreaterThan(50);
    service.child.kill("SIGUSR2");
    await service.until(/"msg":"workers replaced"/);
    const after = workersOf(service);
    state.over = true;
    await Promise.all(done);
    expect(failures).toEqual([]);
    expect(after.map(({ number }) => number)).toEqual([1, 2]);
    expect(before.filter(isAlive)).toEqual([]);
    expect(await fallenSince(scraped)).toEqual([]);
  });

  test("have lost nothing acknowledged, and answer or refuse each request once they stop", async () => {
    const everyone = clients(6);
    const titles = new Set<string>();
    for (let page = 1, more = true; more; page++) {
      const [by = client(service.url, "new")] = everyone;
      const { text } = await by.send(
        `/api/v1/calendars/events/list/?calendar_id=${calendar.id}&page=${page}`,
      );
      const { events, paging } = JSON.parse(text);
      for (const { title } of events) titles.add(title);
      more = paging.next !== "";
    }
    expect(acknowledged.filter((title) => !titles.has(title))).toEqual([]);

    const state = { over: false, served: 0 };
    const failures: unknown[] = [];
    const ends = (failure?: unknown): void => {
      if (failure === undefined && ++state.served === 100) service.child.kill("SIGTERM");
      if (failure !== undefined) failures.push(failure);
    };
    const pauses = watchOwnPauses();
    const loads = everyone.map(async (by, index) => {
      const own = { over: false };
      let count = 0;
      await load(
        own,
        0,
        () => addEvent(by, `stopped-${index}-${count++}`),
        (failure) => {
          own.over = failure !== undefined;
          ends(failure);
        },
      );
    });
    const workers = workersOf(service);
    await Promise.all(loads);
    pauses.end();
    const { code, stdout } = await service.finished;
    const codes = failures.map((failure) =>
      failure instanceof Error && "code" in failure ? failure.code : failure,
    );
    expect(codes).toHaveLength(everyone.length);
    const others = codes.filter((each) => each !== "ECONNREFUSED");
    expect(unexplained(others, pauses)).toEqual([]);
    expect(code).toBe(0);
    expect(workers.filter(isAlive)).toEqual([]);
    for (const one of everyone) one.close();

    // Every log line is complete and comes from one of the workers.
    expect(stdout).not.toContain(serviceToken);
    expect(stdout.match(/^Listening on /gm)).toHaveLength(1);
    expect(stdout.match(/"migrations":/g)).toHaveLength(1);
    const lines = stdout.split("\n").filter((line) => line.includes('"level"'));
    const entries = lines.map((line): Record<string, unknown> => JSON.parse(line));
    expect(new Set(entries.filter(({ msg }) => msg === "request").map(({ worker }) => worker))).toEqual(
      new Set([1, 2]),
    );
  });
});

test("only the server that runs the background jobs follows new zone data", async () => {
  const own = await createTestDatabase();
  const config = readConfig({ PORT: "0", DATABASE_URL: own.url });
  const db = await openDatabase(own.url);
  await migrate(db, startOfTests);
  const zoneData = () => db.read("properties").where({ name: "tzdata_version" }).pluck("value");
  await db.transaction((trx) => trx("properties").insert({ name: "tzdata_version", value: "2020a" }));
  const followers: boolean[] = [];
  const startWith = (runsJobs: boolean) => {
    const write = (line: string): void => {
      if (line.includes('"zone data applied"')) followers.push(runsJobs);
    };
    return startServer({ config, log: pino({}, { write }), clock: () => startOfTests, runsJobs });
  };
  const servers = [await startWith(false), await startWith(true)];
  await expect.poll(() => followers, patient).toEqual([true]);
  expect(await zoneData()).toEqual([tzdataVersion]);
  await Promise.all(servers.map((server) => server.stop()));
  await db.close();
  await own.remove();
});
