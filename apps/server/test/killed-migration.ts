// A process that migrates a database and dies of SIGKILL before the statement of the given number, counted from 1.
import { openDatabase } from "../src/db/connect.js";
import { migrate } from "../src/db/migrate.js";

const [url = "", fatal] = process.argv.slice(2);
const db = await openDatabase(url);
let statements = 0;
await migrate(
  {
    ...db,
    exclusively: (work) =>
      db.exclusively((trx) => {
        trx.on("query", () => {
          if (++statements === Number(fatal)) process.kill(process.pid, "SIGKILL");
        });
        return work(trx);
      }),
  },
  1,
);
await db.close();
