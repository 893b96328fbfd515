import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.js";
import { ids } from "./postgres.js";

const program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((path) => existsSync(path));
if (program === undefined && process.env.CI && process.env.KALENDS_RING !== "gate")
  throw new Error("In CI all tests run, behind a connection pooler too: install PgBouncer.");

/** For test.skipIf and for the title: why there is no pooler, or "" when there is one. */
export const withoutPooler = program === undefined ? " (skipped: there is no PgBouncer in /usr/sbin)" : "";

/** A PgBouncer in front of a PostgreSQL server. */
export interface Pooler {
  /** Without a database's name. */
  readonly url: string;
  /** Ends it at once, with all connections; starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a PgBouncer in front of a server. Its settings are its defaults, except for those it cannot run without, the number of
 * clients, and the given ones.
 * @param target the URL of the server, without a database's name
 */
export async function startPooler(
  target: string,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<Pooler> {
  if (program === undefined) throw new Error("There is no PgBouncer in /usr/sbin.");
  const { hostname, port: serverPort, username, password } = new URL(target);
  const [folder, port] = [mkdtempSync(join(tmpdir(), "kalends-pooler-")), await freePort()];
  chmodSync(folder, 0o755); // as root, it runs as another user
  const users = join(folder, "users.txt");
  const all = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "scram-sha-256",
    auth_file: users,
    pool_mode: "transaction",
    max_client_conn: 2000,
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const server = `* = host=${hostname} port=${serverPort}`;
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(users, `"${username}" "${password}"\n`);
  writeFileSync(file, ["[databases]", server, "[pgbouncer]", ...lines, ""].join("\n"));
  let running = await run(program, file, folder);
  const end = async (): Promise<void> => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, "exit");
    running.kill("SIGTERM"); // at once; SIGINT would wait for transactions
    await exited;
  };
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}`,
    restart: async () => {
      await end();
      running = await run(program, file, folder);
    },
    stop: async () => {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves once it listens. */
async function run(path: string, file: string, cwd: string): Promise<ChildProcess> {
  const child = spawn(path, [file], { ...ids(), cwd, stdio: ["ignore", "ignore", "pipe"] });
  await new Promise<void>((resolve, reject) => {
    let said = "";
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`PgBouncer does not start:\n${said}`)));
    child.stderr.on("data", (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-10_000);
      if (/process up/.test(said)) resolve();
    });
  });
  return child;
}
