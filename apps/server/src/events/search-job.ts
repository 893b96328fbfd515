import type { Database } from "../db/database.js";
import { fillSearch, searchBacklog } from "./search-queries.js";

/** Events of one transaction: few enough that other writers hardly wait. */
const batchSize = 200;

/** Makes the rows by which a search finds the events that were there before the table was. Safe to run on several servers at once. */
export async function fillSearchRows(db: Database, isStopping: () => boolean = () => false): Promise<void> {
  let upTo = await searchBacklog(db.read);
  while (upTo !== undefined && !isStopping()) {
    const from: number = upTo;
    upTo = await db.transaction((trx) => fillSearch(trx, from, batchSize));
  }
}
