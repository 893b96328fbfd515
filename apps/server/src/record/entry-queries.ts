import { type Author, batched, type Member } from "../db/batch.js";
import { columnsExcept, historyColumns, insertRows, rowArray } from "../db/columns.js";
import type { EventRow, HistoryRow } from "../db/rows.js";
import type { Difference } from "./differences.js";

// The history: an entry is stored in the transaction of the write that it is about (extensions X9.4).

/** What a write does to an event, or to a calendar. */
export interface Entry extends Pick<HistoryRow, "account_id" | "calendar_id" | "event_id" | "action"> {
  readonly changes: Readonly<Record<string, Difference>>;
  /** Unix seconds. */
  readonly now: number;
}

/** Adds an entry to the history: by whom, the transaction says. */
export function record(trx: Member, entry: Entry): Promise<void> {
  return insertEntry(trx, { entry, by: trx.by });
}

/** SQL: the entries of events, whose ids and accounts the array begins with. The history of an account is read once for all of them. */
const ofEvents = (items: string): string =>
  `account_id in (select cast(value ->> 1 as bigint) from ${items}($1))
    and event_id in (select cast(value ->> 0 as bigint) from ${items}($1))`;

/** Forgets what an event was that is removed for good; who has changed it and when stays. */
export const forgetChanges = batched<Pick<EventRow, "id" | "account_id">, never, void>({
  name: "forget history",
  writes: true,
  rows: (events) => events.map(({ id, account_id }) => [id, account_id]),
  copies: () => 0,
  sql: ({ items }) => `update history set changes = '{}' where ${ofEvents(items)} and changes <> '{}'`,
  results: (events) => events.map(() => undefined),
});

/** Returns how an author is stored; undefined is a job of the service. */
export function authorCells(by: Author | undefined): Pick<HistoryRow, "author" | "author_id" | "operation"> {
  return { author: by?.kind ?? "service", author_id: by?.id ?? 0, operation: by?.operation ?? "" };
}

const cells = rowArray(historyColumns, columnsExcept(historyColumns, "id"));

/** In the order of the columns. */
const insertEntry = batched<{ readonly entry: Entry; readonly by: Author | undefined }, never, void>({
  name: "insert history",
  writes: true,
  rows: (entries) =>
    entries.map(({ entry: { account_id, calendar_id, event_id, now, action, changes }, by }) => {
      const { author, author_id, operation } = authorCells(by);
      return [account_id, calendar_id, event_id, now, author_id, author, operation, action, changes];
    }),
  copies: () => 0, // one for each event, whose own rows and texts are counted
  sql: (dialect) => insertRows("history", cells, dialect),
  results: (entries) => entries.map(() => undefined),
});
