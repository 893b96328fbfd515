// Imports a file and kills itself with SIGKILL when all is stored but not committed.
import { readFileSync } from "node:fs";
import type { Transaction } from "../src/db/transaction.js";
import { openDatabase } from "../src/db/open-database.js";
import { runImport } from "../src/files/import-run.js";

const [url = "", file = "", account, calendar, now] = process.argv.slice(2);
const db = await openDatabase(url);
const kill = (): void => void process.kill(process.pid, "SIGKILL");
const killing = {
  ...db,
  transaction: <T>(work: (trx: Transaction) => Promise<T>) =>
    db.transaction(async (trx) => {
      const result = await work(trx);
      kill();
      return result;
    }),
};
const work = {
  accountId: Number(account),
  calendarId: Number(calendar),
  text: readFileSync(file, "utf8"),
  now: Number(now),
  isDryRun: false,
  takesPrivate: false,
  syncId: null,
};
await runImport(killing, work, () => undefined);
