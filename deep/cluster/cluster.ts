import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { addMachine, type Machine, openNetwork, type Service } from "./machines.js";

// The cluster of docs/high-availability.md: its files are those of examples/patroni, word for word.

export const root = fileURLToPath(new URL("../..", import.meta.url));
const example = (file: string): string => readFileSync(`${root}/examples/patroni/${file}`, "utf8");

/** Size of the disk of a database machine: with the WAL that is kept, a smaller one is full after some rounds. */
const disk = "2g";

export const token = "the-token-of-the-cluster";

export interface DatabaseMachine extends Machine {
  readonly etcd: Service;
  readonly patroni: Service;
  readonly fullDisk: Service;
}

export interface KalendsMachine extends Machine {
  readonly url: string;
  readonly kalends: Service;
}

export interface Cluster {
  readonly databases: readonly DatabaseMachine[];
  readonly servers: readonly KalendsMachine[];
  /** The password of replication, which backups use. */
  readonly replication: string;
  /** Runs SQL on the primary, or another machine. Returns its rows as one JSON value. */
  readonly query: (sql: string, on?: Machine) => Promise<string>;
}

export async function startCluster(): Promise<Cluster> {
  await openNetwork();
  const [superuser, replication, kalends] = [password(), password(), password()];
  const databases: DatabaseMachine[] = [];
  for (const number of [1, 2, 3])
    databases.push(await addDatabase(`db${number}`, `10.0.0.1${number}`, { superuser, replication }));
  for (const { etcd } of databases) etcd.start();
  for (const { patroni } of databases) patroni.start();
  for (const { fullDisk } of databases) fullDisk.start();
  const query = async (sql: string, on?: Machine): Promise<string> => {
    const machine = on ?? (await primary(databases));
    const url = `postgres://postgres:${superuser}@${machine.address}/kalends`;
    return machine.run(
      `psql --no-psqlrc --quiet --tuples-only --no-align --dbname=${url} <<'END'\n${sql}\nEND`,
    );
  };
  await until("a primary with two standbys", 60, () => isWhole(databases));
  const first = await primary(databases);
  await first.run(`export PGPASSWORD=${superuser}
    psql --quiet --host=${first.address} --username=postgres --command="create role kalends login password '${kalends}'"
    createdb --host=${first.address} --username=postgres --owner=kalends kalends`);
  const servers: KalendsMachine[] = [];
  for (const number of [1, 2]) servers.push(await addServer(`app${number}`, `10.0.0.2${number}`, kalends));
  return { databases, servers, replication, query };
}

const password = (): string => randomBytes(12).toString("hex");

async function addDatabase(
  name: string,
  address: string,
  passwords: Readonly<Record<"superuser" | "replication", string>>,
): Promise<DatabaseMachine> {
  const folders = ["/etc/default", "/etc/patroni", "/var/lib/etcd", "/run/postgresql", "/var/backups"];
  const machine = await addMachine(name, address, {
    ...Object.fromEntries(folders.map((folder) => [folder, ""])),
    "/var/lib/postgresql": disk,
  });
  const placed = (text: string): string => text.replace(/\bNAME\b/g, name).replace(/\bADDRESS\b/g, address);
  await machine.write("/etc/default/etcd", placed(example("etcd")));
  const patroni = placed(example("patroni.yml"))
    .replace("SUPERUSER_PASSWORD", passwords.superuser)
    .replace("REPLICATION_PASSWORD", passwords.replication);
  await machine.write("/etc/patroni/config.yml", patroni, "postgres");
  await machine.write("/etc/patroni/full-disk.sh", placed(example("full-disk.sh")), "postgres");
  const as = (user: string): string => `setpriv --reuid=${user} --regid=${user} --clear-groups`;
  const withFile = `env $(grep -v '^#' /etc/default/etcd)`;
  return {
    ...machine,
    etcd: machine.service("etcd", `${as("etcd")} ${withFile} etcd`),
    patroni: machine.service("patroni", `${as("postgres")} patroni /etc/patroni/config.yml`),
    fullDisk: machine.service("full-disk", `${as("postgres")} sh /etc/patroni/full-disk.sh`),
  };
}

