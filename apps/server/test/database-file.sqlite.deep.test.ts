import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { startTestServer } from "./harness.js";

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
