import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Database, openDatabase } from "../src/db/connect.js";
import { onPostgres } from "./databases.js";
import { type PostgresServer, startPostgres } from "./postgres.js";
import { startReplica, type StreamingReplica } from "./streaming-replica.js";

// Lists and feeds may be read on a replica, and nobody can tell by what they say.

let primary: PostgresServer;
let replica: StreamingReplica;
let onPrimary: pg.Pool;
let onReplica: pg.Pool;
let first: Database;
let second: Database;
const told: string[] = [];

const session = (url: string): pg.Pool => {
  const pool = new pg.Pool({ connectionString: `${url}/postgres`, application_name: "test", max: 2 });
  pool.on("error", () => undefined); // the server is stopped with our sessions
  return pool;
};

const open = (replicaUrl: string, primaryUrl = `${primary.url}/postgres`): Promise<Database> =>
  openDatabase(primaryUrl, {
    url: replicaUrl,
    onChange: (failure) => void told.push(failure?.reason ?? "read again"),
  });

/** A number, and whether it was read on a server that replays. */
const list = async (db: Database, id = 1): Promise<{ readonly n: number; readonly replayed: boolean }> => {
  const row = await db.list(({ read }) =>
    read("numbers").where({ id }).first("n", read.raw("pg_is_in_recovery() as replayed")),
  );
  return row;
};

const add = async (db: Database, id = 1): Promise<number> => {
  const [row] = await db.transaction((trx) =>
    trx("numbers")
      .where({ id })
      .update({ n: trx.raw("n + 1") })
      .returning<readonly { n: number }[]>("n"),
  );
  return row?.n ?? 0;
};

const isRead = async (db: Database): Promise<boolean> => (await list(db)).replayed;
const patience = { timeout: 10_000, interval: 50 };
const becomesRead = (db: Database) => vi.waitUntil(() => isRead(db), patience);

/** Many callers at once, each adding on one server and then reading on the other. How often a replica answered, and how often too old. */
async function writeAndRead(pairs: number): Promise<{ readonly replayed: number; readonly stale: number }> {
  let [left, replayed, stale] = [pairs, 0, 0];
  const caller = async (id: number): Promise<void> => {
    while (left-- > 0) {
      const [writer, reader] = left % 2 === 0 ? [first, second] : [second, first];
      const written = await add(writer, id);
      const seen = await list(reader, id);
      if (seen.replayed) replayed++;
      if (seen.n !== written) stale++;
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, index) => caller(index + 1)));
  return { replayed, stale };
}

describe.skipIf(!onPostgres)("a replica", () => {
  beforeAll(async () => {
    primary = await startPostgres();
    replica = await startReplica(primary.url);
    [onPrimary, onReplica] = [session(primary.url), session(replica.url)];
    await onPrimary.query("create table numbers (id bigint primary key, n bigint not null)");
    await onPrimary.query("insert into numbers select id, 0 from generate_series(1, 8) id");
    [first, second] = await Promise.all([open(`${replica.url}/postgres`), open(`${replica.url}/postgres`)]);
    await Promise.all([becomesRead(first), becomesRead(second)]);
  });
  afterAll(async () => {
    await Promise.all([first.close(), second.close(), onPrimary.end(), onReplica.end()]);
    await Promise.all([replica.remove(), primary.remove()]);
  });

  test("answers lists, and the snapshot of a feed's body", async () => {
    expect(await isRead(first)).toBe(true);
    const seen = await first.list((on) =>
      on.snapshot(async (trx) => {
        const before = await trx("numbers").where({ id: 1 }).pluck("n");
        await add(second);
        await becomesRead(second);
        return [before, await trx("numbers").where({ id: 1 }).pluck("n")];
      }),
    );
    expect(seen).toStrictEqual([[0], [0]]);
    expect((await list(first)).n).toBe(1);
  });

  test("shows every caller its own write at once, whichever server it asks", async () => {
    const { replayed, stale } = await writeAndRead(1_000);
    expect(stale).toBe(0);
    expect(replayed).toBeGreaterThan(500);
  });

  test("that is some milliseconds behind is waited for", async () => {
    await onReplica.query("alter system set recovery_min_apply_delay = '5ms'");
    await onReplica.query("select pg_reload_conf()");
    const { replayed, stale } = await writeAndRead(500);
    await onReplica.query("alter system reset recovery_min_apply_delay");
    await onReplica.query("select pg_reload_conf()");
    expect(stale).toBe(0);
    expect(replayed).toBeGreaterThan(100);
  });
});
