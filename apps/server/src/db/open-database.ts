import type { Database, Db } from "./database.js";
import type { DatabaseObserver } from "./observer.js";
import type { OnQuery } from "./query-times.js";
import { requireOwnFile, holdSqlite } from "./sqlite/file.js";
import { openSqlite } from "./sqlite/open.js";
import { sqlitePath } from "./url.js";
import { setTimeout } from "node:timers/promises";

export type { Database, Db, Reader } from "./database.js";
export type { DatabaseObserver } from "./observer.js";

/**
 * Opens the database of a `sqlite:` or `postgres:` URL and queries it. The file of SQLite and its folder are created when
 * they do not exist.
 * @param observer receives what the metrics show; without one nothing is measured
 * @param onQuery receives what the log shows of queries
 * @throws Error when the database cannot be opened, is that of another program, or does not take the settings it must run with.
 */
export async function openDatabase(
  url: string,
  observer?: DatabaseObserver,
  onQuery?: OnQuery,
): Promise<Database> {
  const db = await open(url, observer, onQuery);
  try {
    const query = (trx: Db): Promise<unknown> => trx.raw("select 1");
    if (url.startsWith("sqlite:")) {
      // The writer comes first: it creates the file and turns WAL on, and waits while another server migrates.
      await db.exclusively(query);
      await query(db.read);
    } else await (await import("./postgres/foreign.js")).requireOwnDatabase(db.read);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** PostgreSQL's client is loaded only for it, so that a start on SQLite does not wait for it. */
async function open(
  url: string,
  observer: DatabaseObserver | undefined,
  onQuery: OnQuery | undefined,
): Promise<Database> {
  const path = sqlitePath(url);
  if (path !== undefined) {
    await requireOwnFile(path);
    return openSqlite(path, observer, onQuery);
  }
  const { openPostgres } = await import("./postgres/open.js");
  return openPostgres(url, observer, onQuery);
}

/** A PostgreSQL session may outlive its client by a moment: number of checks, and the pause between, in ms. */
const [mostLooks, pauseMs] = [5, 200];

/** Reports whether another process has a database open. This process must not. */
export async function isInUse(url: string): Promise<boolean> {
  const path = sqlitePath(url);
  if (path !== undefined) {
    const release = await holdSqlite(path);
    await release?.();
    return release === undefined;
  }
  const { hasSessions } = await import("./postgres/exclusive.js");
  for (let look = 1; await hasSessions(url); look++) {
    if (look === mostLooks) return true;
    await setTimeout(pauseMs);
  }
  return false;
}
