import pg from "pg";
import type { TestProject } from "vitest/node";
import {
  poolerProject,
  type PostgresServer,
  startPostgres,
  startPostgresOf,
  systemPrograms,
  systemProject,
  templateDatabase,
} from "./postgres.js";
import { applySchema } from "./schema.js";

/** Starts a real PostgreSQL for the tests of the project "postgres". */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  return (await startForTests(project)).remove;
}

/** Starts it with the template for databases. */
export async function startForTests(project: TestProject): Promise<PostgresServer> {
  const flags = ["max_connections=300", "autovacuum=off", "full_page_writes=off", "checkpoint_timeout=1h"];
  const options = flags.flatMap((flag) => ["-c", flag]);
  const isSystem =
    project.name === systemProject || (project.name === poolerProject && systemPrograms() !== "");
  const starting = isSystem ? startPostgresOf(systemPrograms(), ...options) : startPostgres(...options);
  const server = await starting.catch((error: unknown) => {
    throw new Error(`\n\n*** ${impossible} ***\n${String(error)}\n`, { cause: error });
  });
  if (isSystem) process.stderr.write(`\n*** ${project.name}: ${await versionOf(server.url)} ***\n\n`);
  project.provide("postgresUrl", server.url);
  await createTemplate(server.url, 5);
  return server;
}

/** Creates the template; again where connecting took longer than a server waits for it, on a busy machine. */
async function createTemplate(url: string, tries: number): Promise<void> {
  try {
    await administer(url, `drop database if exists ${templateDatabase} with (force)`);
    await administer(url, `create database ${templateDatabase} template template0`);
    await applySchema(`${url}/${templateDatabase}`);
  } catch (error) {
    if (tries === 1) throw error;
    await createTemplate(url, tries - 1);
  }
}

/** Returns a version such as "PostgreSQL 15.18". */
async function versionOf(url: string): Promise<string> {
  const { rows } = await administer(url, "select split_part(version(), ' (', 1) as version");
  return rows[0]?.version ?? "";
}

async function administer(url: string, sql: string): Promise<pg.QueryResult<{ readonly version?: string }>> {
  const client = new pg.Client({ connectionString: `${url}/postgres` });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

const impossible =
  "PostgreSQL does not start here, and the tests need one. Without: KALENDS_TEST_POSTGRES=off npm test";
