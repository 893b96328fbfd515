import { type Author, batchedWrite, type Transaction } from "../db/transaction.js";
import { columnsExcept, historyColumns, insertRows, rowArray } from "../db/columns.js";
import type { Db } from "../db/database.js";
import type { EventRow, HistoryRow } from "../db/rows.js";
import type { Difference } from "./differences.js";

// The history: an entry is stored in the transaction of the write that it is about (extensions X9.4).

export interface Entry extends Pick<HistoryRow, "account_id" | "calendar_id" | "event_id" | "action"> {
  readonly changes: Readonly<Record<string, Difference>>;
  /** Unix seconds. */
  readonly now: number;
}

/** Adds an entry to the history: by whom, the transaction says. */
export function record(trx: Transaction, entry: Entry): Promise<void> {
  return recordAll(trx, [entry]);
}

/** Adds entries to the history. */
export async function recordAll(trx: Transaction, entries: readonly Entry[]): Promise<void> {
  const author = authorCells(trx.by);
  // In the order of the columns: to SQL an object is its JSON.
  const rows = entries.map((entry) => [
    entry.account_id,
    entry.calendar_id,
    entry.event_id,
    entry.now,
    author.author_id,
    author.author,
    author.operation,
    entry.action,
    entry.changes,
  ]);
  await trx.query(insertRows("history", cells, trx.dialect), [JSON.stringify(rows)]);
}

/** SQL: has a job remove the texts of removed events, whose ids and accounts a query returns; who has changed them and when stays. */
export const forgetSql = (those: string): string =>
  `insert into forgotten_events (event_id, account_id) ${those} on conflict (event_id) do nothing`;

/** Has a job remove what the history has of the texts of an event that is removed for good. */
export const forgetChanges = batchedWrite<Pick<EventRow, "id" | "account_id">>({
  name: "forget history",
  rows: (events) => events.map(({ id, account_id }) => [id, account_id]),
  sql: ({ items }) =>
    forgetSql(`select cast(value ->> 0 as bigint), cast(value ->> 1 as bigint) from ${items}($1) where true`),
});

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

const cells = rowArray(historyColumns, columnsExcept(historyColumns, "id"));
