import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operations } from "@kalends/spec";
import pg from "pg";
import { startPostgres } from "../test/postgres.js";
import { run } from "../test/process.js";
import { startReplica } from "../test/streaming-replica.js";
import { calendars, fillKalends, benchToken } from "./data.js";
import { load } from "./load.js";

// Measures the load that a replica takes off the primary, its cost, and stale reads: docs/decisions/0011-read-replicas.md.

const rounds = 3;
const seconds = 5;
const pairs = 2_000;

const preload = ["-c", "shared_preload_libraries=pg_stat_statements"];
const folder = mkdtempSync(join(tmpdir(), "kalends-replica-bench-"));
const primary = await startPostgres(...preload);
const replica = await startReplica(primary.url, "-c", "max_connections=100", ...preload);
const onPrimary = new pg.Pool({ connectionString: `${primary.url}/postgres`, max: 1 });
const onReplica = new pg.Pool({ connectionString: `${replica.url}/postgres`, max: 1 });

/** Starts a server process. Returns its URL and the process. */
async function serve(settings: Readonly<Record<string, string>>) {
  const shared = {
    PORT: "0",
    DATABASE_URL: `${primary.url}/postgres`,
    PAGE_CACHE_MB: "0",
    LOG_LEVEL: "error",
  };
  const server = run("main.ts", [], folder, { ...shared, ...settings });
  const [, url = ""] = await server.until(/Listening on (\S+)/);
  return { url, child: server.child };
}

for (const pool of [onPrimary, onReplica]) pool.on("error", () => undefined); // connections break when the servers stop at the end

interface Usage {
  readonly cpuMs: number;
  readonly statements: number;
}

/** Returns the CPU time of a PostgreSQL server in milliseconds and its number of statements. */
async function usageOf(on: pg.Pool): Promise<Usage> {
  const { rows } = await on.query<{ pid: number; calls: number }>(
    "select pg_backend_pid() as pid, (select sum(calls) from pg_stat_statements)::bigint as calls",
  );
  const [{ pid, calls } = { pid: 0, calls: 0 }] = rows;
  const { parent } = processOf(pid);
  const own = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const all = own.flatMap((id) => {
    try {
      return [{ id, ...processOf(id) }];
    } catch {
      return []; // the process has ended
    }
  });
  const ticks = all.filter((one) => one.parent === parent).reduce((sum, one) => sum + one.own, 0);
  return { cpuMs: 10 * (ticks + processOf(parent).ended), statements: calls };
}

/** Returns the parent of a process, its CPU ticks of 10 ms, and those of its terminated children. */
function processOf(pid: number): { readonly parent: number; readonly own: number; readonly ended: number } {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [, parent = 0] = fields;
  const [own, ownSystem, ended, endedSystem] = fields.slice(11, 15);
  return { parent, own: (own ?? 0) + (ownSystem ?? 0), ended: (ended ?? 0) + (endedSystem ?? 0) };
}

async function measure(url: string, connections: number): Promise<readonly number[]> {
  const before = [await usageOf(onPrimary), await usageOf(onReplica)];
  const path = `${operations.listEvents.path}?calendar_id=${calendars.tenThousand}&page={n}`;
  const paths = Array.from({ length: 40 }, (_, n) => path.replace("{n}", String(n + 1)));
  const headers = { Authorization: `Bearer ${benchToken}` };
  const result = await load(url, { paths, headers, connections }, seconds);
  const after = [await usageOf(onPrimary), await usageOf(onReplica)];
  if (result.failures > 0) throw new Error(`${result.failures} failures`);
  const used = (server: 0 | 1, what: keyof Usage): number =>
    ((after[server]?.[what] ?? 0) - (before[server]?.[what] ?? 0)) / result.requests;
  return [
    result.requestsPerSecond,
    result.p50Ms,
    result.p99Ms,
    1000 * used(0, "cpuMs"),
    used(0, "statements"),
    1000 * used(1, "cpuMs"),
    used(1, "statements"),
  ];
}

/** Returns how many pages of events a server has read. */
async function pagesOf(on: pg.Pool): Promise<number> {
  const { rows } = await on.query<{ calls: number }>(
    "select coalesce(sum(calls), 0)::bigint as calls from pg_stat_statements where query like '%string_agg(%'",
  );
  return rows[0]?.calls ?? NaN;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** Creates events on one server and lists them on the other with eight clients. Returns how often a list lacked the event. */
async function writeAndList(urls: readonly string[]) {
  const headers = { Authorization: `Bearer ${benchToken}` };
  const failed: string[] = [];
  let [left, stale] = [pairs, 0];
  const caller = async (): Promise<void> => {
    while (left > 0) {
      const n = left--;
      const [writer, reader] = n % 2 === 0 ? urls : urls.toReversed();
      const body = new URLSearchParams({
        calendar_id: String(calendars.creates),
        title: `Pair ${n}.`,
        start_date: "07/04/2026 10:00",
      });
      const made = await fetch(`${writer}${operations.createEvent.path}`, { method: "POST", headers, body });
      const list = await fetch(`${reader}${operations.listEvents.path}?calendar_id=${calendars.creates}`, {
        headers,
      });
      const text = await list.text();
      if (!made.ok || !list.ok) failed.push(`${made.status} ${list.status}`);
      else if (!text.includes(`Pair ${n}.`)) stale++;
    }
  };
  await Promise.all(Array.from({ length: 8 }, caller));
  return { stale, failed };
}

try {
  await fillKalends(`${primary.url}/postgres`, "small", Math.floor(Date.now() / 1000));
  await onPrimary.query("create extension pg_stat_statements");
  await onPrimary.query("vacuum analyze");
  const settings = { DATABASE_REPLICA_URL: `${replica.url}/postgres` };
  const without = await serve({});
  const [first, second] = [await serve(settings), await serve(settings)];
  console.log(
    "list of 100 events  connections  lists/s  p50 ms  p99 ms  primary us, statements  replica us, statements",
  );
  for (const connections of [1, 16]) {
    const found: Record<string, (readonly number[])[]> = { without: [], with: [] };
    for (let round = 0; round < rounds; round++) {
      found.without?.push(await measure(without.url, connections));
      found.with?.push(await measure(first.url, connections));
    }
    for (const [name, runs] of Object.entries(found)) {
      const figures = [0, 1, 2, 3, 4, 5, 6].map((index) => median(runs.map((run) => run[index] ?? NaN)));
      console.log(
        `${name} a replica  ${connections}  ${figures.map((figure) => figure.toFixed(2)).join("  ")}`,
      );
    }
  }
  await Promise.all([onPrimary, onReplica].map((on) => on.query("select pg_stat_statements_reset()")));
  const { stale, failed } = await writeAndList([first.url, second.url]);
  const [here, there] = [await pagesOf(onPrimary), await pagesOf(onReplica)];
  console.log(
    `${pairs} pairs: ${stale} stale, ${failed.length} failed (${failed.join(", ")}); ${there} pages read on the replica, ${here} on the primary`,
  );
  for (const { child } of [without, first, second]) child.kill("SIGTERM");
} finally {
  await Promise.all([onPrimary.end(), onReplica.end()]);
  await replica.remove();
  await primary.remove();
  rmSync(folder, { recursive: true, force: true });
}
