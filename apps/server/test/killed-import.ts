// Imports a file and kills itself with SIGKILL: before its n-th transaction of staged rows, or when all is published but not committed.
import { readFileSync } from "node:fs";
import type { Member } from "../src/db/batch.js";
import { openDatabase } from "../src/db/open-database.js";
import type { Db } from "../src/db/database.js";
import { runImport } from "../src/imports/run.js";

const [url = "", file = "", account, calendar, now, killAt] = process.argv.slice(2);
const db = await openDatabase(url);
const kill = (): void => void process.kill(process.pid, "SIGKILL");
let staged = 0;
const killing = {
  read: db.read,
  dialect: db.dialect,
  transaction: <T>(work: (trx: Db) => Promise<T>) =>
    db.transaction(async (trx) => {
      const result = await work(trx);
      kill();
      return result;
    }),
  staging: <T>(work: (trx: Member) => Promise<T>) => {
    if (++staged === Number(killAt)) kill();
    return db.staging(work);
  },
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
