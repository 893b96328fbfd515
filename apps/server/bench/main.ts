import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { regressions } from "./compare.js";
import { writeDocuments } from "./documents.js";
import { runRounds, type Figures, type Name } from "./rounds.js";
import { openParticipants } from "./participants.js";
import { goalsOf } from "./goals.js";
import { type Job, jobs } from "./jobs.js";
import { client } from "./load.js";
import { type Options, readOptions, usage } from "./options.js";
import { openPostgresStore } from "./postgres.js";
import { goalLines, reportOf, startupLines, tableOf } from "./report.js";
import { commit, machine, readResults, reportFile, resultsFile, type Run } from "./run.js";
import { isStale, ownDist } from "./servers.js";
import { measureStartup } from "./startup.js";
import { dataFolder, sqliteStore, type Store } from "./stores.js";

// bench/README.md documents the measurements.

const startupIds = ["J9", "J10"];
const postgresIds = ["J1", "J3", "J8"];
const starts = 5;

async function measure(store: Store, options: Options): Promise<Run> {
  const isSelected = selectedIds(options);
  const loadBefore = loadavg()[0] ?? NaN;
  if (loadBefore > 1)
    console.error(`The machine is busy (load ${loadBefore.toFixed(1)}): results will be noisy.`);
  const found: Record<string, Partial<Record<Name, Figures>>> = {};
  const participants = openParticipants(store, options);
  try {
    for (const job of jobs.filter(({ id }) => isSelected(id))) {
      const result = await runRounds(job, await participants.ofJob(job), options);
      await participants.endJob();
      found[job.id] = Object.fromEntries(result);
      console.error(progress(job, result));
    }
  } finally {
    await participants.close();
  }
  const names = (["ours", "tutorial"] as const).filter((name) => !options.without.includes(name));
  const peakBytes = participants.peak("ours");
  return {
    database: store.name,
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    command: ["npm run bench --", ...process.argv.slice(2)].join(" ").replace(/ --$/, ""),
    machine: machine(),
    client,
    rounds: options.rounds,
    seconds: options.seconds,
    loadBefore,
    jobs: found,
    ...(startupIds.some(isSelected) ? { startup: await measureStartup(store, names, starts) } : {}),
    ...(Number.isFinite(peakBytes) ? { peakBytes } : {}),
  };
}

/** Returns a filter for the ids of --jobs. J1 means J1-cached and J1-uncached. */
function selectedIds({ jobs, postgres }: Options): (id: string) => boolean {
  const selected = jobs.length === 0 && postgres ? postgresIds : jobs;
  return (id) => selected.length === 0 || selected.some((name) => id === name || id.startsWith(`${name}-`));
}

function progress({ id }: Job, result: ReadonlyMap<Name, Figures>): string {
  const speeds = [...result].map(
    ([name, { requestsPerSecond }]) => `${name} ${requestsPerSecond.toFixed(0)}/s`,
  );
  return `${id}: ${speeds.join(", ")}`;
}

/** Adds the run to the committed results when it was a whole one. */
function write(run: Run, options: Options): void {
  const isWhole =
    options.rounds >= 3 && options.seconds >= 5 && options.jobs.length + options.without.length === 0;
  if (options.compare || !(isWhole || options.write)) return;
  const results = { ...readResults(), [options.postgres ? "postgres" : "sqlite"]: run };
  writeFileSync(resultsFile, `${JSON.stringify(results, rounded, 2)}\n`);
  writeFileSync(reportFile, reportOf(results));
  writeDocuments(results);
}

/** Rounds to four significant digits for results.json. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}

async function main(): Promise<void> {
  if (process.argv.includes("--help")) return console.log(usage);
  const options = readOptions(process.argv.slice(2), dataFolder);
  if (isStale(ownDist)) console.error("dist/ is older than src/: build first; the benchmark measures dist/.");
  const store = options.postgres ? await openPostgresStore() : sqliteStore(options.data);
  try {
    const run = await measure(store, options);
    console.log([...tableOf(run), ...startupLines(run), ...goalLines(goalsOf(run))].join("\n"));
    if (options.compare) for (const line of regressions(run, readResults(), options)) console.log(line);
    write(run, options);
  } finally {
    await store.close();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  // A comparison only warns. Servers that still run are stopped when this process exits.
  const onlyCompares = process.argv.includes("--compare");
  if (onlyCompares) console.log("::warning::The benchmark did not complete.");
  process.exit(onlyCompares ? 0 : 1);
});
