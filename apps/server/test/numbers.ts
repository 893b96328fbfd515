import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type pg from "pg";
import type { Database } from "../src/db/open-database.js";

// A table of numbers that shows whether a read saw a write, and whether a replica served it.

/** The result of a read. */
export interface NumberRead {
  readonly n: number;
  /** Whether a replica served the read. */
  readonly replayed: boolean;
}

/** Creates eight numbers, from id 1. */
export async function createNumbers(on: pg.Pool): Promise<void> {
  await on.query("create table numbers (id bigint primary key, n bigint not null)");
  await on.query("insert into numbers select id, 0 from generate_series(1, 8) id");
}

/** Reads a number in the same way as a list. */
export function list(db: Database, id = 1): Promise<NumberRead> {
  return db.list(1, async ({ read }) => {
    const sql = "select n, pg_is_in_recovery() as replayed from numbers where id = ?";
    const { rows }: { rows: readonly [NumberRead] } = await read.raw(sql, [id]);
    return rows[0];
  });
}

/** Adds one and returns the new number. */
export async function add(db: Database, id = 1): Promise<number> {
  return db.transaction(async (trx) => {
    const sql = "update numbers set n = n + 1 where id = ? returning n";
    const { rows }: { rows: readonly [{ n: number }] } = await trx.raw(sql, [id]);
    return rows[0].n;
  });
}

/** Returns a function that adds to the first number from another thread and blocks this one, so that no response arrives. */
export async function startAdder(url: string): Promise<() => void> {
  const state = new Int32Array(new SharedArrayBuffer(4));
  const script = `const { parentPort, workerData } = require("node:worker_threads");
    const client = new (require("pg").Client)(workerData.url);
    client.connect().then(async () => {
      parentPort.postMessage("connected");
      Atomics.wait(workerData.state, 0, 0);
      await client.query("update numbers set n = n + 1 where id = 1");
      Atomics.store(workerData.state, 0, 2);
      Atomics.notify(workerData.state, 0);
      await client.end();
    });`;
  await once(new Worker(script, { eval: true, workerData: { url, state } }), "message");
  return () => {
    Atomics.store(state, 0, 1);
    Atomics.notify(state, 0);
    Atomics.wait(state, 0, 1);
  };
}

/**
 * Runs eight clients, each adding on one database and then reading on the other. Returns how many reads a replica served, and
 * how many were stale.
 */
export async function addAndList(
  databases: readonly [Database, Database],
  times: number,
): Promise<{ readonly replayed: number; readonly stale: number }> {
  const [first, second] = databases;
  let [left, replayed, stale] = [times, 0, 0];
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
