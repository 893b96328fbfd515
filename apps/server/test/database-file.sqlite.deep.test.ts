import { copyFileSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Answer, startTestServer, type TestAccount, type TestServer } from "./harness.js";
import { run, type Running } from "./process.js";
import { runningTime } from "./running-time.js";
import { temporaryFolder } from "./temporary.js";

// A database file that is deleted or replaced while servers have it open.

test("a new database, its write-ahead log and its shared memory can be read by their owner only", async () => {
  const server = await startTestServer();
  const account = await server.account();
  expect((await account.call("createCalendar", { title: "x" })).status).toBe(200);
  const folder = dirname(server.databaseFile);
  const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
  expect(Object.fromEntries(modes)).toEqual({
    "kalends.sqlite": 0o600,
    "kalends.sqlite-shm": 0o600,
    "kalends.sqlite-wal": 0o600,
  });
  await server.stop();
});

const changes: Readonly<Record<string, (file: string) => void>> = {
  "is deleted": (file) => rmSync(file),
  "is replaced by a copy": (file) => {
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
  },
  "is moved, with a link left in its place": (file) => {
    renameSync(file, `${file}.moved`);
    symlinkSync(`${file}.moved`, file); // whoever opens it now uses another write-ahead log
  },
  "is emptied": (file) => truncateSync(file),
  "loses its write-ahead log": (file) => rmSync(`${file}-wal`),
  "loses its shared memory": (file) => rmSync(`${file}-shm`),
};

describe.each(Object.entries(changes))("a database that %s", (_, change) => {
  let server: TestServer;
  let account: TestAccount;
  let calendar_id = "";
  beforeEach(async () => {
    server = await startTestServer();
    account = await server.account();
    calendar_id = (await account.call("createCalendar", { title: "x" })).body.calendar.id;
  });
  afterEach(() => server.stop());

  const writes: readonly (() => Promise<Answer>)[] = [
    () => account.call("createCalendar", { title: "x" }),
    () => account.call("createEvent", { calendar_id, title: "x", start_date: "07/04/2026 13:30" }),
  ];

  test.each([0, 1])("takes no more writes and is not ready, from the next request on (%s)", async (first) => {
    await expect.poll(async () => (await server.request("/readyz")).status).toBe(200);
    change(server.databaseFile);
    for (const write of [writes[first], ...writes]) {
      const refused = await write?.();
      expect([refused?.status, refused?.body.meta.error_type]).toEqual([503, "storage_unavailable"]);
    }
    expect((await server.request("/readyz")).status).toBe(503);
  });
});

describe("a server without requests", () => {
  let folder = "";
  let server: Running;
  beforeEach(() => {
    folder = temporaryFolder();
    server = run("main.ts", [], folder, { PORT: "0", CALENDAR_TOKEN: "0123456789abcdef" });
  });
  afterEach(async () => {
    server.child.kill("SIGKILL");
    await server.finished;
  });

  test.each(Object.entries(changes))(
    "whose database %s says so in one line and ends with exit code 1",
    async (_, change) => {
      await server.until(/Listening on/);
      const began = runningTime();
      change(join(folder, "data", "kalends.sqlite"));
      const { code, stdout } = await server.finished;
      expect(code).toBe(1);
      expect(runningTime() - began).toBeLessThan(10_000);
      const fatal = stdout.split("\n").filter((line) => line.startsWith('{"level":60'));
      expect(fatal).toHaveLength(1);
      expect(fatal[0]).toMatch(/kalends\.sqlite.* was (?:deleted|replaced|emptied) .*"msg":"database lost/);
    },
  );
});
