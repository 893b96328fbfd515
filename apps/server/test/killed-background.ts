// Runs the background jobs of a server often until it is killed; it kills itself before it commits what extends a given series. Its clock
// is ahead by some seconds.
import { pino } from "pino";
import { createFailing } from "../src/background/failing.js";
import { itemsApart } from "../src/background/units.js";
import { machineJobs } from "../src/process/jobs.js";
import { readConfig } from "../src/settings/config.js";
import { openDatabase } from "../src/db/open-database.js";
import type { Transaction } from "../src/db/transaction.js";
import { startJobs } from "../src/background/scheduler.js";

const [url = "", aheadSeconds, deadlySeries] = process.argv.slice(2);
const clock = (): number => Math.floor(Date.now() / 1000) + Number(aheadSeconds);
const db = await openDatabase(url);
const log = pino({ level: "warn" });
const context = {
  db: {
    ...db,
    transaction: <T>(work: (trx: Transaction) => Promise<T>) =>
      db.transaction(async (trx) => {
        const result = await work(trx);
        const extended = await trx("series")
          .where({ id: Number(deadlySeries) })
          .where("next_at", ">", clock())
          .first();
        if (extended !== undefined) process.kill(process.pid, "SIGKILL");
        return result;
      }),
  },
  config: readConfig({ DATABASE_URL: url, WEBHOOK_ALLOW_PRIVATE: "on" }),
  clock,
  log,
  signal: new AbortController().signal,
  runItem: itemsApart(log, createFailing(db, clock)),
};
const jobs = machineJobs(context).filter(({ name }) => /^(?:series|calendar syncs)/.test(name));
startJobs(
  jobs.map((job) => ({ ...job, everyMs: 50, run: (isStopping) => job.run(isStopping) })),
  log,
);
setInterval(() => undefined, 60_000);
