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
import type { RawResponse } from "./wire.js";

/** A server under test in its own process; a remote server has no process figures (NaN). */
export interface Target {
  readonly url: string;
  /** CPU time used so far, in microseconds. */
  cpuMicros(): number;
  /** Resident memory in bytes: current and peak. */
  memory(): { readonly now: number; readonly peak: number };
  /** Returns the longest event loop stall since the last call, in milliseconds. */
  stallMs(): Promise<number>;
  /** Sends a message to the process and returns its reply. */
  request(message: string): Promise<unknown>;
  stop(): Promise<void>;
}

export type Environment = Readonly<Record<string, string>>;

export const ownDist = fromHere("../dist");

/** Starts a build of Kalends on a database with default settings, which include RATE_LIMIT=0. */
export function startKalends(url: string, dist = ownDist, environment: Environment = {}): Promise<Target> {
  return startNode(["--max-semi-space-size=4", "--max-old-space-size=256", join(dist, "main.js")], {
    PORT: "0",
    DATABASE_URL: url,
    ...environment,
  });
}

/** Starts the tutorial server on a database. */
export function startTutorial(url: string): Promise<Target> {
  return startNode([fromHere("tutorial.mjs")], { PORT: "0", DATABASE_URL: url, NODE_ENV: "production" });
}

/** Starts a baseline server that sends the bytes of `response` for every request to `path`. */
export async function startBaseline(
  kind: "bare" | "express",
  path: string,
  response: RawResponse,
): Promise<Target> {
  const folder = scratchFolder();
  const file = join(folder, "response.json");
  const { status, headers, body } = response;
  writeFileSync(file, JSON.stringify({ path, status, headers, bodyBase64: body.toString("base64") }));
  const target = await startNode([fromHere(`${kind}.mjs`), file], { NODE_ENV: "production" });
  rmSync(folder, { recursive: true });
  return target;
}

/** Returns a target for a server that runs elsewhere. */
export function remote(url: string): Target {
  return {
    url: url.replace(/\/+$/, ""),
    cpuMicros: () => NaN,
    memory: () => ({ now: NaN, peak: NaN }),
    stallMs: () => Promise.resolve(NaN),
    request: () => Promise.resolve(undefined),
    stop: () => Promise.resolve(),
  };
}

/** Starts Node and waits for its URL. Output goes to a file, since this process might read a pipe too slowly. */
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
  process.once("exit", end); // no server outlives the benchmark
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await close;
    process.off("exit", end);
    rmSync(folder, { recursive: true });
  };
  const request = (message: string): Promise<unknown> =>
    new Promise((resolve) => {
      child.once("message", resolve);
      child.send(message);
    });
  const stallMs = async (): Promise<number> => Number(await request("stall"));
  while (child.exitCode === null && child.signalCode === null) {
    const [, url] = /Listening on (\S+)/.exec(readFileSync(output, "utf8")) ?? [];
    if (url !== undefined)
      return {
        url,
        cpuMicros: () => cpuMicros(pid),
        memory: () => memory(pid),
        stallMs,
        request,
        stop,
      };
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`${args[0]} exited before it listened:\n${readFileSync(output, "utf8")}`);
}

/** Returns utime + stime of /proc/PID/stat, whose unit is 10 ms, in microseconds. */
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

/** Reports whether any source file is newer than the build. */
export function isStale(dist: string): boolean {
  const built = join(dist, "main.js");
  if (!existsSync(built)) return true;
  const { mtimeMs } = statSync(built);
  const sources = fromHere("../src");
  return readdirSync(sources, { encoding: "utf8", recursive: true }).some(
    (file) => file.endsWith(".ts") && statSync(join(sources, file)).mtimeMs > mtimeMs,
  );
}

/** Resolves a path relative to this folder. */
export function fromHere(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
