import { setImmediate } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Database, type Db, openDatabase } from "../src/db/open-database.js";
import { checkReplica } from "../src/db/replica/check.js";
import { startTestServer, testAccount, type TestServer } from "./harness.js";
import { parseMetrics } from "./metrics-text.js";
import { add, addAndList, createNumbers, list, type NumberRead, startAdder } from "./numbers.js";
import { type PostgresServer, startPostgres } from "./postgres.js";
import { startReplica, type StreamingReplica } from "./streaming-replica.js";

// Lists and feeds may be read from a replica without stale results.

let primary: PostgresServer;
let replica: StreamingReplica;
let onPrimary: pg.Pool;
let onReplica: pg.Pool;
let first: Database;
let second: Database;
const reports: string[] = [];

const patience = { timeout: 120_000, interval: 20 };

function session(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: `${url}/postgres`, application_name: "test" });
  pool.on("error", () => undefined); // servers are stopped with our sessions
  return pool;
}

function open(replicaUrl: string, primaryUrl = primary.url): Promise<Database> {
  return openDatabase(`${primaryUrl}/postgres`, {
    url: replicaUrl,
    onChange: (failure) => void reports.push(failure?.reason ?? "is read again"),
  });
}

const becomesRead = (db: Database) => vi.waitUntil(async () => (await list(db)).replayed, patience);

/**
 * Tries something until the replica served it: where a process is held up, a read goes to the primary. What is asserted within it
 * holds each time.
 */
async function untilReplayed<T extends { readonly replayed: boolean }>(
  attempt: () => Promise<T>,
): Promise<T> {
  const endsAt = performance.now() + patience.timeout;
  for (;;) {
    await becomesRead(first);
    const outcome = await attempt();
    if (outcome.replayed || performance.now() > endsAt) return outcome;
  }
}

/** Opens a database with a replica that is refused, until the reason is the given one: where a process is held up, it cannot be reached. */
async function expectRefused(
  replicaUrl: string,
  reason: string,
  n: number,
  primaryUrl?: string,
): Promise<void> {
  const refusal = async (): Promise<string | undefined> => {
    reports.length = 0;
    const db = await open(replicaUrl, primaryUrl);
    await vi.waitUntil(() => reports.length > 0, patience);
    expect(await list(db)).toStrictEqual({ n, replayed: false });
    await db.close();
    return reports[0];
  };
  await expect.poll(refusal, patience).toBe(reason);
  expect(reports).toStrictEqual([reason]);
}

/** Does something while the replica replays nothing. */
async function whileStill(work: () => Promise<void>): Promise<void> {
  await onReplica.query("select pg_wal_replay_pause()");
  try {
    const state = async () =>
      (await onReplica.query("select pg_get_wal_replay_pause_state() as state")).rows[0].state;
    await expect.poll(state, patience).toBe("paused");
    await work();
  } finally {
    await onReplica.query("select pg_wal_replay_resume()");
  }
}

/** Does something while the replica replays each commit so much later. */
async function whileLagging(delay: string, work: () => Promise<void>): Promise<void> {
  const configure = async (setting: string): Promise<void> => {
    await onReplica.query(`alter system set recovery_min_apply_delay = '${setting}'`);
    await onReplica.query("select pg_reload_conf()");
  };
  await configure(delay);
  try {
    await work();
  } finally {
    await configure("0");
  }
}

