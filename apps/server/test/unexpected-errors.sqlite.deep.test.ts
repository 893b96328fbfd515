import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { run, type Running } from "./process.js";
import { parseMetrics } from "./metrics-text.js";
import { temporaryFolder } from "./temporary.js";

// Exceptions that nothing catches. They come from a file that the process imports, at a signal.
const patient = { timeout: 120_000, interval: 20 };

const metricsToken = "metrics-token-of-a-service";
const folder = temporaryFolder();
const running: Running[] = [];
afterEach(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  await Promise.all(running.splice(0).map(({ finished }) => finished));
});

function begin(settings: Readonly<Record<string, string>>): Running {
  const NODE_OPTIONS = `--import ${import.meta.resolve("./throws-on-signal.mjs")}`;
  const CALENDAR_TOKEN = "0123456789abcdef";
  const server = run("main.ts", [], folder, { PORT: "0", NODE_OPTIONS, CALENDAR_TOKEN, ...settings });
  running.push(server);
  return server;
}

async function start(
  settings: Readonly<Record<string, string>>,
): Promise<Running & { readonly url: string }> {
  const server = begin(settings);
  const [, url = ""] = await server.until(/Listening on (\S+)/);
  return { ...server, url };
}

const errorLines = (stdout: string): readonly Record<string, unknown>[] =>
  stdout
    .split("\n")
    .filter((line) => line.includes('"msg":"unexpected error"'))
    .map((line) => JSON.parse(line));

async function metricOf(url: string, name: string): Promise<number | undefined> {
  const response = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } });
  return parseMetrics(await response.text()).get(name)?.samples[0]?.value;
}

describe.each(["exception", "rejection"])("an unexpected %s", (kind) => {
  test("is logged without its message and counted; what is in flight is answered, and the process goes on", async () => {
    const server = await start({ UNEXPECTED: kind, METRICS_TOKEN: metricsToken });
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    const form =
      "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\nExpect: 100-continue\r\n";
    socket.write(`POST /api/v1/calendars/create/?token=0123456789abcdef HTTP/1.1\r\nHost: x\r\n${form}\r\n`);
    await expect.poll(() => text).toContain("100 Continue");

    for (const count of [1, 2]) {
      server.child.kill("SIGWINCH");
      await expect.poll(() => metricOf(server.url, "kalends_unexpected_errors_total"), patient).toBe(count);
    }
    socket.write("title=x");
    await expect.poll(() => text).toMatch(/HTTP\/1\.1 200 /);
    socket.destroy();
    for (const path of ["healthz", "readyz"]) expect((await fetch(`${server.url}/${path}`)).status).toBe(200);

    server.child.kill("SIGTERM");
    const { code, stdout, stderr } = await server.finished;
    expect([code, stderr]).toEqual([0, ""]);
    const [line, ...others] = errorLines(stdout);
    expect(others).toHaveLength(1);
    expect(line).toMatchObject({ level: 50, err: { name: "error", code: "23505" } });
    expect(JSON.stringify(line)).toContain("throws-on-signal.mjs");
    expect(stdout + stderr).not.toContain("private title");
  });
});

test("what is thrown may throw again when it is read", async () => {
  const server = await start({ UNEXPECTED: "hostile", METRICS_TOKEN: metricsToken });
  server.child.kill("SIGWINCH");
  await expect.poll(() => metricOf(server.url, "kalends_unexpected_errors_total"), patient).toBe(1);
  server.child.kill("SIGTERM");
  expect((await server.finished).code).toBe(0);
});

test("before the process has started, an unexpected error ends it", async () => {
  const server = begin({ UNEXPECTED: "at start" });
  const { code, stdout } = await server.finished;
  expect(code).toBe(1);
  expect(errorLines(stdout)).toMatchObject([{ level: 60 }]);
});
