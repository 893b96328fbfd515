import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openDatabase } from "../src/db/open-database.js";
import { inspectSqlite } from "../src/db/sqlite/file.js";
import { faultsAfterCrash, type Lane, startWriters, type Writers } from "./crash-writers.js";
import { copyByChanges, expectSame, listedEvents, writeAtRandom } from "./change-readers.js";
import { createTestDatabase, onPostgres, type TestDatabase } from "./databases.js";
import { request, testAccount } from "./harness.js";
import { startPostgres } from "./postgres.js";
import { buildJournalLibrary, openJournal, writeImage } from "./power-cuts.js";
import { run, type Running } from "./process.js";

// No acknowledged write is lost by a crash, at any moment. KALENDS_CRASH_ROUNDS sets how many rounds of each kind run
// (bench/RACES.md).

const rounds = Number(process.env.KALENDS_CRASH_ROUNDS ?? 1);
vi.setConfig({ testTimeout: 600_000 + rounds * 20_000 });
afterAll(() => vi.resetConfig());
const patient = { timeout: 120_000, interval: 10 };
const token = "0123456789abcdef";
const lanesOfRound = 8;

let folder = "";
let server: Running | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kalends-crash-"));
});
afterEach(async () => {
  if (server !== undefined) await killNow(server);
  server = undefined;
  rmSync(folder, { recursive: true });
});

const each = [...Array(rounds).keys()];
/** How long writes go on before a kill, in ms. */
const randomPause = (): Promise<void> => pause(randomInt(600));

async function start(DATABASE_URL: string, more: Record<string, string> = {}) {
  const limits = { FOLLOW_LIMIT_PER_ADDRESS: "0", FOLLOW_LIMIT_PER_CALENDAR: "0" };
  const settings = { PORT: "0", DATABASE_URL, CALENDAR_TOKEN: token, LOG_LEVEL: "error" };
  const started = run("main.ts", [], folder, { ...settings, ...limits, ...more });
  server = started;
  const [, url = ""] = await started.until(/^Listening on (\S+)$/m);
  return { ...started, url };
}

/** Kills a server with SIGKILL, as the end of its machine would. */
async function killNow(killed: Running): Promise<void> {
  killed.child.kill("SIGKILL");
  await killed.finished;
}

/** Compares what was acknowledged with what the database holds, opened again. */
async function expectComplete(database: Pick<TestDatabase, "url" | "file">, lanes: readonly Lane[], at = 0) {
  const db = await openDatabase(database.url);
  try {
    expect(await faultsAfterCrash(db.read, lanes, at)).toEqual([]);
  } finally {
    await db.close();
  }
  if (!onPostgres) await inspectSqlite(database.file); // throws for a page, reference or counter that is wrong
}

const acknowledged = (all: readonly Writers[]): number =>
  all.reduce((sum, writers) => sum + writers.acknowledged(), 0);

/** What was counted, for those who run many rounds. */
function report(kind: string, all: readonly Writers[]): void {
  if (process.env.KALENDS_CRASH_ROUNDS !== undefined)
    process.stdout.write(`${kind}: ${rounds} rounds, ${acknowledged(all)} acknowledged writes\n`);
}

