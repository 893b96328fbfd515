import { rmSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isWrite, operations } from "@kalends/spec";
import { openDatabase } from "../src/db/open-database.js";
import { migrate } from "../src/db/migrate.js";
import { startPostgres } from "../test/postgres.js";
import { run } from "../test/process.js";
import { type Outcome, type Racer, raceDeletes, raceEverything, raceSaves } from "../test/races.js";

// Runs the race tests at full size with two server processes on one database: see RACES.md. `--divide=10` runs a tenth of the
// requests, `--on=SQLite` or `--on=PostgreSQL` runs only one database.

const token = "the-token-of-the-races";
const { values } = parseArgs({
  options: { divide: { type: "string", default: "1" }, on: { type: "string" } },
});
const divisor = Number(values.divide);
const isSelected = (name: string): boolean => values.on === undefined || values.on === name;
const sized = (count: number): number => Math.ceil(count / divisor);

/** Runs every race on the database and prints the results. Returns whether all invariants held. */
async function race(name: string, url: string, folder: string): Promise<boolean> {
  const db = await openDatabase(url);
  await migrate(db, 0);
  const settings = { PORT: "0", DATABASE_URL: url, CALENDAR_TOKEN: token, LOG_LEVEL: "error" };
  const servers = [1, 2].map(() => run("main.ts", [], folder, settings));
  try {
    const urls = await Promise.all(servers.map((server) => server.until(/Listening on (\S+)/)));
    const accounts = urls.map(([, address = ""]) => racerOn(address));
    const saves = { events: 20, saves: sized(20_000), clients: 16 };
    const deletes = { races: sized(2_000), creates: 6, clients: 8 };
    const everything = { steps: sized(10_000), clients: 16 };
    const held = [
      await report(`${name}: ${saves.saves} saves of 20 events`, raceSaves(accounts, saves)),
      await report(`${name}: ${deletes.races} deletes against creates`, raceDeletes(accounts, db, deletes)),
      await report(`${name}: ${everything.steps} mixed operations`, raceEverything(accounts, db, everything)),
    ];
    if (name === "PostgreSQL") console.log(`deadlocks resolved by PostgreSQL: ${await deadlocksOf(db)}`);
    return !held.includes(false);
  } finally {
    for (const { child } of servers) child.kill("SIGTERM");
    for (const { stderr } of await Promise.all(servers.map(({ finished }) => finished)))
      process.stderr.write(stderr);
    await db.close();
  }
}

/** Returns a client of the account on one of the servers. */
function racerOn(url: string): Racer {
  return {
    call: async (id, params = {}) => {
      const { path } = operations[id];
      const query = new URLSearchParams(params);
      const init = { headers: { Authorization: `Bearer ${token}` } };
      const response = await (isWrite(operations[id])
        ? fetch(`${url}${path}`, { ...init, method: "POST", body: query })
        : fetch(`${url}${path}?${query.toString()}`, init));
      const text = await response.text();
      const body: unknown = JSON.parse(text);
      return { status: response.status, headers: response.headers, text, body };
    },
  };
}

async function report(name: string, outcome: Promise<Outcome>): Promise<boolean> {
  const started = performance.now();
  const { responses, faults } = await outcome;
  const seconds = (performance.now() - started) / 1000;
  const statuses = Object.entries(responses).map(([status, count]) => `${count} responses ${status}`);
  console.log(`${name}: ${seconds.toFixed(0)} s, ${statuses.join(", ")}; ${faults.length} faults`);
  for (const fault of faults.slice(0, 10)) console.log(`  ${fault}`);
  return faults.length === 0;
}

async function deadlocksOf(db: Awaited<ReturnType<typeof openDatabase>>): Promise<number> {
  const { rows }: { rows: readonly { deadlocks: number }[] } = await db.read.raw(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  return rows[0]?.deadlocks ?? 0;
}

const folder = mkdtempSync(join(tmpdir(), "kalends-race-"));
const held: boolean[] = [];
try {
  if (isSelected("SQLite"))
    held.push(await race("SQLite", `sqlite:${join(folder, "kalends.sqlite")}`, folder));
  if (isSelected("PostgreSQL")) {
    const postgres = await startPostgres();
    try {
      held.push(await race("PostgreSQL", `${postgres.url}/postgres`, folder));
    } finally {
      await postgres.remove();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = held.includes(false) ? 1 : 0;
