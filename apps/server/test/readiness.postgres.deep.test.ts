import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestAccount, type TestServer } from "./harness.js";
import { type PostgresServer, startPostgres } from "./postgres.js";
import { startStandby } from "./standby.js";

// What /readyz promises on PostgreSQL: the database can be read and written, though no client writes.
const patient = { timeout: 120_000, interval: 50 };

describe("/readyz", () => {
  let postgres: PostgresServer;
  let control: pg.Pool;
  let server: TestServer;
  let account: TestAccount;
  beforeAll(async () => {
    postgres = await startPostgres();
    control = new pg.Pool({ connectionString: `${postgres.url}/postgres` });
    control.on("error", () => undefined); // the server is stopped with its sessions
    server = await startTestServer({ DATABASE_URL: `${postgres.url}/postgres` });
    account = await server.account();
  });
  afterAll(async () => {
    await server.stop();
    await control.end();
    await postgres.remove();
  });

  const readiness = async (of = server) => (await of.request("/readyz")).status;
  const expectReady = (status: number, of = server) => expect.poll(() => readiness(of), patient).toBe(status);

  test("is 503 while PostgreSQL is read-only, and 200 when it takes writes again", async () => {
    await expectReady(200);
    await control.query("alter system set default_transaction_read_only = on");
    await control.query("select pg_reload_conf()");
    await expectReady(503);
    expect((await account.call("listCalendars")).status).toBe(200);
    await control.query("alter system reset default_transaction_read_only");
    await control.query("select pg_reload_conf()");
    await expectReady(200);
  });

  test("is 503 on a standby, and 200 once it is promoted", async () => {
    const standby = await startStandby(postgres.url);
    const far = await startTestServer({ DATABASE_URL: `${standby.url}/postgres` });
    await expectReady(503, far);
    const promoting = new pg.Client({ connectionString: `${standby.url}/postgres` });
    await promoting.connect();
    await promoting.query("select pg_promote()");
    await promoting.end();
    await expectReady(200, far);
    await far.stop();
    await standby.remove();
  });

  test.each(["calendars", "events", "subscribers"])(
    "is 503 while another session keeps writes from %s for longer than a write waits, and 200 after it",
    async (table) => {
      const holder = await control.connect();
      await holder.query("begin");
      await holder.query(`lock table ${table} in share mode`); // reads go on
      await expectReady(503);
      await holder.query("rollback");
      holder.release();
      await expectReady(200);
    },
  );

  test("is 503 while a table cannot be read", async () => {
    await control.query("alter table calendars rename to elsewhere");
    await expectReady(503);
    await control.query("alter table elsewhere rename to calendars");
    await expectReady(200);
  });

  test("is 503 while writes are refused, and 200 when one can be stored though no client writes", async () => {
    await expectReady(200);
    const insert = "create function refuse() returns trigger language plpgsql as $$ begin";
    await control.query(`${insert} raise exception 'no space' using errcode = '53100'; end $$`);
    const refusing = ["calendars", "properties"];
    for (const table of refusing)
      await control.query(`create trigger refuse before insert on ${table} execute function refuse()`);
    expect((await account.call("createCalendar", { title: "x" })).status).toBe(507);
    await expectReady(503);
    for (const table of refusing) await control.query(`drop trigger refuse on ${table}`);
    await expectReady(200);
  });

  test("stays 200 while writes wait for one locked calendar and are refused", async () => {
    const { calendar } = (await account.call("createCalendar", { title: "x" })).body;
    const holder = await control.connect();
    await holder.query("begin");
    await holder.query("select id from calendars where id = $1 for update", [calendar.id]);
    const params = { calendar_id: calendar.id, title: "x", start_date: "07/04/2026 10:00" };
    const state = { over: false, statuses: new Array<number>() };
    const writer = async (): Promise<void> => {
      while (!state.over) state.statuses.push((await account.call("createEvent", params)).status);
    };
    const writers = [1, 2, 3].map(writer);
    // Often in a row: one 503 is also what a process returns that was held up.
    let inARow = 0;
    const ready = async (): Promise<number> => {
      inARow = (await readiness()) === 200 ? inARow + 1 : 0;
      return inARow;
    };
    await expect.poll(() => state.statuses.length, patient).toBeGreaterThan(0);
    await expect.poll(ready, { ...patient, interval: 5 }).toBe(100);
    state.over = true;
    await Promise.all(writers);
    expect(new Set(state.statuses)).toEqual(new Set([503]));
    await expectReady(200);
    await holder.query("rollback");
    holder.release();
  });
});
