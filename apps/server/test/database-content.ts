import sqlite3 from "sqlite3";
import { expect } from "vitest";
import { onPostgres } from "./databases.js";
import type { TestServer } from "./harness.js";

type Row = Readonly<Record<string, unknown>>;
type Query = (sql: string) => Promise<readonly Row[]>;

/** Tables whose key is a name. */
const byName = new Set(["properties", "migrations"]);
const owned = ["tokens", "calendars", "events", "subscribers", "webhook_endpoints", "series"];
const tables = ["accounts", ...owned, ...byName];

/** What a database holds at a moment, kept to compare it with what it holds later. */
export interface HeldContent extends AsyncDisposable {
  /** Fails when anything is changed since; what the content leaves out is no change. */
  expectSame(): Promise<void>;
}

/**
 * Everything the database holds, as text: two are equal when nothing was changed between them. What a deleted calendar
 * held does not count, since the server purges it when it has time, nor when a token was last used.
 */
export function databaseContent(server: TestServer): Promise<string> {
  return contentBy(currentQuery(server));
}

/**
 * Holds what the database holds now, in a transaction that only reads. Nothing is read as long as the database itself says
 * that nothing at all was committed: most calls that must change nothing write nothing.
 */
export function holdContent(server: TestServer): Promise<HeldContent> {
  return onPostgres ? holdOnPostgres(server) : holdOnSqlite(server.databaseFile);
}

async function contentBy(query: Query): Promise<string> {
  const content = await Promise.all(
    tables.map((name) => query(`select * from ${name} order by ${byName.has(name) ? "name" : "id"}`)),
  );
  const deleted = new Set(
    content
      .flat()
      .flatMap(({ id, uniquekey, deleted_at }) =>
        uniquekey !== undefined && typeof deleted_at === "number" ? [id] : [],
      ),
  );
  const kept = content.map((rows) => rows.filter(({ calendar_id }) => !deleted.has(calendar_id)));
  return JSON.stringify(
    kept.map((rows) =>
      rows.map((row) => (typeof row.deleted_at === "number" ? [row.id, row.deleted_at] : withoutUse(row))),
    ),
  );
}

/** A row without what the server writes by itself: when a token was last used, and attempts to reach a webhook. */
export function withoutUse({ last_used_at: _late, ...row }: Row): Row {
  if (row.previous_secret === undefined) return row;
  const { failures: _failures, next_at: _next, ...webhook } = row;
  return webhook;
}

function currentQuery({ db }: TestServer): Query {
  return async (sql) => rowsOf(await db.read.raw<readonly Row[] | { rows: readonly Row[] }>(sql));
}

function rowsOf(result: readonly Row[] | { readonly rows: readonly Row[] }): readonly Row[] {
  return "rows" in result ? result.rows : result;
}

/** `data_version` differs after every commit of another connection (sqlite.org/pragma.html). */
async function holdOnSqlite(file: string): Promise<HeldContent> {
  const [now, then] = [connectionTo(file), connectionTo(file)];
  const version = async (): Promise<unknown> => (await now.query("pragma data_version"))[0]?.data_version;
  const before = await version();
  await then.query("begin");
  await then.query("select 1 from accounts limit 1"); // the transaction begins with its first read
  return {
    expectSame: async () => {
      if ((await version()) !== before) expect(await contentBy(now.query)).toBe(await contentBy(then.query));
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([now.close(), then.close()]);
    },
  };
}

function connectionTo(file: string): { readonly query: Query; readonly close: () => Promise<void> } {
  const database = new sqlite3.Database(file, sqlite3.OPEN_READONLY);
  return {
    query: (sql) =>
      new Promise((resolve, reject) => {
        database.all<Row>(sql, (error, rows) => (error === null ? resolve(rows) : reject(error)));
      }),
    close: () =>
      new Promise((resolve, reject) => {
        database.close((error) => (error === null ? resolve() : reject(error)));
      }),
  };
}

/** `pg_current_snapshot` differs after every transaction that wrote in any database of the server. */
async function holdOnPostgres(server: TestServer): Promise<HeldContent> {
  const now = currentQuery(server);
  const version = async (): Promise<unknown> =>
    (await now("select pg_current_snapshot()::text as version"))[0]?.version;
  const before = await version();
  let close = (): void => undefined;
  let transaction = Promise.resolve();
  const then = await new Promise<Query>((resolve, reject) => {
    transaction = server.db.snapshot(async (trx) => {
      await trx.raw("select 1 from accounts limit 1"); // the snapshot is taken by the first query
      resolve(async (sql) => rowsOf(await trx.raw<{ rows: readonly Row[] }>(sql)));
      await new Promise<void>((done) => (close = done));
    });
    transaction.catch(reject);
  });
  return {
    expectSame: async () => {
      if ((await version()) !== before) expect(await contentBy(now)).toBe(await contentBy(then));
    },
    [Symbol.asyncDispose]: async () => {
      close();
      await transaction;
    },
  };
}
