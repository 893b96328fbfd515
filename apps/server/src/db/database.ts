import type { Knex } from "knex";
import type { Dialect, Query } from "./query.js";
import type { OnBehalf, Transaction } from "./transaction.js";

/** Knex on the reading connections or on an open transaction. */
export type Db = Knex;

export interface Reader {
  /** Sees every committed write. */
  readonly read: Db;
  readonly query: Query;
  readonly dialect: Dialect;
  /** Runs read-only queries on one snapshot of the data. */
  snapshot<T>(work: (trx: Db) => Promise<T>): Promise<T>;
}

/** An open database. Reads and writes are apart because SQLite takes one writer. */
export interface Database extends Reader {
  /** As `query`, for short look-ups, which never wait for a long list. */
  readonly lookUp: Query;
  /**
   * Runs `work` in a write transaction; rolls back when it throws. `work` reads only with the given `trx` and may be run twice.
   * On SQLite concurrent writes share one commit.
   */
  transaction<T>(work: (trx: Transaction) => Promise<T>, behalf?: OnBehalf): Promise<T>;
  /** Reserves ids of new rows; unused ids are lost. */
  reserve(table: "events" | "series", count: number): Promise<readonly number[]>;
  /** Runs `work` in a write transaction that only one server has at a time, however long it takes. */
  exclusively<T>(work: (trx: Transaction) => Promise<T>): Promise<T>;
  /** Describes the session that blocks `exclusively`; undefined while none does, and on SQLite. */
  readonly blocker?: () => Promise<string | undefined>;
  /**
   * Runs read-only `work` when its owner's turn comes.
   * @param owner the account that it reads: its reads never take all connections
   */
  list<T>(owner: string | number, work: (on: Reader) => Promise<T>): Promise<T>;
  /**
   * Returns a text that differs after every commit of any process; undefined where only a query can tell. Rows that were read
   * while it stayed the same are current.
   */
  changeCounter(): string | undefined;
  /** Reads the change counter by a query where that is needed; undefined when it cannot be read. */
  readChangeCounter(): Promise<string | undefined>;
  /** Checks that rows can be read and written. Only after the migrations. @throws Error when one of them fails */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Returns the row that the insertion of one has returned. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error("insert returned no row");
  return row;
}

/** Access of handlers for reading: long reads take turns by account, so handlers have no other access. */
export type ReadDatabase = Pick<Database, "list" | "changeCounter" | "readChangeCounter"> & LookupDatabase;

export type LookupDatabase = Pick<Database, "lookUp" | "changeCounter">;

/** The queue for this work is full, or the wait was too long. */
export class Overloaded extends Error {
  /** Whether the account's own work fills the queue. */
  readonly isOwnFault: boolean;

  constructor(message: string, { isOwnFault = false } = {}) {
    super(message);
    this.isOwnFault = isOwnFault;
  }
}

export type StorageFailure = "overloaded" | "storage_unavailable" | "storage_full";
