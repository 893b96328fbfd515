import { LRUCache } from "lru-cache";
import type { Database, LookupDatabase } from "./database.js";

/** Keys looked up in one query. */
const batchSize = 16;

/** Rows remembered, each of some hundred bytes, and keys without a row: few, since a caller may try any number of them. */
const mostRemembered = 10_000;
const mostMissing = 1_000;

/** Finds the row of a key: at once when it is remembered. */
export type Lookup<Row> = (key: string) => Row | undefined | Promise<Row | undefined>;

interface LookupOptions<Row> {
  /** Selects the rows of some keys. `keys` is the list of the places of their values, such as `$1, $2`. */
  readonly sql: (keys: string) => string;
  readonly keyOf: (row: Row) => string;
  /** A key that no row has. */
  readonly blank?: string;
  /** How long a row is taken for true, in milliseconds; by default as long as the change counter stays the same. */
  readonly ttlMs?: number;
}

/**
 * Finds rows by a unique key, for the hot path. Each is as new as a query made when it was asked for, or at most `ttlMs` old:
 * a row is remembered only that long, and those asked for while a query runs share the next one.
 */
export function createLookup<Row extends object>(
  db: Pick<Database, "lookUp" | "changeCounter">,
  { sql, keyOf, blank = "", ttlMs }: LookupOptions<Row>,
): Lookup<Row> {
  const text = sql(Array.from({ length: batchSize }, (_, index) => `$${index + 1}`).join(", "));
  const remembered = new LRUCache<string, Remembered<Row>>({ max: mostRemembered });
  // Remembered too, so that the time of a response does not show whether a row of another account exists (rulings R2.3).
  const missing = new LRUCache<string, string>({ max: mostMissing });
  const waiting: Waiting<Row>[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchSize);
      const truth = truthNow(); // before the query: what is committed during it counts as later
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
        // Those that wait fail too: a database that is silent would keep each batch after the other.
        for (const { reject } of [...batch, ...waiting.splice(0)]) reject(error);
      }
    }
    running = false;
  }

  /** What a row read now stays true with: a change counter, or the end of its time as `performance.now()` counts. */
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

interface Remembered<Row> {
  readonly row: Row;
  readonly truth: string | number;
}

/** Makes `create`'s result once for each open database. */
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
