import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import type { Figures, Name } from "./rounds.js";
import type { Startup } from "./startup.js";
import type { Store } from "./stores.js";

/** The results of one run, as stored in results.json. */
export interface Run {
  readonly database: Store["name"];
  readonly date: string;
  readonly commit: string;
  readonly command: string;
  readonly machine: string;
  readonly client: string;
  readonly rounds: number;
  readonly seconds: number;
  /** Load average over the minute before the run; above 1 the results are noisy. */
  readonly loadBefore: number;
  readonly jobs: Readonly<Record<string, Readonly<Partial<Record<Name, Figures>>>>>;
  /** Idle memory and startup time, where measured. */
  readonly startup?: Partial<Record<Name, Startup>>;
  /** Peak resident memory of Kalends in any job, in bytes. */
  readonly peakBytes?: number;
}

/** The committed results. */
export interface Results {
  readonly sqlite?: Run;
  readonly postgres?: Run;
}

export const resultsFile = fileURLToPath(new URL("results.json", import.meta.url));
export const reportFile = fileURLToPath(new URL("RESULTS.md", import.meta.url));

/** Reads results.json; empty when it does not exist. */
export function readResults(): Results {
  if (!existsSync(resultsFile)) return {};
  const results: Results = JSON.parse(readFileSync(resultsFile, "utf8"));
  return results;
}

/** Returns the ratio of our requests per second to another server's; NaN when one of them was not measured. */
export function ratio({ jobs }: Run, id: string, other: Name): number {
  const job = jobs[id];
  return (job?.ours?.requestsPerSecond ?? NaN) / (job?.[other]?.requestsPerSecond ?? NaN);
}

/** Describes the CPU, memory, kernel and Node version. */
export function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} x ${cpu?.model.trim() ?? "?"}, ${memory} GiB, Linux ${release()}, Node ${process.version}`;
}

/** Returns the short commit hash, with a note when the sources have uncommitted changes. */
export function commit(): string {
  const git = (...args: readonly string[]): string => execFileSync("git", args, { encoding: "utf8" }).trim();
  try {
    const changes =
      git("status", "--porcelain", "--untracked-files=no", "--", "../../apps/server/src") === ""
        ? ""
        : " with changes";
    return git("rev-parse", "--short", "HEAD") + changes;
  } catch {
    return "unknown";
  }
}
