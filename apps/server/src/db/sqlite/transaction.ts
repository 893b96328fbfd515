import { setTimeout as delay } from "node:timers/promises";
import type { Knex } from "knex";
import SqliteClient from "knex/lib/dialects/sqlite3/index.js";
import { type Database, Overloaded } from "../database.js";
import type { DatabaseObserver } from "../observer.js";
import type { Query } from "../query.js";
import { type OnQuery, timed, timedQuery, watchKnex } from "../query-times.js";
import {
  callAfterCommit,
  knexOn,
  type OnBehalf,
  openedLate,
  senderOf,
  type Transaction,
  transactionOn,
} from "../transaction.js";
import { dialect, acquire, execute, release, type SqliteConnection, statementsOf } from "./statements.js";
import { sqliteFailure } from "./failures.js";
import { busyTimeoutMs, discard } from "./pool.js";

/** Most writes of one commit, and for how many ms it accepts more: none of them is answered before the commit. */
const [mostInGroup, groupMs] = [64, 20];

/** Most waiting writes, of one owner and of all; one more is refused at once. */
const [mostOfOne, mostWaiting] = [256, 1_024];

/** Serializes the writes to a file on the only connection of a pool. */
export interface SqliteWriter extends Pick<Database, "transaction" | "exclusively"> {
  /** Makes a transaction that waits for another process fail soon. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the writer. Waiting writes share a transaction, and so one flush to the disk. A write that throws before it has written
 * fails alone, after the commit, since it may have read what others of its transaction wrote; when one throws later, or the commit fails,
 * all are rolled back, and each is retried in a transaction of its own.
 */
export function openWriter(pool: Knex, observer?: DatabaseObserver, onQuery?: OnQuery): SqliteWriter {
  const waiting: Write[] = [];
  let [isWriting, isClosing] = [false, false];
  observer?.queue(() => waiting.length);

  async function writeAll(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) await writeGroup();
    isWriting = false;
  }

  /** Never rejects. */
  async function writeGroup(): Promise<void> {
    const group: Write[] = [];
    try {
      await inTransaction(async (connection) => {
        const began = performance.now();
        while (waiting.length > 0 && group.length < mostInGroup && performance.now() - began < groupMs)
          await runNext(connection, group);
      });
    } catch (error) {
      if (group.length === 0) refuse(waiting.splice(0), error); // BEGIN failed, so the next would fail too
      else if (group.length === 1) refuse(group, error);
      else for (const write of group) await writeAlone(write);
      return;
    }
    observer?.group(group.map(({ waited }) => waited));
    for (const { answer } of group) answer();
  }

  async function runNext(connection: SqliteConnection, group: Write[]): Promise<void> {
    const write = waiting.shift();
    if (write === undefined) return;
    group.push(write);
    await write.run(connection);
  }

  async function writeAlone(write: Write): Promise<void> {
    try {
      await inTransaction(write.run);
      write.answer();
    } catch (error) {
      write.reject(error);
    }
  }

  async function inTransaction(work: (connection: SqliteConnection) => Promise<void>): Promise<void> {
    const connection = await acquire(pool);
    try {
      await begin(connection, busyTimeoutMs, () => isClosing);
      await completed(connection, onQuery, () => work(connection));
    } finally {
      await release(pool, connection);
    }
  }

  return {
    transaction: (work, behalf) =>
      new Promise((resolve, reject) => {
        requireRoom(waiting, behalf?.owner);
        waiting.push(writeOf(work, { ...behalf, onQuery }, resolve, reject));
        void writeAll();
      }),
    exclusively: async (work) => {
      const connection = await acquirePatiently(pool);
      try {
        await begin(connection, Infinity, () => isClosing);
        return await completed(connection, onQuery, () => onConnection(connection, { onQuery }, work));
      } finally {
        await release(pool, connection);
      }
    },
    close: async () => {
      isClosing = true;
      const connection = await acquire(pool).catch(() => undefined);
      if (connection === undefined) return;
      await execute(connection, "PRAGMA wal_checkpoint(TRUNCATE)").catch(() => undefined); // a reader may hold it: the WAL stays
      await release(pool, connection);
    },
  };
}

/** @throws Overloaded when too many writes wait, of all or of that owner */
function requireRoom(waiting: readonly Write[], owner: number | undefined): void {
  if (waiting.length >= mostWaiting) throw new Overloaded("too many writes wait");
  const own = owner === undefined ? 0 : waiting.filter((write) => write.owner === owner).length;
  if (own >= mostOfOne) throw new Overloaded("too many writes of its owner wait", { isOwnFault: true });
}

