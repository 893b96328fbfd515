import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { run, type Running } from "./process.js";
import { workersOf } from "./services.js";

// Exceptions that nothing catches. They come from a file that the process imports, at a signal.
vi.setConfig({ testTimeout: 60_000 });
afterAll(() => vi.resetConfig());
const patient = { timeout: 30_000, interval: 20 };

const folder = mkdtempSync(join(tmpdir(), "kalends-unexpected-"));
const running: Running[] = [];
afterEach(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  await Promise.all(running.splice(0).map(({ finished }) => finished));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function start(
  settings: Readonly<Record<string, string>>,
): Promise<Running & { readonly url: string }> {
  const NODE_OPTIONS = `--import ${import.meta.resolve("./throws-on-signal.mjs")}`;
  const CALENDAR_TOKEN = "0123456789abcdef";
  const server = run("main.ts", [], folder, { PORT: "0", NODE_OPTIONS, CALENDAR_TOKEN, ...settings });
  running.push(server);
  const [, url = ""] = await server.until(/Listening on (\S+)/);
  return { ...server, url };
}

const fatalLines = (stdout: string): readonly Record<string, unknown>[] =>
  stdout
    .split("\n")
    .filter((line) => line.startsWith('{"level":60'))
    .map((line) => JSON.parse(line));

describe.each(["exception", "rejection"])("an unexpected %s", (kind) => {
  test("is logged without its message; what is in flight is answered, and the process fails", async () => {
    const server = await start({ UNEXPECTED: kind });
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const form =
      "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\nExpect: 100-continue\r\n";
    socket.write(`POST /api/v1/calendars/create/?token=0123456789abcdef HTTP/1.1\r\nHost: x\r\n${form}\r\n`);
    await expect.poll(() => text).toContain("100 Continue");

    server.child.kill("SIGWINCH");
    await expect.poll(() => refuses(server.url), patient).toBe(true);
    server.child.kill("SIGWINCH"); // once more, while it ends
    socket.write("title=x");
    await closed;
    expect(text).toMatch(/HTTP\/1\.1 200 .*Connection: close/s);

    const { code, stdout, stderr } = await server.finished;
    expect([code, stderr]).toEqual([1, ""]);
    const [line] = fatalLines(stdout);
    expect(line).toMatchObject({ msg: "unexpected error", err: { name: "error", code: "23505" } });
    expect(JSON.stringify(line)).toContain("throws-on-signal.mjs");
    expect(stdout + stderr).not.toContain("private title");
  });
});

async function refuses(url: string): Promise<boolean> {
  try {
    await fetch(`${url}/healthz`, { headers: { Connection: "close" } });
    return false;
  } catch {
    return true;
  }
}

test("a worker with an unexpected error is replaced, and the other one goes on", async () => {
  const service = await start({ WORKERS: "2" });
  const [kept, failing] = workersOf(service);
  if (kept === undefined || failing === undefined) throw new Error("no workers");
  process.kill(failing.pid, "SIGWINCH");
  await expect
    .poll(() => workersOf(service).map(({ pid }) => pid), patient)
    .toEqual([kept.pid, expect.not.toSatisfy((pid: number) => pid === failing.pid)]);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  service.child.kill("SIGTERM");
  const { code, stdout } = await service.finished;
  expect(code).toBe(0);
  expect(fatalLines(stdout)).toMatchObject([{ worker: 2, msg: "unexpected error" }]);
});

test("a first process with an unexpected error ends with its workers", async () => {
  const service = await start({ WORKERS: "2" });
  service.child.kill("SIGWINCH");
  const { code, stdout } = await service.finished;
  expect(code).toBe(1);
  expect(fatalLines(stdout)).toMatchObject([{ msg: "unexpected error" }]);
  expect(workersOf(service)).toEqual([]);
});
