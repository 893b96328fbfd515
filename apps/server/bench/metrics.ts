// What metrics cost a cached list: bench:metrics. Measured in one process, since the difference
// is lost in what two of them differ by. Numbers are in docs/metrics.md.
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { Counter, Histogram, Registry } from "prom-client";
import { readConfig } from "../src/settings/config.js";
import { openMetrics } from "../src/metrics/metrics.js";
import { startServer } from "../src/process/server.js";

const METRICS_TOKEN = "metrics-token-of-a-benchmark";
const CALENDAR_TOKEN = "calendar-token-of-a-benchmark";
const calls = 3_000_000;
const [rounds, requestsPerRound] = [60, 400];

/** CPU time of this process for each run, in ns. */
async function cpuOf(times: number, run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < times; index++) {
    const result = run();
    if (result instanceof Promise) await result;
  }
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1_000) / times;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

async function measureCalls(): Promise<void> {
  const { observeRequest } = openMetrics(METRICS_TOKEN, readConfig({}), () => 0);
  const options = { help: "x", labelNames: ["operation", "status"], registers: [new Registry()] };
  const histogram = new Histogram({ ...options, name: "x", buckets: [0.001, 0.01, 0.1, 1] });
  const observing = histogram.labels("listEvents", "2xx");
  const counting = new Counter({ ...options, name: "x_total" }).labels("listEvents", "2xx");
  const library = (): void => {
    observing.observe(0.0004);
    counting.inc();
  };
  for (const [name, run] of [
    ["ours", () => observeRequest("listEvents", 200, 0.0004)],
    ["prom-client's", library],
  ] as const) {
    await cpuOf(calls / 10, run);
    console.log(`${name}, ns for each request: ${Math.round(await cpuOf(calls, run))}`);
  }
}

/** A server and a client that asks it for a cached list. */
async function startPair(folder: string, name: string, settings: Readonly<Record<string, string>>) {
  const config = readConfig({
    PORT: "0",
    DATABASE_URL: `sqlite:${join(folder, name)}`,
    CALENDAR_TOKEN,
    ...settings,
  });
  const { prepareAccounts } = await import("../src/people/first-start.js");
  const clock = (): number => Math.floor(Date.now() / 1000);
  const output = { write: () => undefined };
  const server = await startServer({
    config,
    log: pino({ level: "info" }, output),
    output,
    clock,
    prepare: async (db, now) =>
      void (await prepareAccounts(db, { settingToken: CALENDAR_TOKEN, makesDemo: false }, now)),
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { Authorization: `Bearer ${CALENDAR_TOKEN}` };
  const list = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const sent = request(`${server.url}/api/v1/calendars/list/`, { agent, headers }, (res) => {
        res.resume().once("end", () => (res.statusCode === 200 ? resolve() : reject(new Error("not 200"))));
      });
      sent.once("error", reject).end();
    });
  return { list, stop: () => server.stop().then(() => agent.destroy()) };
}

async function measureLists(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kalends-bench-"));
  const off = await startPair(folder, "off.sqlite", {});
  const on = await startPair(folder, "on.sqlite", { METRICS_TOKEN });
  const figures = { off: [0], on: [0], difference: [0] };
  for (const { list } of [off, on]) await cpuOf(5_000, list);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? ([off, on] as const) : ([on, off] as const);
    const [one, other] = [
      await cpuOf(requestsPerRound, order[0].list),
      await cpuOf(requestsPerRound, order[1].list),
    ];
    const [without, withMetrics] = round % 2 === 0 ? [one, other] : [other, one];
    figures.off.push(without);
    figures.on.push(withMetrics);
    figures.difference.push(withMetrics - without);
  }
  for (const [name, values] of Object.entries(figures))
    console.log(
      `a cached list and its client, ${name}, median of ${rounds} rounds, us: ${median(values.slice(1)) / 1_000}`,
    );
  await Promise.all([off.stop(), on.stop()]);
  rmSync(folder, { recursive: true });
}

await measureCalls();
await measureLists();
