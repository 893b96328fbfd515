import type { Author } from "../db/author.js";
import { queryInSlices, type Transaction } from "../db/transaction.js";
import { columnsExcept, historyColumns, insertRow, insertRows, rowArray } from "../db/columns.js";
import type { Db } from "../db/database.js";
import type { EventRow, HistoryRow } from "../db/rows.js";
import type { Difference } from "./differences.js";

// The history: an entry is stored in the transaction of the write that it is about (extensions X9.4).

export interface Entry extends Pick<HistoryRow, "account_id" | "calendar_id" | "event_id" | "action"> {
  readonly changes: Readonly<Record<string, Difference>>;
  /** Unix seconds. */
  readonly now: number;
}

const columns = columnsExcept(historyColumns, "id");
const inserted = insertRow("history", columns);
const cells = rowArray(historyColumns, columns);

/** Adds an entry to the history: by whom, the transaction says. */
export async function record(trx: Transaction, entry: Entry): Promise<void> {
  await trx.query(inserted.sql, inserted.values(rowOf(trx, entry)));
}

/** Adds entries to the history. */
export async function recordAll(trx: Transaction, entries: readonly Entry[]): Promise<void> {
  const rows = entries.map((entry) => cells.cells(rowOf(trx, entry)));
  await queryInSlices(trx, insertRows("history", cells, trx.dialect), rows);
}

function rowOf({ by }: Transaction, { now, changes, ...entry }: Entry) {
  return { ...entry, ...authorCells(by), created_at: now, changes: JSON.stringify(changes) };
}

/** SQL: has a job remove the texts of removed events, whose ids and accounts a query returns; who has changed them and when stays. */
export const forgetSql = (those: string): string =>
  `insert into forgotten_events (event_id, account_id) ${those} on conflict (event_id) do nothing`;

/** Has a job remove what the history has of the texts of an event that is removed for good. */
export async function forgetChanges(
  trx: Transaction,
  { id, account_id }: Pick<EventRow, "id" | "account_id">,
): Promise<void> {
  await forgetEvents(trx, [{ event_id: id, account_id }]);
}

/** An event that was removed for good, of whose texts the history has some. */
export interface Forgotten {
  readonly event_id: number;
  readonly account_id: number;
}

/** The same of several. */
export async function forgetEvents(trx: Db, rows: readonly Forgotten[]): Promise<void> {
  const those = rows.map(({ event_id, account_id }) => ({ event_id, account_id }));
  if (those.length > 0) await trx("forgotten_events").insert(those).onConflict("event_id").ignore();
}

/** Returns how an author is stored; undefined is a job of the service. */
export function authorCells(by: Author | undefined): Pick<HistoryRow, "author" | "author_id" | "operation"> {
  return { author: by?.kind ?? "service", author_id: by?.id ?? 0, operation: by?.operation ?? "" };
}
