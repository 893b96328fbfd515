import type { Database, Db } from "../db/connect.js";
import type { EventRow } from "../db/rows.js";
import { lacksListedJson, listedJson, listedJsonVersion, listedJsonVersionSql } from "./listed-json.js";
import { eventColumns } from "./queries.js";

/** Few enough that other writers hardly wait: about 2 ms on SQLite. */
const batchSize = 50;

/**
 * Gives their list items to the events that a server of an older version wrote. An index holds just these, so that looking for
 * them costs nothing once all have theirs. Returns how many it went through. Safe on several servers at once.
 */
export async function fillListedJson(db: Database, isStopping: () => boolean = () => false): Promise<number> {
  for (let filled = 0; ;) {
    const rows = await listEventsWithoutJson(db.read, batchSize);
    if (rows.length === 0) return filled;
    await db.transaction((trx) => storeJson(trx, rows));
    filled += rows.length;
    if (isStopping()) return filled;
  }
}

function listEventsWithoutJson(db: Db, limit: number): Promise<readonly EventRow[]> {
  return db<EventRow>("events")
    .whereRaw(lacksListedJson)
    .orderBy("id")
    .limit(limit)
    .select(...eventColumns);
}

/** Stores the list items of the rows, but not of those that were changed since: that has raised one of their counters. */
async function storeJson(db: Db, rows: readonly EventRow[]): Promise<void> {
  const values = rows.map((row) => [row.id, listedJson(row), listedJsonVersion(row)] as const);
  const list = values.map(() => "(cast(? as bigint), ?, cast(? as bigint))").join(", ");
  await db.raw(
    `with made (id, json, json_of) as (values ${list})
     update events set json = made.json, json_of = made.json_of from made
     where events.id = made.id and made.json_of = ${listedJsonVersionSql}`,
    values.flat(),
  );
}
