import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/db/connect.js";
import { newAccount, type TestAccount, testAccount } from "../harness.js";
import { type Receiver, startReceiver } from "../webhook-receiver.js";
import { addEndpoint, everyType } from "../webhook-world.js";
import { type Boundary, buildPlanted } from "./boundaries.js";
import { type BusyWorld, makeBusyWorld, startReplies } from "./planted-world.js";

// A throw at every asynchronous boundary of the background work in turn (docs/decisions/0039): the server answers throughout, its
// process is the same, a neighbour's messages come, and a start afterwards works. KALENDS_PLANTED names the numbers to try.

/** Boundaries between two starts. */
const batchSize = 60;

/** How many boundaries the busy account leads to at least. */
const leastThrown = 180;

/** How long an account is busy before it is asked which boundaries its work comes to, in ms. */
const warmUpMs = 40_000;

/** How long the work of a busy account may take to come to a boundary, in ms. */
const patienceMs = 3_000;

const folder = mkdtempSync(join(tmpdir(), "kalends-planted-"));
const program = fileURLToPath(new URL("../../node_modules/.cache/planted", import.meta.url));
const databaseUrl = `sqlite:${folder}/kalends.db`;

let boundaries: readonly Boundary[];
let port: number;
let server: Planted;
let db: Database;
let replies: Awaited<ReturnType<typeof startReplies>>;
let receiver: Receiver;
let neighbour: { account: TestAccount; calendar_id: string };
let world: BusyWorld;

/** A running server that throws at a chosen boundary. */
interface Planted {
  readonly child: ChildProcess;
  readonly url: string;
  readonly log: () => string;
  /** Has it throw at a boundary once. Resolves with false when it has not come there in time. */
  readonly throwAt: (number: number) => Promise<boolean>;
  /** The boundaries it has come to since this was asked last. */
  readonly reached: () => Promise<readonly number[]>;
}

/** Waits for a condition. Resolves with false when the time is over. */
async function until(isSo: () => boolean, ms: number): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; await pause(5)) if (isSo()) return true;
  return isSo();
}

async function start(environment: Readonly<Record<string, string>> = {}): Promise<Planted> {
  const child = spawn(process.execPath, [join(program, "main.js")], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOST: "127.0.0.1",
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      WEBHOOK_ALLOW_PRIVATE: "on",
      WEBHOOK_TIMEOUT_MS: "1000",
      RATE_LIMIT: "1000000",
      INACTIVE_AFTER_DAYS: "1",
      CALENDAR_TOKEN: "0123456789abcdef",
      METRICS_TOKEN: "a-token-of-metrics",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let [out, failures] = ["", ""];
  child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (failures += chunk.toString()));
  const messages: Record<string, unknown>[] = [];
  child.on("message", (message: object) => messages.push({ ...message }));
  const isListening = (): boolean => /Listening on \S+/.test(out);
  if (!(await until(() => isListening() || child.exitCode !== null, 30_000)) || !isListening())
    throw new Error(`not started: ${out}${failures}`);
  const [, url = ""] = /Listening on (\S+)/.exec(out) ?? [];
  const found = (name: string, value: unknown, ms: number): Promise<boolean> =>
    until(() => messages.some((message) => message[name] === value), ms);
  return {
    child,
    url,
    log: () => out,
    throwAt: async (number) => {
      child.send({ choose: number });
      if (await found("thrown", number, patienceMs)) return true;
      child.send({ choose: -1 });
      await found("chosen", -1, 1_000);
      return messages.some(({ thrown }) => thrown === number);
    },
    reached: async () => {
      messages.length = 0; // those of an earlier report
      child.send({ report: true });
      await until(() => messages.at(-1)?.reached !== undefined, 10_000);
      const reached = messages.at(-1)?.reached;
      return Array.isArray(reached) ? reached.map(Number) : [];
    },
  };
}

async function stop({ child }: Planted): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

beforeAll(async () => {
  boundaries = await buildPlanted(program);
  replies = await startReplies();
  receiver = await startReceiver();
  port = 0;
  server = await start();
  port = Number(new URL(server.url).port);
  db = await openDatabase(databaseUrl);
  const { id, token } = await newAccount(db, { createdAt: 1 });
  const account = testAccount(server.url, id, token);
  const made = await account.call("createCalendar", { title: "Neighbour", timezone: "UTC" });
  neighbour = { account, calendar_id: made.body.calendar.id };
  await addEndpoint(db, id, { url: receiver.url, types: everyType });
  world = await makeBusyWorld(db, server.url, replies.port);
}, 120_000);
afterAll(async () => {
  server.child.kill("SIGKILL");
  await db.close();
  await receiver.close();
  replies.stop();
  rmSync(folder, { recursive: true });
});

