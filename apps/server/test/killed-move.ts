// A process that moves an installation and dies of SIGKILL once so many rows have passed.
import { openDatabase } from "../src/db/connect.js";
import { move } from "../src/move/move.js";

const [from = "", to = "", fatal] = process.argv.slice(2);
let passed = 0;
await move(await openDatabase(from), await openDatabase(to), 1, (_step, _table, rows) => {
  passed += rows;
  if (passed >= Number(fatal)) process.kill(process.pid, "SIGKILL");
});
