import type { TestProject } from "vitest/node";
import { openDatabase } from "../src/db/connect.js";
import { migrate } from "../src/db/migrate.js";
import { applyZoneData } from "../src/events/rezone.js";
import { startPostgres, templateDatabase } from "./postgres.js";

/** Starts a real PostgreSQL for the tests of the project "postgres". */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const flags = ["max_connections=300", "autovacuum=off", "full_page_writes=off", "checkpoint_timeout=1h"];
  const server = await startPostgres(...flags.flatMap((flag) => ["-c", flag])).catch((error: unknown) => {
    throw new Error(`\n\n*** ${impossible} ***\n${String(error)}\n`, { cause: error });
  });
  project.provide("postgresUrl", server.url);
  await createTemplate(server.url);
  return () => server.remove();
}

async function createTemplate(url: string): Promise<void> {
  const admin = await openDatabase(`${url}/postgres`);
  await admin.read.raw(`create database ${templateDatabase} template template0`);
  await admin.close();
  const template = await openDatabase(`${url}/${templateDatabase}`);
  await migrate(template, 0);
  await applyZoneData(template, 0);
  await template.close();
}

const impossible =
  "PostgreSQL does not start here, and the tests need one. Without: KALENDS_TEST_POSTGRES=off npm test";