/** Keeps the busy account at work until `work` has ended. */
async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  const state: { isOver: boolean; stirred: number; failure?: unknown } = { isOver: false, stirred: 0 };
  const busy = (async () => {
    for (let round = 0; !state.isOver; round++) {
      // What is planted may fail a request of its own, or leave it without an answer.
      const stirred = world.stir(round).then(
        () => state.stirred++,
        (error: unknown) => (state.failure = error),
      );
      await Promise.race([stirred, pause(5_000, undefined, { ref: false })]);
      await pause(50);
    }
  })();
  try {
    return await work();
  } finally {
    state.isOver = true;
    await busy;
    expect([state.stirred > 0, state.failure]).toEqual([true, state.stirred > 0 ? state.failure : undefined]);
  }
}

let created = 0;
const wanted: string[] = [];

/** The neighbour's requests are answered: where its write shared a failed step, the next one is. */
async function expectAnswers(where: string): Promise<void> {
  const health = await fetch(`${server.url}/healthz`, { signal: AbortSignal.timeout(5_000) });
  expect([where, health.status]).toEqual([where, 200]);
  const create = async () => {
    const title = `${++created}`;
    const { calendar_id, account } = neighbour;
    const { status } = await account.call("createEvent", {
      calendar_id,
      title,
      start_date: "12/31/2030 20:00",
    });
    if (status === 200) wanted.push(title);
    return status;
  };
  const first = await create();
  if (first !== 200) expect([where, await create()]).toEqual([where, 200]);
}

/** Every message about a write that was acknowledged has come. */
async function expectMessages(): Promise<void> {
  const titles = () => new Set(receiver.received.map(({ payload }) => String(payload.data.event?.title)));
  await expect.poll(() => wanted.filter((title) => !titles().has(title)), { timeout: 60_000 }).toEqual([]);
}

/** A short run throws at one boundary of so many. */
const share = process.env.KALENDS_HOSTILE_SIZE === "short" ? 4 : 1;

const at = ({ number, file, kind, text }: Boundary): string => `${number} ${file} ${kind}: ${text}`;

test(
  "a throw at any boundary of the background work fails that unit alone",
  { timeout: 900_000 },
  async () => {
    const atStart = new Set(await server.reached());
    const again = await whileBusy(async () => {
      await pause(warmUpMs);
      return new Set(await server.reached());
    });
    const only = process.env.KALENDS_PLANTED?.split(",").map(Number);
    const chosen = boundaries.filter(({ number }) => only?.includes(number) ?? number % share === 0);
    const recurring = chosen.filter(({ number }) => again.has(number));
    const once = chosen.filter(({ number }) => atStart.has(number) && !again.has(number));
    const thrown = new Set<Boundary>();
    for (let from = 0; from < recurring.length; from += batchSize) {
      for (const boundary of await throwAtEach(recurring.slice(from, from + batchSize))) thrown.add(boundary);
      process.stderr.write(`${Math.min(from + batchSize, recurring.length)} of ${recurring.length}\n`);
    }
    for (const boundary of once) {
      await stop(server);
      await start({ PLANTED_AT_START: String(boundary.number) }).then(stop, () => undefined); // a start may fail
      server = await start();
      await expectAnswers(at(boundary));
      thrown.add(boundary);
    }
    const missed = chosen.filter((boundary) => !thrown.has(boundary));
    process.stderr.write(
      `${boundaries.length} boundaries in ${new Set(boundaries.map(({ file }) => file)).size} files: thrown at ${thrown.size}, ` +
        `${once.length} of them at the start; not reached: ${missed.length}\n${missed.map((each) => `  ${at(each)}\n`).join("")}`,
    );
    // The others are of requests, of commands, or of times that pass later: the list says which. A busy account that rests would find few.
    if (only === undefined) expect(thrown.size).toBeGreaterThan(leastThrown / share);
  },
);

/** Throws at some boundaries in turn, on one process, and starts the next one. Returns those it came to. */
async function throwAtEach(some: readonly Boundary[]): Promise<readonly Boundary[]> {
  const { pid } = server.child;
  const thrown: Boundary[] = [];
  await whileBusy(async () => {
    for (const boundary of some) {
      if (await server.throwAt(boundary.number)) thrown.push(boundary);
      const { exitCode, signalCode } = server.child;
      expect([at(boundary), exitCode, signalCode]).toEqual([at(boundary), null, null]);
      await expectAnswers(at(boundary));
    }
  });
  await expectMessages();
  expect(server.child.pid).toBe(pid);
  await stop(server);
  server = await start();
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await expectAnswers("after a start");
  await expectMessages();
  return thrown;
}
