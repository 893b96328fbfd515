// Copies an installation into another database and kills itself with SIGKILL before the given table.
import { copyDatabase } from "../src/db/copy.js";
import { openDatabase } from "../src/db/open-database.js";

const [from = "", to = "", killBefore] = process.argv.slice(2);
await copyDatabase(await openDatabase(from), await openDatabase(to), 1, (table) => {
  if (table === killBefore) process.kill(process.pid, "SIGKILL");
});
