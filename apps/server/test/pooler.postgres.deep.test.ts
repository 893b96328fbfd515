import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../src/db/open-database.js";
import { type Answer, startTestServer, type TestAccount, type TestServer } from "./harness.js";
import { type Pooler, startPooler, withoutPooler } from "./pgbouncer.js";
import { type PostgresServer, startPostgres } from "./postgres.js";

// Behind a PgBouncer that gives each transaction any session, with its default settings except where a test names others.

/** The machine of a test may be busy. */
const patience = { timeout: 120_000 };

describe.skipIf(withoutPooler !== "")(`behind a pooler${withoutPooler}`, () => {
  let postgres: PostgresServer;
  let pooler: Pooler;
  let control: pg.Pool;
  let server: TestServer;
  let account: TestAccount;
  let calendar_id = "";
  beforeAll(async () => {
    postgres = await startPostgres();
    pooler = await startPooler(postgres.url, { default_pool_size: 4 }); // fewer sessions than connections of one server
    control = new pg.Pool({ connectionString: `${postgres.url}/postgres`, application_name: "control" });
    control.on("error", () => undefined); // it is stopped with our sessions
    server = await startTestServer({ DATABASE_URL: `${pooler.url}/postgres` });
    account = await server.account();
    ({ id: calendar_id } = (await account.call("createCalendar", { title: "x" })).body.calendar);
  });
  afterAll(async () => {
    await server.stop();
    await control.end();
    await pooler.stop();
    await postgres.remove();
  });

  const create = (title = "x"): Promise<Answer> =>
    account.call("createEvent", { calendar_id, title, start_date: "07/04/2026 10:00" });
  const pooledUrl = (query = "") => `${pooler.url}/postgres${query}`;

  async function expectWell(): Promise<void> {
    await expect.poll(async () => (await server.request("/readyz")).status, patience).toBe(200);
    await expect.poll(async () => (await create()).status, patience).toBe(200);
    expect((await account.call("listEvents", { calendar_id })).status).toBe(200);
  }

  test("nothing that others would meet is left in a session: no time limit and no lock", async () => {
    await Promise.all(Array.from({ length: 40 }, () => [create(), account.call("listCalendars")]).flat());
    const sql = `select (select count(*)::int from pg_settings where source in ('client', 'session') and name like '%timeout') as limits,
      (select count(*)::int from pg_locks where locktype = 'advisory') as locks`;
    const { rows }: { rows: readonly object[] } = await server.db.snapshot(async (trx) => {
      for (const name of ["statement_timeout", "lock_timeout"]) await trx.raw(`set local ${name} to default`);
      return trx.raw(sql);
    });
    // This transaction has its own limit for being idle.
    expect(rows).toEqual([{ limits: 1, locks: 0 }]);
  });

  test("the limits of the URL hold in a transaction, for a statement alone, and not in the next session", async () => {
    const db = await openDatabase(pooledUrl("?statement_timeout=300"));
    const slow = { code: "57014" };
    await expect(db.read.raw("select pg_sleep(20)")).rejects.toMatchObject(slow);
    await expect(db.query("select pg_sleep(20)", [])).rejects.toMatchObject(slow);
    await expect(db.transaction((trx) => trx.raw("select pg_sleep(20)"))).rejects.toMatchObject(slow);
    await db.close();
    const other = await openDatabase(pooledUrl());
    await other.read.raw("select pg_sleep(0.6)");
    await other.close();
  });

  test("with all its sessions in use callers are told overloaded, and all is well once they are free", async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const other = await openDatabase(pooledUrl());
    const holders = [1, 2, 3, 4].map(() =>
      other.read.transaction(async (trx) => {
        await trx.raw("select 1");
        await released;
      }),
    );
    await expect
      .poll(async () => {
        const sql = "select count(*)::int as held from pg_stat_activity where state = 'idle in transaction'";
        return (await control.query(sql)).rows[0].held;
      })
      .toBe(4);
    const answers = await Promise.all([create(), account.call("listCalendars"), create()]);
    expect(answers.map(({ status, body }) => [status, body.meta.error_type])).toEqual(
      answers.map(() => [503, "overloaded"]),
    );
    release();
    await Promise.all(holders);
    await other.close();
    await expectWell();
  });

  test.each([
    ["the pooler", async () => pooler.restart()],
    [
      "PostgreSQL",
      async () => {
        await postgres.stop();
        await postgres.start();
      },
    ],
  ])(
    "a restart of %s in the midst of writes: 200 or 503, and no acknowledged write is lost",
    async (name, restart) => {
      const titles = new Set<string>();
      const statuses = new Set<number>();
      const over = new AbortController();
      const writers = [1, 2, 3, 4, 5, 6, 7, 8].map(async (writer) => {
        for (let n = 1; !over.signal.aborted; n++) {
          const title = `${name} ${writer} ${n}`;
          const { status } = await create(title);
          statuses.add(status);
          if (status === 200) titles.add(title);
        }
      });
      try {
        await expect.poll(() => titles.size, patience).toBeGreaterThan(20);
        await restart();
        const before = titles.size;
        await expect.poll(() => titles.size, patience).toBeGreaterThan(before + 20);
      } finally {
        over.abort();
        await Promise.all(writers);
      }
      expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
      const { rows } = await control.query("select title from events where title like $1", [`${name} %`]);
      const stored = new Set(rows.map(({ title }) => title));
      expect([...titles].filter((title) => !stored.has(title))).toEqual([]);
      expect(rows).toHaveLength(stored.size); // nothing was written twice
      await expectWell();
    },
  );
});
