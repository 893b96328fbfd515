import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the server that the tests make their databases on; undefined where they run on SQLite. */
    postgresUrl: string | undefined;
  }
}

/** A database of its own for a test, empty. */
export interface TestDatabase {
  readonly url: string;
  /** The file of a SQLite database; elsewhere a path that does not exist. */
  readonly file: string;
  remove(): Promise<void>;
}

/** Whether the tests run on PostgreSQL; else on SQLite. */
export const onPostgres = inject("postgresUrl") !== undefined;

/** Makes a database on the server of the tests, or a SQLite file in a temporary folder. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject("postgresUrl");
  const folder = mkdtempSync(join(tmpdir(), "kalends-test-"));
  const file = join(folder, "kalends.sqlite");
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  if (server === undefined) {
    return { url: `sqlite:${file}`, file, remove: () => Promise.resolve(removeFolder()) };
  }
  const name = `test_${randomBytes(8).toString("hex")}`;
  await administer(server, `create database ${name}`);
  return {
    url: `${server}/${name}`,
    file,
    remove: async () => {
      removeFolder();
      await administer(server, `drop database ${name} with (force)`);
    },
  };
}

async function administer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query(sql);
  await client.end();
}
