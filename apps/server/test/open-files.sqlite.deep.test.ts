import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { type Client, client } from "./clients.js";
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
    const created = run("cli.ts", ["account", "create", "--name", "Other"], folder, {
      DATABASE_URL: "sqlite:./other.sqlite",
    });
    const [, other = ""] = await created.until(/(kal_\w+)/);
    // Connections that are there before the limit: at it, the server can accept no other.
    const clients = Array.from({ length: 8 }, () => client(url, "kept"));
    const [kept = client(url, "kept")] = clients;
    for (const each of clients) expect((await each.send("/healthz")).status).toBe(200);
    const list = (of: Client, token: string, page = 1) =>
      of.send(`/api/v1/calendars/list/?page=${page}&token=${token}`);
    leave(server.child.pid ?? 0, 0);
    // Lists of two accounts at once keep two connections to the file, those that background jobs have opened; what is no list needs another.
    await Promise.all(clients.map((of, at) => list(of, at % 2 === 0 ? CALENDAR_TOKEN : other, at + 2)));
    const { status, reused } = await kept.send(`/api/kalends/v1/calendars/list/?token=${CALENDAR_TOKEN}`);
    expect([status, reused]).toEqual([503, true]);
    for (const each of clients) each.close();
    const [line] = await server.until(/.*"msg":"storage_unavailable"/);
    expect(line).toContain('"reason":"The limit of open files is reached');
  },
);
