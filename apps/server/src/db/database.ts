import type { Knex } from "knex";

/** What queries run on: a connection pool or an open transaction. */
export type Db = Knex;

/** Runs a prepared query with a value for each of its parameters. */
export type PreparedQuery<Row> = (...values: readonly (string | number)[]) => Promise<readonly Row[]>;

/** An open database. Reads and writes are apart because SQLite takes one writer. */
export interface Database {
  /** For queries that only read. Sees every committed write. */
  readonly read: Db;
  /** Runs `work` in one write transaction; rolls back when it throws. Queries inside must use the given `trx`. */
  transaction<T>(work: (trx: Db) => Promise<T>): Promise<T>;
  /**
   * As `transaction`, for statements of the hot path, which may change anything but accounts and tokens. `epoch` is the same
   * object as in the write before when nothing was committed in between: what that one left is still so.
   */
  write<T>(work: (on: Write, epoch: object) => Promise<T>): Promise<T>;
  /** How many write transactions may well run at a time. */
  readonly writers: number;
  /** The words of SQL that differ between databases. */
  readonly words: {
    /** A function whose rows, in order, hold the items of a JSON array in the column `value`. */
    readonly items: string;
    /** What a query ends with that keeps others from changing its rows; where a transaction keeps all others away, nothing. */
    readonly lock: string;
  };
  /** Runs `work` in a write transaction that only one server has at a time, however long it takes. */
  exclusively<T>(work: (trx: Db) => Promise<T>): Promise<T>;
  /** Runs queries that only read on one state of the data, whatever is written meanwhile. */
  snapshot<T>(work: (trx: Db) => Promise<T>): Promise<T>;
  /** A short query of the hot path, prepared once. Its answer is as new as that of `read`. */
  prepare<Row>(sql: string): PreparedQuery<Row>;
  /**
   * Runs `work`, which only reads, for a list or the body of a feed: on a replica that has every acknowledged write, where
   * there is one, else on the database itself. Where the replica fails it is run a second time.
   */
  list<T>(work: (on: Reader) => Promise<T>): Promise<T>;
  /**
   * A text that differs after every commit of any process; undefined where only a query can tell. What was read while it
   * stayed the same is still true.
   */
  commitStamp(): string | undefined;
  /** The same for accounts and tokens: the writes of this process do not change it, since they touch neither. */
  accessStamp(): string | undefined;
  /** Resolves when a query succeeds. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Runs a statement of the hot path, prepared at its first use: its text, with `?` for values, is one of few. */
export type Ask = <Row>(sql: string, values: readonly (string | number)[]) => Promise<readonly Row[]>;

/** A write transaction of the hot path. */
export interface Write {
  readonly ask: Ask;
  /** Has a statement with one value done together with the commit, which spares a way to the database. It yields no rows. */
  readonly atCommit: (sql: string, value: string) => void;
}

/** What lists and the bodies of feeds are read with. */
export interface Reader extends Pick<Database, "read" | "snapshot"> {
  readonly ask: Ask;
  /** SQL that joins the texts of an expression's rows with commas; the answer holds them as a Buffer or a string. */
  joined(expression: string): string;
  /** SQL of a JSON object, printed without blanks: its names and their SQL. The text of many, joined, is read several times as fast as the rows. */
  jsonObject(fields: Readonly<Record<string, string>>): string;
}

/** An open database without its replica. */
export type Primary = Omit<Database, "list"> & Reader;

/** The database has more to do than it can; a StorageFailure "overloaded". */
export class Overloaded extends Error {}

/** What a storage failure means to a caller. */
export type StorageFailure = "overloaded" | "storage_unavailable" | "storage_full";
