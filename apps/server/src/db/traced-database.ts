import type { Knex } from "knex";
import type { OnBehalf, Transaction } from "./transaction.js";
import type { Database, Db, Reader } from "./database.js";
import type { Dialect, Value } from "./query.js";
import { named, type Trace } from "./trace.js";

const changeCounter = named("change counter", "change counter");

/** Returns a database whose queries are noted in the trace of a request; without one, the database itself. */
export function traced(db: Database, trace: Trace | undefined): Database {
  return trace === undefined ? db : new TracedDatabase(db, trace);
}

class TracedReader implements Reader {
  readonly on: Reader;
  readonly trace: Trace;

  constructor(on: Reader, trace: Trace) {
    this.on = on;
    this.trace = trace;
  }

  get read(): Db {
    return watchedPool(this.on.read, this.trace);
  }

  get dialect(): Dialect {
    return this.on.dialect;
  }

  query<Row>(sql: string, values: readonly Value[]): Promise<readonly Row[]> {
    const wait = beginWait(this.trace);
    return wait.during(sql, this.on.query<Row>(sql, values, wait.end));
  }

  snapshot<T>(work: (trx: Db) => Promise<T>): Promise<T> {
    return this.inTransaction(
      (run) => this.on.snapshot(run),
      (trx: Db) => work(watched(trx, this.trace)),
    );
  }

  /** Notes what a transaction waited until it began, and its commit. `work` may be run a second time. */
  protected inTransaction<Trx, T>(
    begin: (run: (trx: Trx) => Promise<T>) => Promise<T>,
    work: (trx: Trx) => Promise<T>,
  ): Promise<T> {
    const wait = beginWait(this.trace);
    const run = async (trx: Trx): Promise<T> => {
      wait.end();
      try {
        return await work(trx);
      } finally {
        wait.restart();
      }
    };
    return wait.during("commit", begin(run));
  }
}

/** Of a class, since one is made for each request: closures for all methods would take longer. */
class TracedDatabase extends TracedReader implements Database {
  readonly untraced: Database;

  constructor(db: Database, trace: Trace) {
    super(db, trace);
    this.untraced = db;
  }

  lookUp<Row>(sql: string, values: readonly Value[]): Promise<readonly Row[]> {
    const wait = beginWait(this.trace);
    return wait.during(sql, this.untraced.lookUp<Row>(sql, values, wait.end));
  }

  transaction<T>(work: (trx: Transaction) => Promise<T>, behalf?: OnBehalf): Promise<T> {
    return this.untraced.transaction(work, behalf);
  }

  reserve(table: "events" | "series", count: number): Promise<readonly number[]> {
    return this.untraced.reserve(table, count);
  }

  exclusively<T>(work: (trx: Transaction) => Promise<T>): Promise<T> {
    return this.untraced.exclusively(work);
  }

  list<T>(owner: string | number, work: (on: Reader) => Promise<T>): Promise<T> {
    const wait = beginWait(this.trace);
    return this.untraced.list(owner, (on) => {
      wait.end(); // until it was its turn
      return work(new TracedReader(on, this.trace));
    });
  }

  changeCounter(): string | undefined {
    return this.untraced.changeCounter();
  }

  readChangeCounter(): Promise<string | undefined> {
    const known = this.untraced.changeCounter();
    if (known !== undefined) return Promise.resolve(known); // without a query there is nothing to note
    const wait = beginWait(this.trace);
    wait.end();
    return wait.during(changeCounter, this.untraced.readChangeCounter());
  }

  ping(): Promise<void> {
    return this.untraced.ping();
  }

  close(): Promise<void> {
    return this.untraced.close();
  }
}

/** Begins to wait: for a connection, a lock, or other writes. */
function beginWait(trace: Trace) {
  let since = performance.now();
  let isWaiting = true;
  const lap = (): number => {
    const now = performance.now();
    const ms = now - since;
    since = now;
    return ms;
  };
  return {
    /** What was waited for is there. */
    end: (): void => {
      trace.waitMs += lap();
      isWaiting = false;
    },
    /** The time from here on is that of the commit, or of another wait. */
    restart: (): void => {
      lap();
    },
    /** Notes the time of `work` since the last of these calls. */
    during: async <T>(sql: string, work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } finally {
        if (isWaiting) trace.waitMs += lap();
        else trace.note(sql, lap());
      }
    },
  };
}

interface Watchable {
  on(event: string, listener: (first: unknown, second?: unknown) => void): unknown;
}

/** Notes the queries of a transaction of Knex, or of one query. They run one after the other. */
function watched<Subject extends Watchable>(subject: Subject, trace: Trace): Subject {
  let since = performance.now();
  const note = (query: unknown): void => {
    trace.note(textOf(query), performance.now() - since);
  };
  subject.on("query", () => {
    since = performance.now();
  });
  subject.on("query-response", (_rows, query) => note(query));
  subject.on("query-error", (_error, query) => note(query));
  return subject;
}

function textOf(query: unknown): string {
  return typeof query === "object" && query !== null && "sql" in query ? String(query.sql) : "";
}

/** Knex on the connections that all requests share: each query that it makes is watched by itself. */
function watchedPool(pool: Knex, trace: Trace): Knex {
  const make = (maker: Maker, args: readonly unknown[]): Watchable => {
    const query: Watchable = Reflect.apply(maker, pool, args);
    return watched(query, trace);
  };
  return new Proxy(pool, {
    apply: (target, _this, args) => make(target, args),
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if ((name !== "raw" && name !== "select") || typeof value !== "function") return value;
      return (...args: readonly unknown[]): Watchable => make(value, args);
    },
  });
}

/** Knex itself, or a method of it, that returns a query. */
type Maker = Parameters<typeof Reflect.apply>[0];
