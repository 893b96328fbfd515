import { LRUCache } from "lru-cache";
import type { Database, LookupDatabase } from "./database.js";
import { storageFailure } from "./failures.js";

const batchSize = 16;

/** Most cached rows, each of some hundred bytes, and most cached misses: few, since a caller may try any number of keys. */
const mostRemembered = 10_000;
const mostMissing = 1_000;

/** Finds the row of a key: synchronously when it is cached. */
export type Lookup<Row> = (key: string) => Row | undefined | Promise<Row | undefined>;

interface LookupOptions<Row> {
  /** Selects the rows of some keys. `keys` is a list of SQL parameters, such as `$1, $2`. */
  readonly sql: (keys: string) => string;
  readonly keyOf: (row: Row) => string;
  /** A key that no row has. */
  readonly blank?: string;
  /** TTL of a row, in milliseconds; by default it is valid until the change counter changes. */
  readonly ttlMs?: number;
}

/**
 * Finds rows by a unique key, for the hot path. A row is as new as a query at the time of the call, or at most `ttlMs` old.
 * Keys that are requested while a query runs share the next one.
 */
export function createLookup<Row extends object>(
  db: Pick<Database, "lookUp" | "changeCounter">,
  { sql, keyOf, blank = "", ttlMs }: LookupOptions<Row>,
): Lookup<Row> {
  const text = sql(Array.from({ length: batchSize }, (_, index) => `$${index + 1}`).join(", "));
  const remembered = new LRUCache<string, Remembered<Row>>({ max: mostRemembered });
  // Misses are cached too, so that the time of a response does not show whether a row of another account exists (rulings R2.3).
  const missing = new LRUCache<string, string>({ max: mostMissing });
  const waiting: Waiting<Row>[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchSize);
      const truth = truthNow(); // before the query, so that a commit during it invalidates the row
      try {
        const keys = Array.from({ length: batchSize }, (_, index) => batch[index]?.key ?? blank);
        const rows = new Map((await db.lookUp<Row>(text, keys)).map((row) => [keyOf(row), row]));
        if (truth !== undefined) for (const [key, row] of rows) remembered.set(key, { row, truth });
        for (const { key, resolve } of batch) {
          const row = rows.get(key);
          if (row === undefined && typeof truth === "string") missing.set(key, truth);
          resolve(row);
        }
      } catch (error) {
        // Waiting keys fail too: with a silent database each batch would time out after the other.
        for (const { reject } of [...batch, ...waiting.splice(0)]) reject(error);
      }
    }
    running = false;
  }

  /** Returns the validity of a row that is read now: the change counter, or the end of its TTL by `performance.now()`. */
  function truthNow(): string | number | undefined {
    return ttlMs === undefined ? db.changeCounter() : performance.now() + ttlMs;
  }

  function isTrue({ truth }: Remembered<Row>): boolean {
    return typeof truth === "number" ? performance.now() < truth : truth === db.changeCounter();
  }

  return (key) => {
    const known = remembered.get(key);
    if (known !== undefined && isTrue(known)) return known.row;
    const counter = missing.get(key);
    if (counter !== undefined && counter === db.changeCounter()) return undefined;
    return new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (!running) void run();
    });
  };
}

/** A row that was found before the database failed. */
export interface MaybeKept {
  readonly isKept?: true;
}

/** How long a row is looked up before the database counts as failed and the row as it was found last is used, in milliseconds. */
export const patienceMs = 1_000;

/**
 * Finds rows as `lookup` does and, while the database fails, those that it found at most `keptMs` ago: for answers that a cache may
 * repeat for as long. A failure may take seconds: the first row is found after one of them, and during the outage at once.
 * @param rowsIn how many rows of the database a row stands for
 */
export function keptThroughOutages<Row extends object>(
  lookup: Lookup<Row>,
  keptMs: number,
  rowsIn: (row: Row) => number = () => 1,
): Lookup<Row & MaybeKept> {
  const kept = new LRUCache<string, Row & MaybeKept>({
    maxSize: mostRemembered,
    sizeCalculation: rowsIn,
    ttl: keptMs,
  });
  let isOut = false;
  return (key) => {
    const found = lookup(key);
    if (!(found instanceof Promise)) return found;
    const last = kept.get(key);
    const current = found.then(
      (row) => {
        isOut = false;
        kept.set(key, row && { ...row, isKept: true }); // undefined deletes
        return row;
      },
      (error: unknown) => {
        isOut = storageFailure(error) !== undefined;
        if (!isOut || last === undefined) throw error;
        return last;
      },
    );
    if (last === undefined) return current;
    if (!isOut) return orAfter(patienceMs, current, () => ((isOut = true), last));
    current.catch(() => undefined); // a defect ends the outage, and the next call has it
    return last;
  };
}

/** Returns what settles first: `made`, or what `other` returns after a time. */
export async function orAfter<T>(ms: number, made: Promise<T>, other: () => T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let afterReading: NodeJS.Immediate | undefined;
  const late = new Promise<T>((resolve) => {
    // After a stall of the process the time is over before an answer that came meanwhile is read: that one is read first.
    timer = setTimeout(() => (afterReading = setImmediate(() => resolve(other()))), ms);
  });
  return Promise.race([made, late]).finally(() => {
    clearTimeout(timer);
    clearImmediate(afterReading);
  });
}

interface Remembered<Row> {
  readonly row: Row;
  readonly truth: string | number;
}

/** Caches the result of `create` for each open database. */
export function perDatabase<Made>(create: (db: LookupDatabase) => Made): (db: LookupDatabase) => Made {
  const made = new WeakMap<LookupDatabase, { readonly value: Made }>();
  return (db) => {
    const known = made.get(db) ?? { value: create(db) };
    made.set(db, known);
    return known.value;
  };
}

interface Waiting<Row> {
  readonly key: string;
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}
