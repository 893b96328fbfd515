// Copies an installation into another database and kills itself with SIGKILL after the given number of rows.
import { openDatabase } from "../src/db/open-database.js";
import { migrateData } from "../src/move/migrate-data.js";

const [from = "", to = "", killAfter] = process.argv.slice(2);
let copied = 0;
await migrateData(await openDatabase(from), await openDatabase(to), 1, (_step, _table, rows) => {
  copied += rows;
  if (copied >= Number(killAfter)) process.kill(process.pid, "SIGKILL");
});
