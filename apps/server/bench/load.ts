import { execFileSync, spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import autocannon from "autocannon";
import { scratchFolder } from "./scratch.js";

/** The requests that the load generator repeats. */
export interface Requests {
  /** Paths with queries, requested in rotation. `{n}` becomes a number that is unique to the request. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
}

export interface Load {
  /** Complete responses. */
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Average bytes of head and body. */
  readonly bytesPerResponse: number;
  /** Responses other than 2xx and 3xx, and requests without a response. */
  readonly failures: number;
}

/** The load generator: wrk where it is installed, otherwise autocannon, which needs more CPU per request. */
export const client = hasWrk() ? "wrk" : "autocannon";

/** Sends requests to `url` for some seconds, one at a time per connection. @throws Error when the load generator fails */
export function load(url: string, requests: Requests, seconds: number): Promise<Load> {
  return client === "wrk" ? loadWithWrk(url, requests, seconds) : loadWithAutocannon(url, requests, seconds);
}

async function loadWithWrk(url: string, requests: Requests, seconds: number): Promise<Load> {
  const folder = scratchFolder();
  const script = join(folder, "job.lua");
  writeFileSync(script, luaOf(requests));
  const args = ["-t1", `-c${requests.connections}`, `-d${seconds}s`, "--timeout", "30s", "-s", script, url];
  const output = await run("wrk", args);
  rmSync(folder, { recursive: true });
  const [, json = ""] = /^RESULT (.*)$/m.exec(output) ?? [];
  const result: Record<"requests" | "micros" | "bytes" | "p50" | "p99" | "failures", number> =
    JSON.parse(json);
  return {
    requests: result.requests,
    requestsPerSecond: (result.requests / result.micros) * 1e6,
    p50Ms: result.p50 / 1000,
    p99Ms: result.p99 / 1000,
    bytesPerResponse: result.bytes / result.requests,
    failures: result.failures,
  };
}

async function loadWithAutocannon(url: string, requests: Requests, seconds: number): Promise<Load> {
  let n = 0;
  const result = await autocannon({
    url,
    connections: requests.connections,
    duration: seconds,
    headers: requests.headers,
    requests: requests.paths.map((path) => ({
      setupRequest: (sent) => ({ ...sent, path: path.replaceAll("{n}", String(++n)) }),
    })),
  });
  const completed = result["1xx"] + result["2xx"] + result["3xx"];
  return {
    requests: completed,
    requestsPerSecond: completed / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    bytesPerResponse: result.throughput.total / completed,
    failures: result["4xx"] + result["5xx"] + result.errors,
  };
}

function hasWrk(): boolean {
  try {
    execFileSync("wrk", ["--version"], { stdio: "ignore" });
    return true;
  } catch (error) {
    return error instanceof Error && "status" in error && error.status === 1; // its --version exits 1
  }
}

/** Returns a wrk script that rotates the paths and prints the results as one line of JSON. */
function luaOf({ paths, headers }: Requests): string {
  const isDistinct = paths.some((path) => path.includes("{n}"));
  const header = ([name, value]: readonly [string, string]): string =>
    `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`;
  return `
local paths = {${paths.map((path) => JSON.stringify(path)).join(",")}}
local requests = {}
init = function()
  ${Object.entries(headers).map(header).join("\n  ")}
  for i, path in ipairs(paths) do requests[i] = wrk.format("GET", path) end
end
local n = 0
request = function()
  n = n + 1
  local text = requests[(n - 1) % #requests + 1]
  ${isDistinct ? 'return (string.gsub(text, "{n}", tostring(n)))' : "return text"}
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"micros":%d,"bytes":%d,"p50":%d,"p99":%d,"failures":%d}\\n', summary.requests,
    summary.duration, summary.bytes, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
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
