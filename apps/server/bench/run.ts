import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import type { Figures, Name } from "./contest.js";
import type { Startup } from "./startup.js";
import type { Store } from "./stores.js";

/** All that one run found out, as it stands in results.json. */
export interface Run {
  readonly database: Store["name"];
  readonly date: string;
  readonly commit: string;
  readonly command: string;
  readonly machine: string;
  readonly client: string;
  readonly rounds: number;
  readonly seconds: number;
  /** How many processes wanted to run in the minute before: with more than one per core the figures say little. */
  readonly loadBefore: number;
  readonly jobs: Readonly<Record<string, Readonly<Partial<Record<Name, Figures>>>>>;
  /** Memory and start, where they were measured. */
  readonly startup?: Partial<Record<Name, Startup>>;
  /** The most memory that a server of ours had in any job, in bytes. */
  readonly peakBytes?: number;
}

/** The committed results. */
export interface Results {
  readonly sqlite?: Run;
  readonly postgres?: Run;
}

export const resultsFile = fileURLToPath(new URL("results.json", import.meta.url));
export const reportFile = fileURLToPath(new URL("RESULTS.md", import.meta.url));

export function readResults(): Results {
  if (!existsSync(resultsFile)) return {};
  const results: Results = JSON.parse(readFileSync(resultsFile, "utf8"));
  return results;
}

/** Our figure as a share of a ruler's, or as times the tutorial's; NaN where one of them was not measured. */
export function ratio({ jobs }: Run, id: string, other: Name): number {
  const job = jobs[id];
  return (job?.ours?.requestsPerSecond ?? NaN) / (job?.[other]?.requestsPerSecond ?? NaN);
}

export function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} x ${cpu?.model.trim() ?? "?"}, ${memory} GiB, Linux ${release()}, Node ${process.version}`;
}

/** The commit, and whether the tree has changes beside it. */
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
