import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { client } from "./clients.js";
import { run, type Running } from "./process.js";
import { temporaryFolder } from "./temporary.js";

// A process at its limit of open files says so in its log. Elsewhere than on Linux the limit of another process cannot be set.

const folder = temporaryFolder();
const running: Running[] = [];
afterEach(async () => {
  for (const { child } of running) child.kill("SIGTERM");
  await Promise.all(running.splice(0).map(({ finished }) => finished));
});

function canSetLimits(): boolean {
  try {
    execFileSync("prlimit", ["--nofile", "--pid", String(process.pid)], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Leaves a process some open files besides those that it has. */
function leave(pid: number, more: number): void {
  const open = readdirSync(`/proc/${pid}/fd`).length;
  execFileSync("prlimit", [`--nofile=${open + more}:`, "--pid", String(pid)]);
}

const named = /"level":50,.*"msg":"The limit of open files is reached: raise it \(ulimit -n/;

test.runIf(canSetLimits())("a server names the limit of open files before it is used up", async () => {
  const server = run("main.ts", [], folder, { PORT: "0" });
  running.push(server);
  const [, url = ""] = await server.until(/Listening on (\S+)/);
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
  leave(server.child.pid ?? 0, 3);
  await server.until(named);
});

test.runIf(canSetLimits())(
  "a request that fails for want of open files is logged with the reason",
  async () => {
    const CALENDAR_TOKEN = "0123456789abcdef";
    const server = run("main.ts", [], folder, {
      PORT: "0",
      CALENDAR_TOKEN,
      DATABASE_URL: "sqlite:./other.sqlite",
    });
    running.push(server);
    const [, url = ""] = await server.until(/Listening on (\S+)/);
    // One connection for both requests: at the limit, the server can accept no other.
    const kept = client(url, "kept");
    expect((await kept.send("/healthz")).status).toBe(200);
    leave(server.child.pid ?? 0, 0);
    // A list keeps a connection to the file, one that a background job has opened if there is one; the next needs another.
    const list = (surface: string) => kept.send(`/api/${surface}/calendars/list/?token=${CALENDAR_TOKEN}`);
    const first = await list("v1");
    const { status, reused } = first.status === 503 ? first : await list("kalends/v1");
    expect([status, reused]).toEqual([503, true]);
    kept.close();
    const [line] = await server.until(/.*"msg":"storage_unavailable"/);
    expect(line).toContain('"reason":"The limit of open files is reached');
  },
);
