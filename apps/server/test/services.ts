import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { TestDatabase } from "./databases.js";
import { run, type Running } from "./process.js";

/** METRICS_TOKEN of the services. */
export const metricsToken = "metrics-token-of-a-service";

/** A server with workers: its primary process. */
export interface Service extends Running {
  readonly url: string;
}

/** The token of their account. */
export const serviceToken = "a-token-of-services";

/** Returns functions that start services with two workers on one database, and that kill all their processes. */
export function servicesOn(database: TestDatabase): {
  start(): Promise<Service>;
  end(): Promise<void>;
} {
  const folder = mkdtempSync(join(tmpdir(), "kalends-workers-"));
  const services: Running[] = [];
  return {
    start: async () => {
      const own = { PORT: "0", WORKERS: "2", DATABASE_URL: database.url, CALENDAR_TOKEN: serviceToken };
      const settings = { ...own, RATE_LIMIT: "1000000", METRICS_TOKEN: metricsToken };
      const service = run("main.ts", [], folder, settings);
      services.push(service);
      const [, url = ""] = await service.until(/^Listening on (\S+)$/m);
      return { ...service, url };
    },
    end: async () => {
      for (const service of services) {
        for (const worker of workersOf(service)) killWorker(worker);
        service.child.kill("SIGKILL");
      }
      await Promise.all(services.map(({ finished }) => finished));
      rmSync(folder, { recursive: true });
    },
  };
}

export interface WorkerProcess {
  readonly pid: number;
  readonly number: number;
}

/** The workers that run, by their number; of a first process that is gone, none. */
export function workersOf({
  child,
}: {
  readonly child: Pick<Running["child"], "pid">;
}): readonly WorkerProcess[] {
  return childrenOf(child.pid)
    .flatMap(({ pid, args }) => {
      const [, number] = /worker\.[jt]s (\d)$/.exec(args) ?? [];
      return number === undefined ? [] : [{ pid, number: Number(number) }];
    })
    .toSorted((one, other) => one.number - other.number);
}

interface Child {
  readonly pid: number;
  readonly args: string;
}

function childrenOf(parent: number | undefined): readonly Child[] {
  try {
    return readChildren(parent);
  } catch {
    return listChildren(parent); // a process is gone, or this is not Linux
  }
}

/** Reads what Linux shows: ps goes through all processes, and tests poll this. */
function readChildren(parent: number | undefined): readonly Child[] {
  const pids = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").match(/\d+/g) ?? [];
  return pids.map((pid) => {
    const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1).join(" ");
    return { pid: Number(pid), args };
  });
}

function listChildren(parent: number | undefined): readonly Child[] {
  return execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => {
      const [, pid, ppid, args = ""] = /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? [];
      return Number(ppid) === parent ? [{ pid: Number(pid), args }] : [];
    });
}

/** Reports whether the process exists. */
export function isAlive({ pid }: WorkerProcess): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Kills a worker, which may have ended since it was listed. */
export function killWorker({ pid }: WorkerProcess): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // ended
  }
}

/** Sends requests until `state.over`, with a pause after each. Calls `report` after each response or failure. */
export async function load(
  state: { over: boolean },
  pauseMs: number,
  send: () => Promise<void>,
  report: (failure?: unknown) => void,
): Promise<void> {
  while (!state.over) {
    await send().then(() => report(), report);
    await pause(pauseMs);
  }
}