/** A write that waits to run or for its commit. */
interface Write {
  readonly owner: number | undefined;
  /** Seconds until it began. */
  readonly waited: number;
  /** Rejects when it fails after it has written. */
  readonly run: (connection: SqliteConnection) => Promise<void>;
  /** Resolves it, or rejects it when it failed before it wrote. */
  readonly answer: () => void;
  readonly reject: (error: unknown) => void;
}

interface Options extends OnBehalf {
  readonly onQuery: OnQuery | undefined;
}

function writeOf<T>(
  work: (trx: Transaction) => Promise<T>,
  options: Options,
  resolve: (result: T) => void,
  reject: (error: unknown) => void,
): Write {
  const since = performance.now();
  let answer: () => void = () => undefined;
  let waited = 0;
  return {
    owner: options.owner,
    get waited() {
      return waited;
    },
    run: async (connection) => {
      let hasWritten = false;
      waited = (performance.now() - since) / 1000;
      try {
        await onConnection(
          connection,
          options,
          async (trx) => {
            const result = await work(trx);
            answer = () => {
              callAfterCommit(trx);
              resolve(result);
            };
          },
          () => (hasWritten = true),
        );
      } catch (error) {
        if (hasWritten) throw error;
        answer = () => reject(error);
      }
    },
    answer: () => answer(),
    reject,
  };
}

function refuse(writes: readonly Write[], error: unknown): void {
  for (const { reject } of writes) reject(error);
}

const reads = /^\s*select\b/i;

/** Runs `work` with a transaction on that connection, which refuses queries once it has ended. */
async function onConnection<T>(
  connection: SqliteConnection,
  { by, onQuery }: Options,
  work: (trx: Transaction) => Promise<T>,
  writes: () => void = () => undefined,
): Promise<T> {
  let hasEnded = false;
  const note = (sql: string): void => {
    if (hasEnded) throw new Error("the transaction has ended");
    if (!reads.test(sql)) writes();
  };
  const run = timedQuery(onQuery, statementsOf(connection).query);
  const { send, settle } = senderOf(note, run);
  // Other statements wait for those that were sent: SQLite would run one that it has yet to prepare after them.
  const open = (): Knex => {
    const opened = knexOn(SqliteClient, () => settle().then(() => connection), { useNullAsDefault: true });
    opened.on("query", ({ sql }: { readonly sql: string }) => note(sql));
    watchKnex(opened, onQuery);
    return opened;
  };
  const query: Query = async (sql, values) => {
    await settle();
    note(sql);
    return run(sql, values);
  };
  try {
    const result = await work(transactionOn(openedLate(open), { query, send, dialect, by }));
    await settle();
    return result;
  } finally {
    await settle().catch(() => undefined); // when `work` threw, which is the failure
    hasEnded = true;
  }
}

async function completed<T>(
  connection: SqliteConnection,
  onQuery: OnQuery | undefined,
  work: () => Promise<T>,
): Promise<T> {
  let isOver = false;
  try {
    const result = await work();
    await timed(onQuery, "commit", () => execute(connection, "COMMIT"));
    isOver = true;
    return result;
  } finally {
    if (!isOver) await rollBack(connection);
  }
}

/**
 * Takes the write lock at once: with a plain BEGIN, a transaction that reads first fails at its first write without waiting.
 * @throws Error when another process kept the lock for `waitMs`, or until the writer closes
 */
async function begin(connection: SqliteConnection, waitMs: number, isClosing: () => boolean): Promise<void> {
  const endsAt = performance.now() + waitMs;
  for (;;) {
    try {
      await execute(connection, "BEGIN IMMEDIATE"); // waits for busy_timeout, a part of waitMs
      return;
    } catch (error) {
      await rollBack(connection);
      if (!isBusy(error) || isClosing() || performance.now() > endsAt) throw error;
    }
    await delay(1);
  }
}

/**
 * Rolls back after a failure: a transaction that stays open would block every other process and include the next writes. A
 * connection on which this fails is closed, and the pool opens another one.
 */
async function rollBack(connection: SqliteConnection): Promise<void> {
  try {
    await execute(connection, "ROLLBACK");
  } catch (error) {
    if (error instanceof Error && error.message.includes("no transaction is active")) return;
    // First, so that a later failure cannot return the connection to the pool with its lock.
    discard(connection);
    await statementsOf(connection)
      .finalize()
      .then(() => execute(connection, "ROLLBACK"))
      .catch(() => undefined);
  }
}

/**
 * Opens the connection, with retries while others open a new file: each turns WAL on, and SQLite fails at once instead of
 * waiting.
 */
async function acquirePatiently(pool: Knex): Promise<SqliteConnection> {
  const endsAt = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      return await acquire(pool);
    } catch (error) {
      if (!isBusy(error) || performance.now() > endsAt) throw error;
      await delay(retryMs);
    }
  }
}

const retryMs = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && sqliteFailure(error) === "overloaded";
}