async function addServer(name: string, address: string, secret: string): Promise<KalendsMachine> {
  const folders = [
    "/etc/haproxy",
    "/etc/pgbouncer",
    "/run/postgresql",
    "/var/lib/postgresql",
    "/var/backups",
  ];
  const machine = await addMachine(name, address, Object.fromEntries(folders.map((folder) => [folder, ""])));
  await machine.write("/etc/haproxy/haproxy.cfg", example("haproxy.cfg"));
  await machine.write("/etc/pgbouncer/pgbouncer.ini", example("pgbouncer.ini"), "postgres");
  await machine.write("/etc/pgbouncer/userlist.txt", `"kalends" "${secret}"\n`, "postgres");
  machine.service("haproxy", "haproxy -db -f /etc/haproxy/haproxy.cfg").start();
  const pooler = "setpriv --reuid=postgres --regid=postgres --clear-groups pgbouncer";
  machine.service("pgbouncer", `${pooler} /etc/pgbouncer/pgbouncer.ini`).start();
  const url = `http://${address}:8080`;
  const settings = Object.entries({
    DATABASE_URL: `postgres://kalends:${secret}@127.0.0.1:6432/kalends?sslmode=disable`,
    HOST: address,
    PUBLIC_URL: "http://calendars.example.com",
    CALENDAR_TOKEN: token,
    WEBHOOK_ALLOW_PRIVATE: "on",
    WEBHOOKS_PER_ACCOUNT: "1000", // one for each round
    LOG_LEVEL: "warn",
  }).map(([key, value]) => `${key}='${value}'`);
  const program = `env -C /run ${settings.join(" ")} ${process.execPath} ${root}/apps/server/dist/main.js`;
  const kalends = machine.service("kalends", program, false);
  kalends.start();
  await until(`${name} is ready`, 60, () => isReady(url));
  return { ...machine, url, kalends };
}

export async function isReady(url: string): Promise<boolean> {
  return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) })).status === 200;
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
  readonly lag?: number | string;
}

/** Returns the members as Patroni of one machine knows them. */
export async function members({ address }: Machine): Promise<readonly Member[]> {
  const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) });
  const { members: found }: { members: readonly Member[] } = JSON.parse(await answer.text());
  return found;
}

/** Returns the machine whose Patroni says that it is the primary. */
export async function primary(databases: readonly DatabaseMachine[]): Promise<DatabaseMachine> {
  for (const machine of databases) {
    const answer = await fetch(`http://${machine.address}:8008/primary`, {
      signal: AbortSignal.timeout(1_000),
    }).catch(() => undefined);
    if (answer?.status === 200) return machine;
  }
  throw new Error("There is no primary.");
}

/** Reports whether there is one primary, with a synchronous standby and another one that are close behind it. */
export async function isWhole(databases: readonly DatabaseMachine[]): Promise<boolean> {
  const [first] = databases;
  if (first === undefined) return false;
  await primary(databases);
  const found = await members(first);
  const roles = found.map(({ role }) => role).toSorted();
  const [{ timeline } = { timeline: 0 }] = found;
  const areSame = found.every(
    (one) => one.state === "running" && one.timeline === timeline && Number(one.lag ?? 0) < 1_000_000,
  );
  return areSame && roles.join() === "leader,replica,sync_standby";
}

/** Waits until a condition holds. @throws Error with its name when that takes over `seconds` */
export async function until(what: string, seconds: number, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  let problem: unknown;
  while (performance.now() < end) {
    try {
      if (await holds()) return;
    } catch (error) {
      problem = error;
    }
    await delay(250);
  }
  throw new Error(`Not within ${seconds} s: ${what}`, { cause: problem });
}
