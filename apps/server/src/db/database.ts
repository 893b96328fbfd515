import type { Knex } from "knex";
import type { Dialect, Query } from "./query.js";
import type { OnBehalf, Transaction } from "./transaction.js";

/** What Knex runs on: the reading connections or an open transaction. */
export type Db = Knex;

/** What lists and the bodies of feeds are read with. */
export interface Reader {
  /** For queries that only read. Sees every committed write. */
  readonly read: Db;
  readonly query: Query;
  readonly dialect: Dialect;
  /** Runs queries that only read on one state of the data, whatever is written meanwhile. */
  snapshot<T>(work: (trx: Db) => Promise<T>): Promise<T>;
}

/** An open database. Reads and writes are apart because SQLite takes one writer. */
export interface Database extends Reader {
  /** `query` for short look-ups, which never wait for a long list. */
  readonly lookUp: Query;
  /**
   * Runs `work` in a write transaction; rolls back when it throws. It reads only with the given `trx`, and may be run a second time.
   * On SQLite those that wait at a time share one commit.
   */
  transaction<T>(work: (trx: Transaction) => Promise<T>, behalf?: OnBehalf): Promise<T>;
  /** Reserves ids of new rows; they are used or lost. */
  reserve(table: "events" | "series", count: number): Promise<readonly number[]>;
  /** Runs `work` in a write transaction that only one server has at a time, however long it takes. */
  exclusively<T>(work: (trx: Transaction) => Promise<T>): Promise<T>;
  /** Describes the session whose lock `exclusively` waits for; undefined while it waits for none. Undefined on SQLite. */
  readonly blocker?: () => Promise<string | undefined>;
  /**
   * Runs `work`, which only reads, when it is its owner's turn.
   * @param owner the account that it reads of: the reads of one never take all connections
   */
  list<T>(owner: string | number, work: (on: Reader) => Promise<T>): Promise<T>;
  /**
   * A text that differs after every commit of any process; undefined where only a query can tell. What was read while it
   * stayed the same is still true.
   */
  changeCounter(): string | undefined;
  /** The same, by a query where it takes one; undefined when it cannot be read. */
  readChangeCounter(): Promise<string | undefined>;
  /** Reads a table, then stores something and removes it. Only after the migrations. @throws Error when one of them fails */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** What the handler of an operation reads with: long reads take turns by account, so it has no other way to the rows. */
export type ReadDatabase = Pick<Database, "list" | "changeCounter" | "readChangeCounter"> & LookupDatabase;

/** What look-ups need of a database. */
export type LookupDatabase = Pick<Database, "lookUp" | "changeCounter">;

/** There is more to do than there is room for. */
export class Overloaded extends Error {
  /** Whether it is the account's own work that it waits for. */
  readonly isOwnFault: boolean;

  constructor(message: string, { isOwnFault = false } = {}) {
    super(message);
    this.isOwnFault = isOwnFault;
  }
}

/** What a storage failure means to a caller. */
export type StorageFailure = "overloaded" | "storage_unavailable" | "storage_full";
