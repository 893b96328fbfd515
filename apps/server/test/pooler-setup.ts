import type { TestProject } from "vitest/node";
import { startPooler } from "./pgbouncer.js";
import { startForTests } from "./postgres-setup.js";

/** Starts a real PostgreSQL, and a real PgBouncer in front of it, for the tests of the project "pooler". */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startForTests(project);
  const pooler = await startPooler(server.url);
  project.provide("poolerUrl", pooler.url);
  return async () => {
    await pooler.stop();
    await server.remove();
  };
}
