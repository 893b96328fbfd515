// Migrates a database and kills itself with SIGKILL before the given statement, counted from 1.
import { openDatabase } from "../src/db/open-database.js";
import { migrate } from "../src/db/migrate.js";
import { longerChain } from "./longer-chain.js";

const [url = "", killAt] = process.argv.slice(2);
const db = await openDatabase(url);
let statements = 0;
await migrate(
  {
    ...db,
    exclusively: (work) =>
      db.exclusively((trx) => {
        trx.on("query", () => {
          if (++statements === Number(killAt)) process.kill(process.pid, "SIGKILL");
        });
        return work(trx);
      }),
  },
  1,
  undefined,
  longerChain,
);
await db.close();
