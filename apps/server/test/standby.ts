import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "./free-port.js";
import { runPostgres } from "./postgres.js";

/** A server that streams from a primary and answers reads. */
export interface Standby {
  /** Without a database's name. */
  readonly url: string;
  /** Ends it for good and removes its folder. */
  remove(): Promise<void>;
}

/** Copies the files of a running primary, as pg_basebackup does, and starts a standby on them, with settings as its command line takes them. */
export async function startStandby(primaryUrl: string, ...flags: readonly string[]): Promise<Standby> {
  const folder = mkdtempSync(join(tmpdir(), "kalends-standby-"));
  chmodSync(folder, 0o755); // as root, the server runs as another user
  const [databaseDir, port] = [join(folder, "data"), await freePort()];
  await copyOf(primaryUrl, databaseDir);
  const url = primaryUrl.replace(/:\d+$/, `:${port}`);
  const server = await runPostgres(databaseDir, port, "-c", "max_connections=300", ...flags);
  return {
    url,
    remove: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function copyOf(primaryUrl: string, databaseDir: string): Promise<void> {
  const { hostname, port, username, password } = new URL(primaryUrl);
  const client = new pg.Client({ connectionString: `${primaryUrl}/postgres` });
  await client.connect();
  await client.query("select pg_backup_start('standby', true)");
  const [{ data_directory }] = (await client.query("show data_directory")).rows;
  execFileSync("cp", ["-a", data_directory, databaseDir]); // as root, its owner is another
  const [{ labelfile }] = (await client.query("select labelfile from pg_backup_stop(false)")).rows;
  await client.end();
  rmSync(join(databaseDir, "postmaster.pid"));
  const { uid, gid } = statSync(databaseDir);
  for (const [name, text] of Object.entries({ backup_label: labelfile, "standby.signal": "" })) {
    writeFileSync(join(databaseDir, name), text);
    chownSync(join(databaseDir, name), uid, gid);
  }
  const source = `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`;
  appendFileSync(join(databaseDir, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
}
