import { tmpdir } from "node:os";
import { contractIds } from "@kalends/spec";
import pg from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig } from "../src/settings/config.js";
import { tableNames } from "../src/db/copy.js";
import { type Database, openDatabase } from "../src/db/open-database.js";
import { migrate, migrations } from "../src/db/migrate.js";
import { startServer } from "../src/process/server.js";
import { addFollower, freshParams } from "./calls.js";
import { createTestDatabase, onPostgres, type TestDatabase } from "./databases.js";
import { newAccount, startOfTests, startTestServer, testAccount } from "./harness.js";
import { longerChain } from "./longer-chain.js";
import { run } from "./process.js";

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.remove());

const start = () =>
  run("main.ts", [], tmpdir(), { DATABASE_URL: database.url, PORT: "0", LOG_LEVEL: "info" });

async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(database.url);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

test("of servers started at once on an empty database one migrates, and all run", async () => {
  const servers = [start(), start(), start()];
  await Promise.all(servers.map(({ until }) => until(/^Listening on/m)));
  for (const { child } of servers) child.kill("SIGTERM");
  const ended = await Promise.all(servers.map(({ finished }) => finished));
  expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    servers.map(() => ({ code: 0, stderr: "" })),
  );
  expect(ended.filter(({ stdout }) => stdout.includes('"migrated"'))).toHaveLength(1);
  const names = await withDatabase((db) => db.read("migrations").orderBy("name").pluck("name"));
  expect(names).toEqual(migrations.map(({ name }) => name));
});

test("who starts while another migrates waits for it, longer than a request would", async () => {
  await withDatabase(async (first) => {
    const second = await first.exclusively(async () => {
      const since = performance.now();
      const second = withDatabase((db) => migrate(db, 1));
      second.catch(() => undefined);
      const patience = { interval: 100 };
      await expect.poll(() => performance.now() - since, patience).toBeGreaterThan(onPostgres ? 0 : 5_500);
      return { second };
    });
    expect(await second.second).toEqual(migrations.map(({ name }) => name));
  });
});

test("a server and a command that wait for another's migration say so", async () => {
  await withDatabase(async (first) => {
    const waiting = await first.exclusively(async (trx) => {
      const busy = setInterval(() => void trx.raw("select 1").then(), 500); // PostgreSQL ends a transaction that is left alone
      const server = start();
      const command = run("cli.ts", ["migrate"], tmpdir(), { DATABASE_URL: database.url });
      const said = new Promise<string>((resolve) => {
        command.child.stderr.on("data", (chunk: Buffer) => resolve(chunk.toString()));
      });
      await server.until(/waiting for the database: another process is migrating it/);
      expect(await said).toMatch(/^waiting for the database: another process is migrating it/);
      clearInterval(busy);
      return { server, command };
    });
    expect((await waiting.command.finished).code).toBe(0);
    await waiting.server.until(/^Listening on/m);
    waiting.server.child.kill("SIGTERM");
    expect((await waiting.server.finished).code).toBe(0);
  });
});

test("a server that waits for another's migration ends on SIGTERM", async () => {
  await withDatabase((first) =>
    first.exclusively(async (trx) => {
      const busy = setInterval(() => void trx.raw("select 1").then(), 500);
      const server = start();
      await server.until(/waiting for the database/);
      server.child.kill("SIGTERM");
      const { code, stdout } = await server.finished;
      clearInterval(busy);
      expect([code, stdout]).toEqual([0, expect.stringContaining('"reason":"SIGTERM"')]);
    }),
  );
});

test.runIf(onPostgres)("a migration that waits for another session says which", async () => {
  const holder = new pg.Client({ connectionString: database.url, application_name: "backup" });
  holder.on("error", () => undefined); // where the test fails, the database is dropped under it
  await holder.connect();
  await holder.query("begin");
  await holder.query("create table accounts (id int)"); // the migration cannot create it before this one ends
  const { rows } = await holder.query("select pg_backend_pid() as pid");
  const command = run("cli.ts", ["migrate"], tmpdir(), { DATABASE_URL: database.url });
  const said = new Promise<string>((resolve) => {
    command.child.stderr.once("data", (chunk: Buffer) => resolve(chunk.toString()));
  });
  expect(await said).toMatch(
    new RegExp(`^waiting for the database: .*session ${rows[0].pid} of PostgreSQL \\(backup, role kalends, `),
  );
  await holder.query("rollback");
  await holder.end();
  await command.finished;
});

test("a server does not start on a newer schema: it reports that and exits 1, and the schema is unchanged", async () => {
  await withDatabase(async (db) => {
    await migrate(db, 1);
    await db.transaction((trx) => trx("migrations").insert({ name: "9999_future", applied_at: 1 }));
    const before = await contentOf(db);
    const { code, stderr, stdout } = await start().finished;
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      "The database has migrations of a newer version (9999_future): start that version instead.\n",
    );
    expect(await contentOf(db)).toEqual(before);
  });
});

/** All tables with their columns and rows. */
async function contentOf({ read, dialect }: Database): Promise<object> {
  const tables = (await tableNames(read, dialect)).map(
    async (name) => [name, await read(name).columnInfo(), await read(name).orderByRaw("1")] as const,
  );
  return Promise.all(tables);
}

test("a server killed in the middle of a migration leaves the old schema and its data, and the next one migrates", async () => {
  const config = readConfig({ PORT: "0", DATABASE_URL: database.url });
  const server = await startServer({ config, log: pino({ level: "silent" }), clock: () => startOfTests });
  const { id, token } = await newAccount(server.db, { createdAt: startOfTests });
  const { call } = testAccount(server.url, id, token);
  const { calendar } = (await call("createCalendar", { title: "x" })).body;
  for (const title of ["One", "Two"])
    await call("createEvent", { calendar_id: calendar.id, title, start_date: "07/04/2026 13:30" });
  await server.stop();
  await withDatabase(async (db) => {
    const before = await contentOf(db);
    for (const statement of [4, 8]) {
      const args = [database.url, String(statement)];
      const { child, finished } = run("../test/killed-migration.ts", args, tmpdir());
      const { stderr } = await finished;
      expect({ statement, signal: child.signalCode, stderr }).toEqual({
        statement,
        signal: "SIGKILL",
        stderr: "",
      });
      expect(await contentOf(db)).toEqual(before);
    }
    expect(await migrate(db, 1, undefined, longerChain)).toEqual(["9000_later"]);
    expect(await db.read("laters").orderBy("event_id").pluck("name")).toEqual(["One", "Two"]);
  });
});

test("a running server goes on while a newer one adds columns to its tables", async () => {
  const running = await startTestServer();
  const account = await running.account();
  const callEach = async () => {
    for (const id of contractIds) {
      const { status, text } = await account.call(id, await freshParams(running, account, id));
      expect({ id, status, text: status === 200 ? "" : text }).toEqual({ id, status: 200, text: "" });
    }
    const { calendar } = (await account.call("createCalendar", { title: "x" })).body;
    const { key } = await addFollower(running, account, calendar.id);
    for (const path of [`/c/${calendar.uniquekey}`, `/f/${key}`, `/f/${key}/x.ics`]) {
      expect({ path, status: (await running.request(path)).status }).toEqual({ path, status: 200 });
    }
  };
  await callEach(); // queries are prepared now
  const tables = await tableNames(running.db.read, running.db.dialect);
  await running.db.exclusively(async (trx) => {
    for (const table of tables) {
      await trx.raw(`alter table ${table} add column later_text text`);
      await trx.raw(`alter table ${table} add column later_number bigint not null default 0`);
    }
  });
  await callEach();
  await running.stop();
});
