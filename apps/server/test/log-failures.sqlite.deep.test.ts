import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { connect, Socket } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { client } from "./clients.js";
import { freePort } from "./free-port.js";
import { argumentsOf } from "./process.js";
import { temporaryFolder } from "./temporary.js";

// Servers whose stdout is a full disk, or a pipe or socket that is not read.
const patient = { timeout: 120_000, interval: 20 };

let folder = "";
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

interface Server {
  readonly child: ChildProcess;
  /** Sends so many requests and expects that each is answered. Returns how many were answered since the start. */
  serve(requests: number): Promise<number>;
  /** Sends SIGTERM. Returns the exit code and how long the end took, in ms. */
  end(): Promise<{ code: number | null; ms: number }>;
}

/** So many ignored parameters are named in the log at level debug: few requests fill all buffers with its lines. */
const ignored = Array.from({ length: 20 }, (_, n) => `${"ignored".repeat(5)}_${n + 10}=`).join("&");

/** What the log has of such a request. */
const linesOfRequest = ["parameters ignored", "request"];

const token = "a-token-of-log-failures";
const settings = { CALENDAR_TOKEN: token, RATE_LIMIT: "1000000", LOG_LEVEL: "debug", SLOW_MS: "0" };

/** Sends requests over one connection, none of which waits for the answer before. Returns how many got a 200. */
async function pipeline(port: number, requests: number): Promise<number> {
  const socket = connect({ host: "127.0.0.1", port });
  const head = `GET /api/v1/calendars/list/?${ignored} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`;
  socket.write(`${head}\r\n`.repeat(requests - 1) + `${head}Connection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text.split("HTTP/1.1 200 OK\r\n").length - 1;
}

async function start(stdout: number | "pipe"): Promise<Server> {
  const port = await freePort();
  const child = spawn(process.execPath, argumentsOf("main.ts"), {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, PORT: String(port), ...settings },
    stdio: ["pipe", stdout, "inherit"],
  });
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  let answered = 0;
  // From its first 200 on the token is accepted (rulings R6.1).
  const ask = async (): Promise<number> => (await client(url, "new").send("/readyz")).status;
  await expect.poll(() => ask().catch(() => 0), patient).toBe(200);
  return {
    child,
    serve: async (requests) => {
      const each = Math.ceil(requests / 8);
      const counts = await Promise.all(Array.from({ length: 8 }, () => pipeline(port, each)));
      expect(counts).toEqual(counts.map(() => each));
      answered += 8 * each;
      return answered;
    },
    end: async () => {
      const started = performance.now();
      const exit = once(child, "exit");
      child.kill("SIGTERM");
      const [code] = await exit;
      return { code, ms: performance.now() - started };
    },
  };
}

/** Their lines are more than what may wait, in the kernel and in the process; so many requests may wait. */
const tooMany = 1_200;

describe("a full disk under the log", () => {
  test("hinders neither requests nor the end of the process", async () => {
    const full = openSync("/dev/full", "a");
    const server = await start(full);
    closeSync(full);
    await server.serve(tooMany);
    await server.serve(100);
    const { code, ms } = await server.end();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
  });
});

interface Stalled {
  readonly stdout: number | "pipe";
  read(child: ChildProcess): Readable;
  close(): void;
}

/** Opens a stdout that is not read until the test starts to. */
function open(kind: string): Stalled {
  if (kind === "socket") {
    const read = ({ stdout }: ChildProcess): Readable => {
      if (stdout === null) throw new Error("no stdout");
      return stdout;
    };
    return { stdout: "pipe", read, close: () => undefined };
  }
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const stdout = openSync(path, constants.O_WRONLY);
  return { stdout, read: () => new Socket({ fd, writable: false }), close: () => closeSync(stdout) };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Returns how many lines of requests a log has, without those of the start, and the numbers of those lost. Every line must be whole. */
function countLines(text: string): { readonly written: number; readonly lost: readonly number[] } {
  const lines = text.slice(0, text.lastIndexOf("\n")).split("\n");
  const entries = lines
    .filter((line) => line.includes('"level"'))
    .map((line): Record<string, unknown> => JSON.parse(line));
  const ofRequests = entries.filter(
    ({ msg, operation }) => linesOfRequest.includes(String(msg)) && operation !== "readyz",
  );
  const reports = entries.filter(({ msg }) => msg === "log lines lost");
  return { written: ofRequests.length, lost: reports.map((entry) => Number(entry.lost)) };
}

describe.each(["pipe", "socket"])("a log whose reader stalls, stdout a %s", (kind) => {
  test("hinders neither requests nor the end of the process", async () => {
    const log = open(kind);
    const server = await start(log.stdout);
    await server.serve(tooMany);
    await server.serve(100);
    const { code, ms } = await server.end();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
    log.close();
  });

  test("reports how many lines were lost once it is read again, and breaks no line", async () => {
    const log = open(kind);
    const server = await start(log.stdout);
    log.close();
    await server.serve(tooMany);
    let text = "";
    const output = log.read(server.child).on("data", (chunk: Buffer) => (text += chunk.toString()));
    const over = once(output, "close");
    await expect.poll(() => text.includes('"msg":"log lines lost"'), patient).toBe(true);
    const answered = await server.serve(100);
    // It answers before these lines, so they may be among the lost ones.
    const ofStart = ['"server started"', "Listening on"];
    const missing = (): number => {
      const lostOfStart = ofStart.filter((words) => !text.includes(words)).length;
      const { written, lost } = countLines(text);
      return linesOfRequest.length * answered + lostOfStart - written - sum(lost);
    };
    // At its end the process waits for a reader no longer than 300 ms. Lines of queries may be among the lost too.
    await expect.poll(missing, patient).toBeLessThanOrEqual(0);
    expect((await server.end()).code).toBe(0);
    await over;
    expect(missing()).toBeLessThanOrEqual(0);
    const { lost } = countLines(text);
    expect(lost.length).toBeLessThan(5);
  });
});