describe("a replica", () => {
  beforeAll(async () => {
    primary = await startPostgres();
    replica = await startReplica(primary.url);
    [onPrimary, onReplica] = [session(primary.url), session(replica.url)];
    await onPrimary.query("create table migrations (name text, applied_at bigint)"); // a database of another program is refused
    await createNumbers(onPrimary);
    [first, second] = [await open(`${replica.url}/postgres`), await open(`${replica.url}/postgres`)];
    await Promise.all([becomesRead(first), becomesRead(second)]);
  });
  afterAll(async () => {
    await Promise.all([first.close(), second.close(), onPrimary.end(), onReplica.end()]);
    await Promise.all([replica.remove(), primary.remove()]);
  });

  test("answers lists and the snapshots of feeds", async () => {
    const look = async (trx: Db): Promise<NumberRead> => {
      const sql = "select n, pg_is_in_recovery() as replayed from numbers where id = 1";
      const { rows }: { rows: readonly [NumberRead] } = await trx.raw(sql);
      return rows[0];
    };
    const attempt = async () => {
      const { before, after, written } = await first.list(1, (on) =>
        on.snapshot(async (trx) => {
          const before = await look(trx);
          const written = await add(second);
          await list(second);
          return { before, written, after: await look(trx) };
        }),
      );
      expect(before.n).toBe(written - 1);
      expect(after).toStrictEqual(before);
      const { n, replayed } = await list(first);
      expect(n).toBe(written);
      return { replayed: before.replayed && replayed };
    };
    expect(await untilReplayed(attempt)).toStrictEqual({ replayed: true });
  });

  test("shows every client its own write at once, on every server", async () => {
    const { replayed, stale } = await addAndList([first, second], 600);
    expect(stale).toBe(0);
    expect(replayed).toBeGreaterThan(0);
  });

  test("that is read is well for doctor, and one that stands still is not", async () => {
    const check = () => checkReplica(`${primary.url}/postgres`, `${replica.url}/postgres`);
    await expect.poll(check, patience).toBeUndefined();
    await whileStill(async () => {
      await add(first);
      expect((await check())?.reason).toBe("is behind");
    });
  });

  test("that lags by some milliseconds is waited for", async () => {
    await whileLagging("8ms", async () => {
      const isWaitedFor = async (): Promise<boolean> => {
        const written = await add(second);
        const { n, replayed } = await list(first);
        expect(n).toBe(written);
        return replayed;
      };
      await vi.waitUntil(isWaitedFor, patience);
      expect((await addAndList([first, second], 200)).stale).toBe(0);
    });
  });

  test("that stands still is left alone until it moves", async () => {
    await Promise.all([becomesRead(first), becomesRead(second)]);
    await whileStill(async () => {
      expect(await addAndList([first, second], 200)).toStrictEqual({ replayed: 0, stale: 0 });
    });
    await Promise.all([becomesRead(first), becomesRead(second)]);
  });

  test("shows in the metrics whether it is read and how many bytes it is behind", async () => {
    const METRICS_TOKEN = "metrics-token-of-a-test";
    const server = await startTestServer({
      METRICS_TOKEN,
      DATABASE_URL: `${primary.url}/postgres`,
      DATABASE_REPLICA_URL: `${replica.url}/postgres`,
    });
    const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
    const figures = async () => {
      const metrics = parseMetrics((await server.request("/metrics", { headers })).text);
      return ["used", "lag_bytes"].map((name) => metrics.get(`kalends_replica_${name}`)?.samples[0]?.value);
    };
    await expect.poll(figures, patience).toEqual([1, 0]);
    await whileStill(async () => {
      const account = await server.account();
      await expect.poll(figures, patience).toEqual([1, expect.toSatisfy((bytes: number) => bytes > 0)]);
      expect((await account.call("listCalendars")).status).toBe(200);
      await expect.poll(figures, patience).toEqual([0, expect.toSatisfy((bytes: number) => bytes > 0)]);
    });
    await expect.poll(figures, patience).toEqual([1, 0]);
    await server.stop();
  });

  test("is checked for a position read after the request arrived, not for that of an earlier query", async () => {
    const addNow = await startAdder(`${primary.url}/postgres`);
    await becomesRead(first);
    await whileStill(async () => {
      const { n } = await list(first);
      const early = list(first);
      await setImmediate(); // the query for the position is running
      addNow();
      expect((await list(first)).n).toBe(n + 1);
      await early; // may see it or not
    });
  });

  test("that cancels a query for its replay is helped out and stays in use", async () => {
    const conflict = "do $$ begin if pg_is_in_recovery() then raise sqlstate '40001'; end if; end $$";
    const attempt = async () => {
      let runs = 0;
      await first.list(1, async ({ read }) => {
        runs++;
        await read.raw(conflict);
      });
      return { replayed: runs === 2 && (await list(first)).replayed };
    };
    expect(await untilReplayed(attempt)).toStrictEqual({ replayed: true });
  });

  test("is not blamed for what a list itself throws, which is run once", async () => {
    const attempt = async () => {
      const work = vi.fn<() => Promise<void>>(() => Promise.reject(new RangeError("no such thing")));
      await expect(first.list(1, work)).rejects.toThrow(new RangeError("no such thing"));
      expect(work).toHaveBeenCalledTimes(1);
      return { replayed: (await list(first)).replayed };
    };
    expect(await untilReplayed(attempt)).toStrictEqual({ replayed: true });
  });

  test("has to be one of the same database", async () => {
    await onPrimary.query("create database other");
    const written = await add(first);
    await vi.waitUntil(async () => (await list(first)).replayed, patience); // so it has the other database too
    for (const [url, reason] of [
      [`${primary.url}/postgres`, "is not a replica"],
      [`${replica.url}/other`, "does not follow the database of DATABASE_URL"],
      [`${replica.url}/missing`, "cannot be reached"],
    ] as const)
      await expectRefused(url, reason, written);
  });

  test("may be stopped and started again under load: no answer fails, and none is old", async () => {
    const environment = {
      DATABASE_URL: `${primary.url}/postgres`,
      DATABASE_REPLICA_URL: `${replica.url}/postgres`,
    };
    const servers = [await startTestServer(environment), await startTestServer(environment)] as const;
    const { id, token } = await servers[0].account();
    const wrong: unknown[] = [];
    let rounds = 0;
    const over = new AbortController();
    const caller = async (writer: TestServer, reader: TestServer): Promise<void> => {
      const [writing, reading] = [testAccount(writer.url, id, token), testAccount(reader.url, id, token)];
      const made = await writing.call("createCalendar", { title: "x", timezone: "Europe/Paris" });
      const { id: calendar_id, uniquekey } = made.body.calendar;
      for (; !over.signal.aborted; rounds++) {
        const title = `Event ${rounds}`;
        const event = { calendar_id: String(calendar_id), title, start_date: "07/04/2026 10:00" };
        const saved = await writing.call("createEvent", event);
        const [listed, feed, subscribers] = await Promise.all([
          reading.call("listEvents", { calendar_id: String(calendar_id) }),
          reader.request(`/c/${uniquekey}/x.ics`),
          reading.call("listSubscribers", { calendar_id: String(calendar_id) }),
        ]);
        const statuses = [saved, listed, feed, subscribers].map(({ status }) => status);
        const isRight =
          statuses.every((status) => status === 200) &&
          listed.body.events[0].title === title &&
          feed.text.includes(`SUMMARY:${title}\r\n`);
        if (!isRight) wrong.push({ title, statuses });
      }
    };
    const callers = [caller(servers[0], servers[1]), caller(servers[1], servers[0])];
    const isAsked = async (): Promise<boolean> => {
      const sql =
        "select from pg_stat_activity where application_name = 'kalends replica' and query ~ 'calendars'";
      const { rowCount } = await onReplica.query(sql).catch(() => ({ rowCount: 0 }));
      return rowCount !== 0;
    };
    const haveTold = (news: string) =>
      vi.waitUntil(() => servers.every(({ logLines }) => logLines.some(({ msg }) => msg === news)), patience);
    await vi.waitUntil(isAsked, patience);
    const before = rounds;
    await vi.waitUntil(() => rounds > before + 20, patience);
    await replica.stop();
    await haveTold("the replica is not read");
    await replica.start();
    await haveTold("the replica is read again");
    await vi.waitUntil(isAsked, patience);
    over.abort();
    await Promise.all(callers);
    await Promise.all(servers.map((server) => server.stop()));
    expect(wrong).toStrictEqual([]);
  });

  test("that is ahead of a new primary, and so holds what was lost, is not read", async () => {
    const late = await startReplica(primary.url);
    await late.stop();
    await becomesRead(first);
    const lost = await add(first);
    await vi.waitUntil(async () => (await list(first)).replayed, patience);
    await Promise.all([first.close(), second.close()]);
    await primary.stop();
    await late.start();
    const onLate = session(late.url);
    await onLate.query("select pg_promote()");
    const reason = "does not follow the database of DATABASE_URL";
    await expectRefused(`${replica.url}/postgres`, reason, lost - 1, late.url);
    await onLate.end();
    await late.remove();
    await primary.start();
    [first, second] = [await open(`${replica.url}/postgres`), await open(`${replica.url}/postgres`)];
  });

  test("is not read once it is promoted, whatever is written there", async () => {
    await becomesRead(first);
    await onReplica.query("select pg_promote()");
    await onReplica.query("update numbers set n = 1000000");
    const { replayed, stale } = await addAndList([first, second], 100);
    expect({ replayed, stale }).toStrictEqual({ replayed: 0, stale: 0 });
    expect((await list(first)).n).toBeLessThan(1_000_000);
  });
});
