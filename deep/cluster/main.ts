import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startCluster } from "./cluster.js";
import { faults, isKind, type Kind } from "./faults.js";
import { startReceiver } from "./load.js";
import { shell } from "./machines.js";
import { restoreOnce } from "./restore.js";
import { lostOf, type Result, runRound } from "./rounds.js";

// npm run test:cluster -- --rounds 10 --kind partition. Runs as root, and inside of namespaces of its own: when the first process of a
// namespace of process numbers ends, in whatever way, the kernel ends all others, and mounts and networks go with the last of them.

const { values } = parseArgs({
  allowNegative: true,
  options: {
    rounds: { type: "string", default: "10" },
    kind: { type: "string", multiple: true, default: Object.keys(faults) },
    restore: { type: "boolean", default: true },
    logs: { type: "string", default: "" },
  },
});
const kinds: readonly Kind[] = values.kind.map((name) => {
  if (!isKind(name)) throw new Error(`--kind ${name}: ${Object.keys(faults).join(", ")}`);
  return name;
});
/** Most seconds of a round, and of the start. */
const mostSeconds = 420;

const isInside = "KALENDS_CLUSTER_INSIDE";

/** Installs what is missing and runs this program again in namespaces of its own. Returns its exit code. */
async function enter(): Promise<number> {
  if (process.getuid?.() !== 0)
    throw new Error("The cluster needs root, for its networks and users: use sudo.");
  installPackages();
  for (const folder of [
    "/etc/patroni",
    "/etc/haproxy",
    "/etc/pgbouncer",
    "/var/lib/etcd",
    "/var/lib/postgresql",
  ])
    mkdirSync(folder, { recursive: true });
  const namespaces = ["--net", "--mount", "--pid", "--fork", "--kill-child=KILL", "--mount-proc"];
  // The shell takes the place of init, which waits for processes that others left; with an exit after it, it does not exec.
  const script = `"$@"; exit $?`;
  const again = [
    process.execPath,
    ...process.execArgv,
    fileURLToPath(import.meta.url),
    ...process.argv.slice(2),
  ];
  const child = spawn(
    "setpriv",
    ["--pdeathsig=KILL", "unshare", ...namespaces, "bash", "-c", script, "bash", ...again],
    { stdio: "inherit", env: { ...process.env, [isInside]: "yes" } },
  );
  const timer = setTimeout(
    () => child.kill("SIGKILL"),
    (kinds.length * Number(values.rounds) + 1) * mostSeconds * 1_000,
  );
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => child.kill("SIGKILL"));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve(code ?? 1);
    });
  });
}

/** Programs, and the packages of Debian that have them. */
const packages = {
  "/usr/bin/etcd": "etcd-server",
  "/usr/bin/etcdctl": "etcd-client",
  "/usr/bin/patroni": "patroni",
  "/usr/lib/python3/dist-packages/etcd": "python3-etcd",
  "/usr/sbin/haproxy": "haproxy",
  "/usr/sbin/pgbouncer": "pgbouncer",
  "/usr/lib/postgresql/15/bin/postgres": "postgresql-15",
  "/usr/sbin/ip": "iproute2",
  "/usr/bin/curl": "curl",
};

function installPackages(): void {
  const missing = Object.entries(packages).filter(([file]) => !existsSync(file));
  if (missing.length === 0) return;
  const names = missing.map(([, name]) => name);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "--yes", "--no-install-recommends", ...names]])
    if (spawnSync("apt-get", args, { env, stdio: ["ignore", "ignore", "inherit"] }).status !== 0)
      throw new Error(`These packages could not be installed: ${names.join(" ")}`);
  // The services of the packages are not those of the rounds.
  const services = ["etcd", "patroni", "haproxy", "pgbouncer", "postgresql"].filter((name) =>
    names.some((one) => one.startsWith(name)),
  );
  if (existsSync("/run/systemd/system")) spawnSync("systemctl", ["disable", "--now", ...services]);
  const left = missing.filter(([file]) => !existsSync(file));
  if (left.length > 0) throw new Error(`Debian 12 has them, this machine does not: ${left.join("; ")}`);
}

async function runAll(): Promise<number> {
  const results: Result[] = [];
  let failures = 0;
  try {
    const [cluster, receiver] = [await startCluster(), await startReceiver()];
    for (const kind of kinds)
      for (let round = 1; round <= Number(values.rounds); round++) {
        const result = await runRound(cluster, kind, round, receiver);
        results.push(result);
        process.stdout.write(`${lineOf(result)}\n`);
      }
    for (const { kind, round, load } of results) {
      const lost = await lostOf(cluster, load); // a later failure may take what an earlier one has left
      failures += lost.length;
      if (lost.length > 0) process.stdout.write(`lost since ${kind} ${round}: ${lost.join(", ")}\n`);
    }
    if (values.restore) process.stdout.write(`${await restoreOnce(cluster)}\n`);
  } catch (error) {
    failures++;
    process.stdout.write(
      `${error instanceof Error ? `${error.stack}\n${String(error.cause)}` : String(error)}\n`,
    );
  }
  if (values.logs !== "") await shell(`mkdir -p '${values.logs}' && cp /run/machines/*.log '${values.logs}'`);
  process.stdout.write(`\n${[heading, ...results.map(lineOf)].join("\n")}\n`);
  failures += results.filter((one) => !isGood(one)).length;
  process.stdout.write(`load ${loadavg()[0]?.toFixed(1)}; ${results.length} rounds, ${failures} failed\n`);
  return failures === 0 && (results.length > 0 || values.restore) ? 0 : 1;
}

const heading = `| kind | round | acknowledged | lost | doubled | untold | s without writes | lists | feeds | hands | other errors |
| - | -: | -: | -: | -: | -: | -: | -: | -: | -: | -: |`;

function lineOf(one: Result): string {
  const times = [one.withoutWrites, one.withoutLists, one.withoutFeeds].map((seconds) => seconds.toFixed(1));
  const counts = [one.acknowledged, one.lost, one.doubled, one.untold];
  return `| ${[one.kind, one.round, ...counts, ...times, one.hands, one.others].join(" | ")} |`;
}

/** Longest time without writes, in seconds: after a switchover, and after a failure. */
const mostWithoutWrites = (kind: Kind): number => (kind === "switchover" ? 6 : 30);
/** Of lists and of feeds, which come from memory. */
const [mostWithoutLists, mostWithoutFeeds] = [30, 5];

function isGood(one: Result): boolean {
  const faulty = one.lost + one.doubled + one.untold + one.hands + one.others;
  return (
    faulty === 0 &&
    one.withoutWrites <= mostWithoutWrites(one.kind) &&
    one.withoutLists <= mostWithoutLists &&
    one.withoutFeeds <= mostWithoutFeeds
  );
}

// Services still run: the end of this process ends them.
process.exit(process.env[isInside] === undefined ? await enter() : await runAll());
