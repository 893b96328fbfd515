import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startJudgedServer } from "./our-server.js";

// The command line as a process of its own: signals and exit codes as a shell sees them.

let judged: Awaited<ReturnType<typeof startJudgedServer>>;
beforeAll(async () => {
  judged = await startJudgedServer();
});
afterAll(() => judged.stop());

// turbo builds before it tests; what is built starts sooner.
const isBuilt = process.env["KALENDS_BUILT"] !== undefined;
const file = (path: string): string =>
  fileURLToPath(new URL(`../../packages/conformance/${path}`, import.meta.url));
const cli = isBuilt
  ? [file("dist/cli.js")]
  : ["--conditions=@kalends/source", "--import", "tsx", file("src/cli.ts")];

/** Starts the command line; `signal` is sent when the first check has printed its line. */
async function start(word: string, signal?: NodeJS.Signals) {
  const { baseUrl, token } = judged.options;
  const child = spawn(process.execPath, [...cli, word], {
    env: { ...process.env, KALENDS_BASE_URL: baseUrl, KALENDS_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let lines = 0;
  let sent = false;
  child.stdout.on("data", (chunk: Buffer) => {
    output += String(chunk);
    lines += String(chunk).split("\n").length - 1;
    if (signal === undefined || sent || lines <= 30) return;
    sent = child.kill(signal);
  });
  const [code] = await new Promise<readonly [number | null]>((resolve) =>
    child.on("close", (exit) => resolve([exit])),
  );
  return { code, output };
}

test("a reader that goes away, such as head, does not end the run", async () => {
  const { baseUrl, token } = judged.options;
  const child = spawn(process.execPath, [...cli, "run", "--only", "calendars.*"], {
    env: { ...process.env, KALENDS_BASE_URL: baseUrl, KALENDS_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.once("data", () => child.stdout.destroy());
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += String(chunk)));
  const [code] = await new Promise<readonly [number | null]>((resolve) =>
    child.on("close", (exit) => resolve([exit])),
  );
  expect([code, said]).toEqual([0, ""]);
  expect(await marked()).toBe(0);
});

async function marked(): Promise<number> {
  const { body } = await judged.first.call("listCalendars");
  return body.calendars.filter(({ title }: { title: string }) => title.startsWith("kalconf-")).length;
}

test("Ctrl-C ends a run with 130, after it deleted what it made", async () => {
  const { code, output } = await start("run", "SIGINT");
  expect(code).toBe(130);
  expect(output).toContain("Interrupted. required:");
  expect(output).not.toContain(judged.first.token);
  expect(await marked()).toBe(0);
});

test("after a kill, cleanup deletes what the run left", async () => {
  expect((await start("run", "SIGKILL")).code).toBe(null);
  expect(await marked()).toBeGreaterThan(0);
  const { code, output } = await start("cleanup");
  expect([code, output]).toEqual([0, expect.stringMatching(/^[1-9][0-9]* calendars deleted, 0 left\n$/)]);
  expect(await marked()).toBe(0);
});
