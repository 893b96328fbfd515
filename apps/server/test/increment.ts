// Run by connect.sqlite.deep.test.ts in separate processes: 100 transactions that each read a number and write it back plus one.
import { openDatabase } from "../src/db/open-database.js";

const db = await openDatabase(`sqlite:${process.argv[2]}`);
const once = (): Promise<void> =>
  db.transaction(async (trx) => {
    const [{ n }] = await trx.raw("select n from numbers where id = 1");
    await trx.raw("update numbers set n = ? where id = 1", [n + 1]);
  });
await Promise.all(Array.from({ length: 100 }, once));
await db.close();
