import { spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { scratchFolder } from "./scratch.js";
import type { Answer } from "./wire.js";

/** A server of the benchmark, in a process of its own; one that was given by its address has no figures of its process. */
export interface Target {
  readonly url: string;
  /** CPU time used so far, in microseconds. */
  cpuMicros(): number;
  /** Resident memory in bytes: now, and the most so far. */
  memory(): { readonly now: number; readonly peak: number };
  /** The longest that the event loop stood still since the last call, in milliseconds. */
  stallMs(): Promise<number>;
  /** Sends a message to the process and waits for its answer. */
  tell(message: string): Promise<unknown>;
  stop(): Promise<void>;
}

export type Environment = Readonly<Record<string, string>>;

export const ownDist = fromHere("../dist");

/** A built server of this package on a database. Its settings are the defaults; RATE_LIMIT=0 is one of them. */
export function startKalends(url: string, dist = ownDist, environment: Environment = {}): Promise<Target> {
  return startNode(["--max-semi-space-size=4", join(dist, "main.js")], {
    PORT: "0",
    DATABASE_URL: url,
    ...environment,
  });
}

export function startTutorial(url: string): Promise<Target> {
  return startNode([fromHere("tutorial.mjs")], { PORT: "0", DATABASE_URL: url, NODE_ENV: "production" });
}

/** A server that sends the bytes of `answer`, whatever it is asked for at `path`. */
export async function startRuler(kind: "bare" | "express", path: string, answer: Answer): Promise<Target> {
  const folder = scratchFolder();
  const file = join(folder, "answer.json");
  const { status, headers, body } = answer;
  writeFileSync(file, JSON.stringify({ path, status, headers, bodyBase64: body.toString("base64") }));
  const target = await startNode([fromHere(`${kind}.mjs`), file], { NODE_ENV: "production" });
  rmSync(folder, { recursive: true });
  return target;
}

/** A server that somebody else runs. */
export function given(url: string): Target {
  return {
    url: url.replace(/\/+$/, ""),
    cpuMicros: () => NaN,
    memory: () => ({ now: NaN, peak: NaN }),
    stallMs: () => Promise.resolve(NaN),
    tell: () => Promise.resolve(undefined),
    stop: () => Promise.resolve(),
  };
}

/** The output goes to a file, as a service manager would have it: a pipe to this process would be read too slowly. */
export async function startNode(
  args: readonly string[],
  environment: Environment,
  wrapper: readonly string[] = [],
): Promise<Target> {
  const folder = scratchFolder();
  const output = join(folder, "output");
  const descriptor = openSync(output, "w");
  const [command = "", ...rest] = [...wrapper, process.execPath, "--import", fromHere("stall.mjs"), ...args];
  const child = spawn(command, rest, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", descriptor, descriptor, "ipc"],
  });
  closeSync(descriptor);
  const { pid = 0 } = child;
  const close = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const end = (): void => void child.kill("SIGKILL");
  process.once("exit", end); // nothing outlives the benchmark
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await close;
    process.off("exit", end);
    rmSync(folder, { recursive: true });
  };
  const tell = (message: string): Promise<unknown> =>
    new Promise((resolve) => {
      child.once("message", resolve);
      child.send(message);
    });
  const stallMs = async (): Promise<number> => Number(await tell("stall"));
  while (child.exitCode === null && child.signalCode === null) {
    const [, url] = /Listening on (\S+)/.exec(readFileSync(output, "utf8")) ?? [];
    if (url !== undefined)
      return { url, stop, tell, stallMs, cpuMicros: () => cpuMicros(pid), memory: () => memory(pid) };
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`${args[0]} ended before it listened:\n${readFileSync(output, "utf8")}`);
}

/** utime and stime of /proc/PID/stat, in ticks of 10 ms. */
function cpuMicros(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function memory(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytes = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
  return { now: bytes("VmRSS"), peak: bytes("VmHWM") };
}

/** Whether a source of the server is newer than what was built of it. */
export function isStale(dist: string): boolean {
  const built = join(dist, "main.js");
  if (!existsSync(built)) return true;
  const { mtimeMs } = statSync(built);
  const sources = fromHere("../src");
  return readdirSync(sources, { encoding: "utf8", recursive: true }).some(
    (file) => file.endsWith(".ts") && statSync(join(sources, file)).mtimeMs > mtimeMs,
  );
}

export function fromHere(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