describe("a kill", () => {
  test("a server that is killed while it writes loses no acknowledged write", async () => {
    const database = await createTestDatabase("migrated");
    const all: Writers[] = [];
    const lanes = (): readonly Lane[] => all.flatMap((writers) => writers.lanes);
    for (const round of each) {
      const { url, ...started } = await start(database.url);
      const options = { url, token, prefix: `r${round}`, count: lanesOfRound };
      let onAcknowledged = (): void => undefined;
      const writers = startWriters({ ...options, position: () => (onAcknowledged(), 0) });
      all.push(writers);
      await expect.poll(writers.acknowledged, patient).toBeGreaterThan(lanesOfRound);
      await randomPause();
      // Every other time at once after an acknowledgement.
      if (round % 2 === 0) onAcknowledged = () => void started.child.kill("SIGKILL");
      else started.child.kill("SIGKILL");
      expect(new Set(await writers.ended)).toEqual(new Set([0]));
      await expectComplete(database, lanes());
    }
    const { url } = await start(database.url);
    await expect.poll(async () => (await request(`${url}/readyz`)).status, patient).toBe(200);
    report("kills of a server", all);
    await database.remove();
  });

  test("a write that was not answered because of a kill is done once when it is sent again with its key", async () => {
    const database = await createTestDatabase("migrated");
    let running = await start(database.url);
    const { call } = testAccount(running.url, 0, token);
    const { id: calendar_id } = (await call("createCalendar", { title: "Once" })).body.calendar;
    const create = async (title: string): Promise<string | undefined> => {
      const headers = { Authorization: `Bearer ${token}`, "Idempotency-Key": title };
      const body = new URLSearchParams({ calendar_id, title, start_date: "07/04/2026 10:00" });
      const address = `${running.url}/api/v1/calendars/events/create/`;
      const answer = await request(address, { method: "POST", headers, body }).catch(() => undefined);
      return answer?.status === 200 ? answer.text : undefined;
    };
    /** Sends it until it is answered: what a killed server was doing may go on in PostgreSQL for a moment, or the machine be busy. */
    const insist = async (title: string): Promise<string> => {
      let text: string | undefined;
      await expect.poll(async () => (text = await create(title)), patient).toBeDefined();
      return text ?? "";
    };
    const answers = new Map<string, string>();
    for (const round of each) {
      let sent = 0;
      const write = async (lane: number): Promise<string> => {
        for (let step = 0; ; step++) {
          const title = `${round}-${lane}-${step}`;
          sent++;
          const text = await create(title);
          if (text === undefined) return title;
          answers.set(title, text);
        }
      };
      const writing = Promise.all(Array.from({ length: lanesOfRound }, (_, lane) => write(lane)));
      await expect.poll(() => sent, patient).toBeGreaterThan(2 * lanesOfRound);
      await randomPause();
      await killNow(running);
      const unanswered = await writing;
      running = await start(database.url);
      for (const title of unanswered) answers.set(title, await insist(title));
    }
    for (const [title, text] of [...answers].slice(-lanesOfRound * 2)) expect(await insist(title)).toBe(text);
    const listed = await listedEvents(testAccount(running.url, 0, token), calendar_id);
    const titles = [...listed.values()].map((event) => JSON.parse(JSON.stringify(event)).title);
    expect(titles.toSorted()).toEqual([...answers.keys()].toSorted());
    await killNow(running);
    await database.remove();
  });

  test("who follows the changes across a kill ends with exactly the same calendar", async () => {
    const database = await createTestDatabase("migrated");
    let account = testAccount((await start(database.url)).url, 0, token);
    const latest = {
      id: 0,
      token,
      call: (...args: Parameters<typeof account.call>) => account.call(...args),
      get: account.get,
    };
    const { id } = (await account.call("createCalendar", { title: "Followed" })).body.calendar;
    let writers = lanesOfRound;
    const reading = copyByChanges([latest], id, () => writers === 0);
    const writing = Array.from({ length: lanesOfRound }, () =>
      writeAtRandom([latest], id, 20 * rounds + 10).finally(() => writers--),
    );
    for (let round = 0; round < rounds; round++) {
      await randomPause();
      if (server !== undefined) await killNow(server);
      account = testAccount((await start(database.url)).url, 0, token);
    }
    await Promise.all(writing);
    expectSame(await reading, await listedEvents(account, id));
    if (server !== undefined) await killNow(server);
    await database.remove();
  });

  test.runIf(onPostgres)(
    "a PostgreSQL that is killed under a server loses no acknowledged write, and the server writes on by itself",
    async () => {
      const postgres = await startPostgres();
      const database = { url: `${postgres.url}/postgres`, file: "" };
      const { url } = await start(database.url);
      const all: Writers[] = [];
      for (const round of each) {
        const writers = startWriters({ url, token, prefix: `r${round}`, count: lanesOfRound });
        all.push(writers);
        await expect.poll(writers.acknowledged, patient).toBeGreaterThan(lanesOfRound);
        await randomPause();
        await postgres.stop(round % 2 === 0 ? "killed" : "immediate");
        expect(new Set(await writers.ended)).toEqual(new Set([503]));
        const isStarted = () =>
          postgres
            .start()
            .then(() => true)
            .catch(() => false);
        await expect.poll(isStarted, patient).toBe(true); // refused while a session of the killed one still ends
        await expect.poll(async () => (await request(`${url}/readyz`)).status, patient).toBe(200);
        await expectComplete(
          database,
          all.flatMap(({ lanes }) => lanes),
        );
      }
      report("kills of PostgreSQL", all);
      await postgres.remove();
    },
  );
});

describe.runIf(!onPostgres)("power cuts", () => {
  const library = buildJournalLibrary(mkdtempSync(join(tmpdir(), "kalends-journal-")));
  const cuts = rounds * 6;

  test.runIf(library !== undefined)(
    "lose no acknowledged write, whatever became of sectors that were not synced",
    async () => {
      const journalFile = join(folder, "journal");
      const file = join(folder, "kalends.sqlite");
      const preload = { LD_PRELOAD: library ?? "", KALENDS_JOURNAL: journalFile };
      const { url, ...started } = await start(`sqlite:${file}`, preload);
      const journal = openJournal(journalFile);
      const first = journal.size();
      const options = { url, token, prefix: "cut", count: lanesOfRound, position: journal.size };
      const writers = startWriters(options);
      const hasCheckpoints = (): boolean =>
        journal.read().filter(({ kind, file: of }) => kind === "sync" && of === 1).length > 1;
      await expect.poll(hasCheckpoints, { timeout: 120_000, interval: 500 }).toBe(true);
      await killNow(started);
      await writers.ended;
      const entries = journal.read();
      const cutAt = async (position: number, more: Partial<Parameters<typeof writeImage>[0]>) => {
        const image = mkdtempSync(join(folder, "image-"));
        const databaseFile = join(image, "kalends.sqlite");
        writeImage({ entries, position, unsynced: "either", databaseFile, ...more });
        await expectComplete({ url: `sqlite:${databaseFile}`, file: databaseFile }, writers.lanes, position);
        rmSync(image, { recursive: true });
      };
      const anywhere = entries.map(({ position }) => position).filter((position) => position > first);
      const acknowledgements = writers.lanes.flatMap(({ steps }) =>
        steps.map(({ acknowledgedAt }) => acknowledgedAt).filter(Number.isFinite),
      );
      for (let cut = 0; cut < cuts; cut++) {
        const moments = cut % 2 === 0 ? anywhere : acknowledgements;
        const position = moments[randomInt(moments.length)] ?? journal.size();
        await cutAt(position, { unsynced: (["either", "lost", "kept"] as const)[cut % 3] ?? "either" });
      }
      // That the cuts can show a loss: so they do on a disk that ignores syncs.
      await expect(cutAt(journal.size(), { unsynced: "lost", syncs: "ignored" })).rejects.toThrow(
        "no such table",
      );
      report(`${cuts} power cuts`, [writers]);
    },
  );
});
