import { spawn } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
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

/** The output goes to a file, as a service manager would have it: a pipe to this process would be read too slowly. */
async function startNode(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), "kalends-bench-"));
  const output = join(folder, "output");
  const child = spawn(process.execPath, [...args], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", openSync(output, "w"), "inherit"],
  });
  const { pid = 0 } = child;
  const close = new Promise<void>((resolve) => child.once("close", () => resolve()));
  while (child.exitCode === null) {
    const [, url] = /Listening on (\S+)/.exec(readFileSync(output, "utf8")) ?? [];
    if (url !== undefined) {
      const stop = async (): Promise<void> => {
        child.kill("SIGTERM");
        await close;
        rmSync(folder, { recursive: true });
      };
      return { url, stop, cpuMicros: () => cpuMicros(pid), residentBytes: () => residentBytes(pid) };
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${args[0]} ended before it listened`);
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
