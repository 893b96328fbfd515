import { rmSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { type PostgresServer, startPostgres } from "../test/postgres.js";
import { type Proxy, startProxy } from "../test/postgres-proxy.js";
import { run } from "../test/process.js";

// Measures what clients of two server processes receive while PostgreSQL fails: see RACES.md.

const token = "the-token-of-the-outages";
const headers = { Authorization: `Bearer ${token}` };
const event = { title: "x", start_date: "07/04/2026 10:00" };

/** One response; times in milliseconds. */
interface Sample {
  readonly at: number;
  readonly ms: number;
  /** 0 without a response. */
  readonly status: number;
}

/** Sends lists, feeds and creates to both servers until the signal is aborted. */
async function watch(paths: readonly string[], signal: AbortSignal): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const runClient = async (client: number): Promise<void> => {
    for (let n = client; !signal.aborted; n++) {
      const at = performance.now();
      const status = await fetch(paths[n % paths.length] ?? "", { headers }).then(
        async (response) => {
          await response.arrayBuffer();
          return response.status;
        },
        () => 0,
      );
      samples.push({ at, ms: performance.now() - at, status });
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, client) => runClient(client)));
  return samples;
}

/** Sends requests for 1 s before, during and for 3 s after an outage, and prints the results. */
async function measure(name: string, paths: readonly string[], outage: () => Promise<void>): Promise<void> {
  const end = new AbortController();
  const watching = watch(paths, end.signal);
  await setTimeout(1_000);
  await outage();
  const endedAt = performance.now();
  await setTimeout(3_000);
  end.abort();
  const samples = await watching;
  const statuses = [...new Set(samples.map(({ status }) => status))].toSorted((a, b) => a - b);
  const counts = statuses.map(
    (each) => `${samples.filter(({ status }) => status === each).length} responses ${each}`,
  );
  const timed = samples.map(({ at, ms, status }) => ({ status, after: at + ms - endedAt, ms }));
  const slowest = Math.round(Math.max(...timed.map(({ ms }) => ms)));
  const succeeded = timed
    .filter(({ status, after }) => status === 200 && after > 0)
    .map(({ after }) => after);
  const failed = timed.filter(({ status }) => status !== 200).map(({ after }) => after);
  const [first, last] = [Math.round(Math.min(...succeeded)), Math.round(Math.max(0, ...failed))];
  console.log(`${name}: ${counts.join(", ")}; slowest ${slowest} ms`);
  console.log(`  after its end: first 200 at ${first} ms, last error at ${last} ms`);
}

async function outages(postgres: PostgresServer, proxy: Proxy, paths: readonly string[]): Promise<void> {
  for (const how of ["fast", "immediate"] as const) {
    await measure(`restart, ${how}`, paths, async () => {
      await postgres.stop(how);
      await setTimeout(2_000);
      await postgres.start();
    });
  }
  await measure("table locked, every connection waits", paths, async () => {
    const client = new pg.Client({ connectionString: `${postgres.url}/postgres` });
    await client.connect();
    await client.query("begin; lock table calendars in access exclusive mode");
    await setTimeout(8_000);
    await client.end();
  });
  await measure("network stalled", paths, async () => {
    proxy.stall();
    await setTimeout(15_000);
    proxy.resume();
  });
}

const folder = mkdtempSync(join(tmpdir(), "kalends-outage-"));
const postgres = await startPostgres();
const proxy = await startProxy(`${postgres.url}/postgres`);
const settings = { PORT: "0", DATABASE_URL: proxy.url, CALENDAR_TOKEN: token };
const first = run("main.ts", [], folder, settings);
const started = [await first.until(/Listening on (\S+)/)];
const second = run("main.ts", [], folder, settings);
started.push(await second.until(/Listening on (\S+)/));
try {
  const urls = started.map(([, url = ""]) => url);
  const created = await fetch(`${urls[0]}/api/v1/calendars/create/?title=x&timezone=UTC`, { headers });
  const { calendar }: { calendar: { id: string; uniquekey: string } } = JSON.parse(await created.text());
  const query = new URLSearchParams({ calendar_id: calendar.id, ...event }).toString();
  const paths = urls.flatMap((url) => [
    `${url}/api/v1/calendars/list/`,
    `${url}/c/${calendar.uniquekey}/x.ics`,
    `${url}/api/v1/calendars/events/create/?${query}`,
  ]);
  await outages(postgres, proxy, paths);
} finally {
  const servers = [first, second];
  for (const { child } of servers) child.kill("SIGTERM");
  for (const { finished } of servers) {
    const { code, stdout } = await finished;
    const failures = stdout
      .split("\n")
      .filter((line) => line.includes('"level":50') && !line.includes('"operation"'));
    console.log(`a server exited with ${code}; its log has ${failures.length} lines about failures`);
  }
  await proxy.stop();
  await postgres.remove();
  rmSync(folder, { recursive: true, force: true });
}
