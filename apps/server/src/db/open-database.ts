import type { Database, Db, Primary } from "./database.js";
import type { DatabaseObserver } from "./observer.js";
import type { ReplicaOptions } from "./replica/open.js";
import { requireOwnFile } from "./sqlite/foreign.js";
import { openSqlite } from "./sqlite/open.js";
import { sqlitePath } from "./url.js";

export type { ReplicaOptions } from "./replica/open.js";
export type { Database, Db, Reader } from "./database.js";
export type { DatabaseObserver } from "./observer.js";

/**
 * Opens the database of a `sqlite:` or `postgres:` URL and queries it. The file of SQLite and its folder are created when
 * they do not exist. A replica may be away; then the database answers all reads.
 * @param observer receives what the metrics show; without one nothing is measured
 * @throws Error when the database cannot be opened, is that of another program, or does not take the settings it must run with.
 */
export async function openDatabase(
  url: string,
  replica?: ReplicaOptions,
  observer?: DatabaseObserver,
): Promise<Database> {
  const primary = await openPrimary(url, observer);
  try {
    const query = (trx: Db): Promise<unknown> => trx.raw("select 1");
    if (url.startsWith("sqlite:")) {
      // The writer of a file first: it creates it and turns WAL on. While another server migrates, it waits.
      await primary.exclusively(query);
      await primary.ping();
    } else await requireOwnServer(primary, url);
    return replica === undefined
      ? { ...primary, list: (owner, work) => primary.listTurns.run(owner, () => work(primary)) }
      : await withReplica(primary, url, { ...replica, observer });
  } catch (error) {
    await primary.close();
    throw error;
  }
}

/** PostgreSQL's client is loaded only for it, so that a start on SQLite does not wait for it. */
async function openPrimary(url: string, observer: DatabaseObserver | undefined): Promise<Primary> {
  const path = sqlitePath(url);
  if (path !== undefined) {
    await requireOwnFile(path);
    return openSqlite(path, observer);
  }
  const { openPostgres } = await import("./postgres/open.js");
  return openPostgres(url, observer);
}

/** @throws Error when the database is that of another program, or a pooler in front of it was not declared */
async function requireOwnServer({ read }: Primary, url: string): Promise<void> {
  const [{ inspectPostgres }, { postgresAddress }] = await Promise.all([
    import("./postgres/foreign.js"),
    import("./postgres/tls.js"),
  ]);
  await inspectPostgres(read, { isPooled: postgresAddress(url).pooled !== undefined });
}

async function withReplica(primary: Primary, url: string, options: ReplicaOptions): Promise<Database> {
  const { openReplica } = await import("./replica/open.js");
  const replica = openReplica(primary, url, options);
  return {
    ...primary,
    list: (owner, work) => primary.listTurns.run(owner, () => replica.list(work)),
    close: async () => {
      await replica.close();
      await primary.close();
    },
  };
}
