import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/db/open-database.js";
import { createTestDatabase, onPostgres, type TestDatabase } from "../databases.js";
import { newAccount, type TestAccount, testAccount } from "../harness.js";
import { type Receiver, startReceiver } from "../webhook-receiver.js";
import { addEndpoint, everyType } from "../webhook-world.js";
import { type Boundary, buildPlanted } from "./boundaries.js";
import { type Planted, startPlanted, stopPlanted } from "./planted-server.js";
import { type BusyWorld, endPauses, makeBusyWorld, prepareStart, startReplies } from "./planted-world.js";
import { dependsOnLoad, unreached } from "./unreached.js";

// A throw at every asynchronous boundary of the background work in turn (docs/decisions/0016): the server answers throughout, its
// process is the same, a neighbour's messages come, and a start afterwards works. KALENDS_PLANTED names the numbers to try.

/** Boundaries that are thrown at side by side, and how long they may take to be reached, in ms. */
const [groupSize, patienceMs] = [8, 2_000];

/** How long a neighbour may be without an answer of success, in ms: a busy machine takes a moment, an outage takes seconds. */
const outageMs = 3_000;

/** How long the busy account works before anything is thrown, in ms. */
const undisturbedMs = 5_000;

/** Groups between two starts. */
const groupsInRound = 10;

/** Groups in a row that find nothing new before the search ends. */
const mostEmpty = 6;

const folder = mkdtempSync(join(tmpdir(), "kalends-planted-"));
const program = fileURLToPath(new URL(`../../node_modules/.cache/planted-${process.pid}`, import.meta.url));

let boundaries: readonly Boundary[];
let database: TestDatabase;
let port = 0;
let server: Planted;
let db: Database;
let replies: Awaited<ReturnType<typeof startReplies>>;
let receiver: Receiver;
let neighbour: { account: TestAccount; calendar_id: string };
let world: BusyWorld;

function settings(numbers: Iterable<number>) {
  const environment = {
    HOST: "127.0.0.1",
    PORT: String(port),
    DATABASE_URL: database.url,
    WEBHOOK_ALLOW_PRIVATE: "on",
    WEBHOOK_TIMEOUT_MS: "1000",
    WEBHOOK_KEEP_DELIVERIES: "100",
    RATE_LIMIT: "1000000",
    INACTIVE_AFTER_DAYS: "1",
    METRICS_TOKEN: "a-token-of-metrics",
    PLANTED_AT_START: [...numbers].join(),
  };
  return { program, folder, environment };
}

async function start(): Promise<Planted> {
  await prepareStart(db);
  const started = await startPlanted(settings([]));
  if (started.url === undefined) throw new Error(`not started: ${started.log()}`);
  return started;
}

beforeAll(async () => {
  boundaries = await buildPlanted(program);
  database = await createTestDatabase("migrated");
  db = await openDatabase(database.url);
  replies = await startReplies();
  receiver = await startReceiver();
  server = await start();
  port = Number(new URL(server.url).port);
  const { id, token } = await newAccount(db, { createdAt: 1 });
  const account = testAccount(server.url, id, token);
  const made = await account.call("createCalendar", { title: "Neighbour", timezone: "UTC" });
  neighbour = { account, calendar_id: made.body.calendar.id };
  await addEndpoint(db, id, { url: receiver.url, types: everyType });
  world = await makeBusyWorld(db, server.url, replies.port);
});
afterAll(async () => {
  server.child.kill("SIGKILL");
  await db.close();
  await database.remove();
  await receiver.close();
  replies.stop();
  rmSync(folder, { recursive: true });
  rmSync(program, { recursive: true });
});

