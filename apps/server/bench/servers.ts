import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A server of the benchmark, in a process of its own. */
export interface Target {
  readonly url: string;
  /** CPU time used so far, in microseconds. */
  cpuMicros(): number;
  /** Resident memory in bytes. */
  residentBytes(): number;
  stop(): Promise<void>;
}

/** The built server of this package on the database of a folder. The log goes to nowhere, but is written. */
export function startKalends(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Target> {
  return startNode([fromHere("../dist/main.js")], {
    PORT: "0",
    DATABASE_URL: `sqlite:${join(folder, "kalends.sqlite")}`,
    ...environment,
  });
}

/** The ruler: bare node:http that sends what `response` of ours has, byte for byte. */
export async function startBare(folder: string, name: string, response: Response): Promise<Target> {
  const body = Buffer.from(await response.arrayBuffer());
  const file = join(folder, `${name}.json`);
  const hopHeaders = ["connection", "keep-alive", "date", "transfer-encoding"];
  const headers = Object.fromEntries(
    [...response.headers].filter(([header]) => !hopHeaders.includes(header)),
  );
  writeFileSync(
    file,
    JSON.stringify({ status: response.status, headers, bodyBase64: body.toString("base64") }),
  );
  return startNode([fromHere("bare.mjs"), file], {});
}

function startNode(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Target> {
  const child = spawn(process.execPath, [...args], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      child.once("close", () => resolve());
      child.kill("SIGTERM");
    });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`${args[0]} ended with ${code}`)));
    child.stdout.on("data", (chunk: Buffer) => {
      const [, url] = /Listening on (\S+)/.exec(chunk.toString()) ?? [];
      if (url === undefined || child.pid === undefined) return;
      const { pid } = child;
      resolve({ url, stop, cpuMicros: () => cpuMicros(pid), residentBytes: () => residentBytes(pid) });
    });
  });
}

/** utime and stime of /proc/PID/stat, in ticks of 10 ms. */
function cpuMicros(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function residentBytes(pid: number): number {
  const [, pages = "0"] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
  return Number(pages) * 4096;
}

function fromHere(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
