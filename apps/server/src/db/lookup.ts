import { LRUCache } from "lru-cache";
import type { Database } from "./database.js";

/** Keys looked up in one query. */
const batchSize = 16;

/** Rows remembered, each of some hundred bytes. */
const mostRemembered = 10_000;

interface Query {
  toSQL(): { toNative(): { readonly sql: string } };
}

/**
 * Rows by a unique key, for the hot path. Each is as new as a query made when it was asked for: a row is remembered only as
 * long as nothing was committed, and those asked for while a query runs share the next one. Measured on the feeds' 304: 16
 * callers at once get four times as many answers from shared queries.
 * @param query selects the rows of the given keys; prepared once, so its text must depend on nothing but their number
 */
export function createLookup<Row extends object>(
  db: Database,
  query: (keys: readonly string[]) => Query,
  keyOf: (row: Row) => string,
): (key: string) => Row | undefined | Promise<Row | undefined> {
  const blanks = Array.from({ length: batchSize }, () => "");
  const prepared = db.prepare<Row>(query(blanks).toSQL().toNative().sql);
  const remembered = new LRUCache<string, { readonly row: Row; readonly stamp: string }>({
    max: mostRemembered,
  });
  const waiting: Waiting<Row>[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchSize);
      const stamp = db.commitStamp(); // before the query: what is committed during it counts as news
      try {
        // Keys are never empty: "" stands for a place that is not used.
        const keys = blanks.map((blank, index) => batch[index]?.key ?? blank);
        const rows = new Map((await prepared(...keys)).map((row) => [keyOf(row), row]));
        for (const [key, row] of rows) if (stamp !== undefined) remembered.set(key, { row, stamp });
        for (const { key, resolve } of batch) resolve(rows.get(key));
      } catch (error) {
        // Those that wait fail too: a database that is silent would keep each batch after the other.
        for (const { reject } of [...batch, ...waiting.splice(0)]) reject(error);
      }
    }
    running = false;
  }

  return (key) => {
    const known = remembered.get(key);
    if (known !== undefined && known.stamp === db.commitStamp()) return known.row;
    return new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (!running) void run();
    });
  };
}

interface Waiting<Row> {
  readonly key: string;
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}