/** Keeps the busy account at work until `work` has ended. */
async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  const state: { isOver: boolean; stirred: number; failure?: unknown } = { isOver: false, stirred: 0 };
  const isDone = (): boolean => state.isOver && (state.stirred > 0 || Date.now() > latest);
  let latest = Infinity; // on a busy machine the first round may last longer than the work
  const busy = (async () => {
    for (let round = 0; !isDone(); round++) {
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
    latest = Date.now() + 60_000;
    await busy;
    expect([state.stirred > 0, state.failure]).toEqual([true, state.stirred > 0 ? state.failure : undefined]);
  }
}

let created = 0;
const wanted: string[] = [];

/** The longest that the neighbour waited for a write that succeeded, in ms. */
let longestWait = 0;

/** The neighbour's requests are answered: where its write shared a failed step or finds the writer busy, a next one is soon. */
async function expectAnswers(where: unknown): Promise<void> {
  const begun = performance.now();
  const health = await fetch(`${server.url}/healthz`, { signal: AbortSignal.timeout(outageMs) });
  expect([where, health.status]).toEqual([where, 200]);
  const statuses: number[] = [];
  while (statuses.at(-1) !== 200 && performance.now() - begun < outageMs) {
    const title = `${++created}`;
    const { calendar_id, account } = neighbour;
    const write = { calendar_id, title, start_date: "12/31/2030 20:00" };
    const { status } = await account.call("createEvent", write);
    if (status === 200) wanted.push(title);
    statuses.push(status);
    if (status !== 200) await pause(50);
  }
  const waited = Math.round(performance.now() - begun);
  longestWait = Math.max(longestWait, waited);
  const isSoon = statuses.at(-1) === 200 && waited < outageMs;
  const seen = { where, waited, statuses, isSoon };
  expect(seen, `${JSON.stringify(seen)}\n${server.log().slice(-4_000)}`).toEqual({ ...seen, isSoon: true });
}

/** Every message about a write that was acknowledged has come, once the pauses are over that follow attempts that were made to fail. */
async function expectMessages(): Promise<void> {
  const missing = async () => {
    await db.transaction(endPauses);
    const titles = new Set(receiver.received.map(({ payload }) => String(payload.data.event?.title)));
    const late = wanted.filter((title) => !titles.has(title));
    return Promise.all(late.map(async (title) => [title, await deliveriesAbout(title)]));
  };
  await expect.poll(missing, { timeout: 120_000, interval: 200 }).toEqual([]);
}

/** What became of the messages about an event, for the output. */
function deliveriesAbout(title: string): Promise<readonly object[]> {
  return db
    .read("webhook_deliveries")
    .where("payload", "like", `%"title":"${title}"%`)
    .select("endpoint_id", "state", "attempts", "next_at", "sender", "unfinished_starts", "status", "error");
}

/** A short run throws at one boundary of so many. */
const share = process.env.KALENDS_HOSTILE_SIZE === "short" ? 4 : 1;

const at = ({ file, kind, text }: Boundary): string => `${file} ${kind}: ${text}`;

/** What one database shows as well as the other is shown on SQLite. */
const isHere = ({ file }: Boundary): boolean => file.startsWith("db/postgres/") === onPostgres;

test(
  "a throw at any boundary of the background work fails that unit alone",
  { timeout: 900_000 },
  async () => {
    const only = process.env.KALENDS_PLANTED?.split(",").map(Number);
    const chosen = boundaries
      .filter(isHere)
      .filter(({ number }) => only?.includes(number) ?? number % share === 0);
    const left = new Map(chosen.map((boundary) => [boundary.number, boundary]));
    await expectListIsTrue();
    await throwAtRunning(left);
    const running = chosen.length - left.size;
    await throwAtStarts(left);
    process.stderr.write(
      `${boundaries.length} boundaries, ${chosen.length} chosen: thrown at ${running} of a running server, ` +
        `at ${chosen.length - running - left.size} of one that starts or stops, ${left.size} not reached; ` +
        `the neighbour waited at most ${longestWait} ms\n`,
    );
    const listed = chosen.filter((boundary) => !isRequired(boundary) && !left.has(boundary.number));
    process.stderr.write(`listed as not reached, and thrown at:\n  ${listed.map(at).join("\n  ")}\n`);
    // A short run has no time to come to each: it shows that what it throws at is survived.
    if (share > 1) expect(left.size).toBeLessThan(chosen.length / 2);
    else expect([...left.values()].filter(isRequired).map(at)).toEqual([]);
  },
);

/** Whether it must be reached. Those that are listed are thrown at too, if a failure elsewhere leads to them. */
const isRequired = (boundary: Boundary): boolean => !unreached.has(at(boundary));

test("those that cannot be reached are still there", () => {
  const all = new Set(boundaries.map(at));
  expect([...unreached.keys()].filter((each) => !all.has(each))).toEqual([]);
});

/** While nothing is thrown, the busy account comes to none of the boundaries that are listed for another reason than the load. */
async function expectListIsTrue(): Promise<void> {
  const reached = await whileBusy(async () => {
    await server.choose([]);
    await pause(undisturbedMs);
    return new Set(await server.choose([]));
  });
  const listed = boundaries
    .filter(isHere)
    .filter((boundary) => !isRequired(boundary) && !dependsOnLoad(at(boundary)));
  expect(listed.filter(({ number }) => reached.has(number)).map(at)).toEqual([]);
}

/** Throws at the boundaries that a running server comes to, in groups, until it comes to no other. Removes them from `left`. */
async function throwAtRunning(left: Map<number, Boundary>): Promise<void> {
  const thrown: number[] = [];
  const search = { empty: 0 };
  while ([...left.values()].some(isRequired) && search.empty < mostEmpty) {
    const { pid } = server.child;
    await whileBusy(async () => {
      for (let group = 0; group < groupsInRound && search.empty < mostEmpty; group++) {
        const found = await throwAtGroup(left, thrown);
        search.empty = found.length > 0 ? 0 : search.empty + 1;
        for (const number of found) left.delete(number);
        thrown.push(...found);
      }
    });
    await expectMessages();
    expect(server.child.pid).toBe(pid);
    await stopPlanted(server);
    server = await start();
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await expectAnswers("after a start");
    await expectMessages();
    process.stderr.write(`${left.size} left\n`);
  }
}

/**
 * Throws at some boundaries that were reached just now. Where there is none, at some of the others, and again at some that were thrown
 * at: they may be reached when something else fails. Returns those that were thrown at for the first time.
 */
async function throwAtGroup(left: Map<number, Boundary>, known: number[]): Promise<readonly number[]> {
  await pause(200);
  const reached = (await server.choose([])).filter((number) => left.has(number)).slice(0, groupSize);
  const group = reached.length > 0 ? reached : [...left.keys()].slice(0, 3 * groupSize);
  for (const number of group) moveToEnd(left, number);
  const again = reached.length > 0 ? [] : known.splice(0, groupSize);
  known.push(...again);
  const before = new Set(server.thrown());
  await server.choose([...group, ...again]);
  const isThrown = (number: number): boolean => server.thrown().has(number) && !before.has(number);
  for (const end = performance.now() + patienceMs; performance.now() < end; await pause(10))
    if (group.every(isThrown)) break;
  await server.choose([]);
  const found = group.filter((number) => left.has(number) && isThrown(number));
  const where = group.flatMap((number) => left.get(number) ?? []).map(at);
  const { exitCode, signalCode } = server.child;
  expect([where, exitCode, signalCode]).toEqual([where, null, null]);
  await expectAnswers(where);
  return found;
}

/** Has others come first the next time. */
function moveToEnd(left: Map<number, Boundary>, number: number): void {
  const boundary = left.get(number);
  left.delete(number);
  if (boundary !== undefined) left.set(number, boundary);
}

/** Throws at the boundaries that a start or a stop comes to: either may fail then, the next start does not. */
async function throwAtStarts(left: Map<number, Boundary>): Promise<void> {
  for (let found = left.size; found > 0;) {
    await stopPlanted(server);
    await prepareStart(db);
    const planted = await startPlanted(settings(left.keys()));
    if (planted.url !== undefined) {
      await pause(500);
      await stopPlanted(planted);
    }
    server = await start();
    await expectAnswers([...planted.thrown()]);
    found = 0;
    for (const number of planted.thrown()) if (left.delete(number)) found++;
  }
}
