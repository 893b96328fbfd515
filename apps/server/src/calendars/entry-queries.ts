import type { Author, EventRow, HistoryRow } from "../db/rows.js";
import { queryInSlices, type Transaction } from "../db/transaction.js";
import { columnsExcept, historyColumns, insertRow, insertRows, rowArray } from "../db/columns.js";
import type { Db } from "../db/database.js";
import type { Difference } from "./differences.js";
import type { Knex } from "knex";

// The history: an entry is stored in the transaction of the write that it is about (extensions X9.4).

export interface Entry extends Pick<HistoryRow, "account_id" | "calendar_id" | "event_id" | "action"> {
  readonly changes: Readonly<Record<string, Difference>>;
  readonly now: number;
}

const columns = columnsExcept(historyColumns, "id");
const inserted = insertRow("history", columns);
const cells = rowArray(historyColumns, columns);

/** Adds an entry to the history, with the author of the transaction. */
export function record(trx: Transaction, entry: Entry): void {
  trx.send(inserted.sql, inserted.values(rowOf(trx, entry)));
}

export async function recordAll(trx: Transaction, entries: readonly Entry[]): Promise<void> {
  const rows = entries.map((entry) => cells.cells(rowOf(trx, entry)));
  await queryInSlices(trx, insertRows("history", cells, trx.dialect), rows);
}

function rowOf({ by }: Transaction, { now, changes, ...entry }: Entry) {
  return { ...entry, ...authorCells(by), created_at: now, changes: JSON.stringify(changes) };
}

/**
 * SQL: queues the removal of the texts of removed events, whose ids and accounts a query returns. The entries stay, with author
 * and time.
 */
export const forgetSql = (those: string): string =>
  `insert into forgotten_events (event_id, account_id) ${those} on conflict (event_id) do nothing`;

/** Queues the removal of the texts that the history has of an event that is removed for good. */
export async function forgetChanges(
  trx: Transaction,
  { id, account_id }: Pick<EventRow, "id" | "account_id">,
): Promise<void> {
  await forgetEvents(trx, [{ event_id: id, account_id }]);
}

/** An event that was removed for good, whose texts are in the history. */
export interface Forgotten {
  readonly event_id: number;
  readonly account_id: number;
}

/** Queues the removal of the texts of several events. */
export async function forgetEvents(trx: Db, rows: readonly Forgotten[]): Promise<void> {
  const those = rows.map(({ event_id, account_id }) => ({ event_id, account_id }));
  if (those.length > 0) await trx("forgotten_events").insert(those).onConflict("event_id").ignore();
}

/** Returns how an author is stored; undefined is a job of the service. */
export function authorCells(
  by: Author | undefined,
): Pick<HistoryRow, "author" | "author_id" | "operation" | "quiet" | "note"> {
  const { kind = "service", id = 0, operation = "", isQuiet = false, note = "" } = by ?? {};
  return { author: kind, author_id: id, operation, quiet: isQuiet ? 1 : 0, note };
}

/** Most entries that one transaction removes, and their bytes: few enough that other writers hardly wait. */
const [batchSize, batchBytes] = [500, 4 * 1024 * 1024];

/** SQL: the bytes of an entry; 256 stand for the row without its texts. */
export const sizeSql = "octet_length(changes) + 256";

export type Sized = Pick<HistoryRow, "id" | "created_at"> & { readonly size: number };

/** Returns the oldest entries that match `where`, as many as one transaction removes. */
export async function oldestEntries(
  db: Db,
  where: (entries: Knex.QueryBuilder<HistoryRow>) => unknown = () => undefined,
): Promise<readonly Sized[]> {
  const query = db<HistoryRow>("history").orderBy("id").limit(batchSize);
  void where(query);
  const oldest = await query.select<Sized[]>("id", "created_at", db.raw(`${sizeSql} as size`));
  let bytes = 0;
  const end = oldest.findIndex(({ size }, index) => (bytes += size) > batchBytes && index > 0);
  return end === -1 ? oldest : oldest.slice(0, end);
}
