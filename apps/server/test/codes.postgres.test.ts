import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../src/db/open-database.js";
import { storageFailure } from "../src/db/failures.js";
import { startFailure } from "../src/process/start-failure.js";
import { createTestDatabase, type TestDatabase } from "./databases.js";
import { run } from "./process.js";
import { temporaryFolder } from "./temporary.js";

describe("PostgreSQL's error codes and the errors of the API", () => {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = await createTestDatabase("empty", "strict");
    db = await openDatabase(database.url);
  });
  afterAll(async () => {
    await db.close();
    await database.remove();
  });

  const failureOf = (sql: string, on = db): Promise<unknown> =>
    on.read.raw(sql).then(
      () => "no failure",
      (error: unknown) => storageFailure(error),
    );

  test.each([
    ["40001", "overloaded"], // a conflict of transactions
    ["40P01", "overloaded"], // a deadlock
    ["53100", "storage_full"],
    ["53200", "overloaded"], // out of memory
    ["53300", "overloaded"], // too many connections
    ["55P03", "overloaded"], // a lock was not to be had
    ["57P01", "storage_unavailable"], // the administrator ended the session
    ["57P03", "storage_unavailable"], // it starts
    ["25006", "storage_unavailable"], // it takes no writes
    ["28P01", "storage_unavailable"], // the password was changed
    ["3D000", "storage_unavailable"], // the database was renamed
    ["42501", "storage_unavailable"], // the role lost a permission
    ["58030", "storage_unavailable"], // the disk fails
    ["XX001", "storage_unavailable"], // data is corrupted
    ["23505", undefined], // a defect of ours: 500
    ["42703", undefined],
  ])("%s: %s", async (code, failure) => {
    expect(await failureOf(`do $$ begin raise exception using errcode = '${code}'; end $$`)).toBe(failure);
  });

  test("a password that PostgreSQL wants and the URL lacks is named", async () => {
    const url = new URL(database.url);
    url.password = "";
    const failure: unknown = await openDatabase(url.href).catch((error: unknown) => error);
    expect(startFailure(failure)).toMatch(/password must be a string\n.*DATABASE_URL.*PGPASSWORD/);
    // The process ends at once, not after the minute that PostgreSQL would wait for the password.
    const { code, stderr } = await run("main.ts", [], tmpdir(), { DATABASE_URL: url.href, PORT: "0" })
      .finished;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("PGPASSWORD") });
  }, 30_000);

  test("a password is read from the file of PGPASSFILE, without a word", async () => {
    const own = await createTestDatabase("empty", "strict");
    const url = new URL(own.url);
    const file = join(temporaryFolder(), "pgpass");
    writeFileSync(file, `${url.hostname}:${url.port}:*:${url.username}:${url.password}\n`, { mode: 0o600 });
    url.password = "";
    const environment = { DATABASE_URL: url.href, PGPASSFILE: file };
    const { code, stderr } = await run("cli.ts", ["migrate"], tmpdir(), environment).finished;
    await own.remove();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  }, 30_000);

  test("a statement that takes too long is ended, as overloaded, and its connection goes on", async () => {
    const hasty = await openDatabase(`${database.url}?statement_timeout=1000`);
    expect(await failureOf("select pg_sleep(10)", hasty)).toBe("overloaded");
    await expect.poll(() => failureOf("select 1", hasty)).toBe("no failure");
    await hasty.close();
  });

  test("transactions that PostgreSQL ends for each other's sake are run again", async () => {
    await db.transaction((trx) =>
      trx.raw("create table locked as select n, 0 as times from generate_series(1, 2) as n"),
    );
    let runs = 0;
    let held = 0;
    let release = () => {};
    const bothHoldOne = new Promise<void>((resolve) => (release = resolve));
    const touch = (first: number, second: number) =>
      db.transaction(async (trx) => {
        runs++;
        await trx.raw("set local deadlock_timeout = '50ms'");
        const raise = (n: number) => trx.raw("update locked set times = times + 1 where n = ?", [n]);
        await raise(first);
        if (++held === 2) release();
        await bothHoldOne; // else the one may be done before the other begins
        await raise(second);
      });
    await Promise.all([touch(1, 2), touch(2, 1)]);
    expect(runs).toBeGreaterThan(2);
    const { rows } = await db.read.raw("select times from locked order by n");
    expect(rows).toStrictEqual([{ times: 2 }, { times: 2 }]);
  });

  test("a statement whose table gets another column goes on, alone and in transactions", async () => {
    await db.transaction((trx) => trx.raw("create table planned as select 1 as n"));
    const all = "select * from planned";
    const ways = [
      () => db.transaction(({ query }) => query<object>(all, [])),
      () => db.snapshot((trx) => trx("planned").select("*")),
      () => db.list(1, ({ query }) => query<object>(all, [])),
    ];
    for (const [index, way] of ways.entries()) {
      await way();
      await db.transaction((trx) => trx.raw(`alter table planned add column more_${index} int`));
      const [row] = await way();
      expect(Object.keys(row ?? {})).toHaveLength(index + 2);
    }
  });

  test("a session that is ended in a transaction rolls it back, and the next has a new one", async () => {
    await db.transaction((trx) => trx.raw("create table kept (n int)"));
    const work = db.transaction(async (trx) => {
      await trx.raw("insert into kept values (1)");
      await trx.raw("select pg_terminate_backend(pg_backend_pid())");
    });
    expect(await work.catch((error: unknown) => storageFailure(error))).toBe("storage_unavailable");
    const { rows } = await db.read.raw("select count(*)::int as n from kept");
    expect(rows).toStrictEqual([{ n: 0 }]);
  });
});
