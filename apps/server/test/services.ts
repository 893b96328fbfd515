import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as think } from "node:timers/promises";
import type { TestDatabase } from "./databases.js";
import { run, type Running } from "./process.js";

/** A server in processes of its own: the first one and its workers. */
export interface Service extends Running {
  readonly url: string;
}

/** Starts services with two workers on one database, and ends all their processes. */
export function servicesOn(database: TestDatabase): {
  start(): Promise<Service>;
  end(): Promise<void>;
} {
  const folder = mkdtempSync(join(tmpdir(), "kalends-workers-"));
  const services: Running[] = [];
  return {
    start: async () => {
      const settings = { PORT: "0", WORKERS: "2", DATABASE_URL: database.url, RATE_LIMIT: "1000000" };
      const service = run("main.ts", [], folder, settings);
      services.push(service);
      const [, url = ""] = await service.until(/^Listening on (\S+)$/m);
      return { ...service, url };
    },
    end: async () => {
      for (const service of services) {
        for (const { pid } of workersOf(service)) process.kill(pid, "SIGKILL");
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
  return execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => {
      const [, pid, parent, number] = /^ *(\d+) +(\d+) .*worker\.[jt]s (\d)$/.exec(line) ?? [];
      return Number(parent) === child.pid ? [{ pid: Number(pid), number: Number(number) }] : [];
    })
    .toSorted((one, other) => one.number - other.number);
}

export function isAlive({ pid }: WorkerProcess): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Asks again and again until `state` says that it is over, and lets `tell` know of each answer and each failure. */
export async function load(
  state: { over: boolean },
  thinkMs: number,
  ask: () => Promise<void>,
  tell: (failure?: unknown) => void,
): Promise<void> {
  while (!state.over) {
    await ask().then(() => tell(), tell);
    await think(thinkMs);
  }
}
