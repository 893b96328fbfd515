import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What to ask for, again and again. */
export interface Job {
  /** Paths with their queries, asked for in turn. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
}

export interface Load {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that were no 2xx or 3xx, and requests without an answer. */
  readonly failures: number;
}

/** Asks `url` for the job's paths for some seconds, with wrk (one thread). @throws Error when wrk is not installed */
export async function load(url: string, job: Job, seconds: number): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), "kalends-bench-"));
  const script = join(folder, "job.lua");
  writeFileSync(script, luaOf(job));
  const args = ["-t1", `-c${job.connections}`, `-d${seconds}s`, "--latency", "-s", script, url];
  const output = await run("wrk", args);
  rmSync(folder, { recursive: true });
  const [, json = ""] = /^RESULT (.*)$/m.exec(output) ?? [];
  const result: { requests: number; micros: number; p50: number; p99: number; failures: number } =
    JSON.parse(json);
  return {
    requestsPerSecond: (result.requests / result.micros) * 1e6,
    p50Ms: result.p50 / 1000,
    p99Ms: result.p99 / 1000,
    failures: result.failures,
  };
}

/** Whether wrk can be run. */
export function hasWrk(): boolean {
  try {
    execFileSync("wrk", ["--version"], { stdio: "ignore" });
    return true;
  } catch (error) {
    return error instanceof Error && "status" in error && error.status === 1; // its --version exits 1
  }
}

/** A script for wrk: the paths in turn, the figures as one line of JSON. */
function luaOf({ paths, headers }: Job): string {
  return `
local paths = {${paths.map((path) => JSON.stringify(path)).join(",")}}
local requests = {}
init = function()
${Object.entries(headers)
  .map(([name, value]) => `  wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
  .join("\n")}
  for i, path in ipairs(paths) do requests[i] = wrk.format("GET", path) end
end
local n = 0
request = function()
  n = n % #requests + 1
  return requests[n]
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"micros":%d,"p50":%d,"p99":%d,"failures":%d}\\n', summary.requests,
    summary.duration, latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
`;
}

function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { stdio: ["ignore", "pipe", "inherit"] });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0
        ? resolve(Buffer.concat(chunks).toString())
        : reject(new Error(`${command} ended with ${code}`)),
    );
  });
}
