import type { ServerResponse } from "node:http";
import { type Database, type LookupDatabase, Overloaded } from "../db/database.js";
import { perDatabase } from "../db/lookup.js";
import { createTurns, type Turns } from "../db/turns.js";
import { budgets } from "../http/limits.js";

// Public addresses need no token, so what they cost is bounded by the account whose calendar they show.

/** Of one account; one more is refused at once. */
const mostWaitingOfOne = 100;

/** A reader who is to come again hears of it soon. */
export const patienceMs = 1_500;

/** Bytes of pages that their readers have not taken yet, of one account and of all: they stay in memory. */
const mostUnread = { ofOne: 16_000_000, ofAll: 64_000_000 } as const;

interface PublicWork {
  readonly turns: Turns;
  /** Bytes not taken yet, by account. */
  readonly unread: Map<number, number>;
}

const workOf = perDatabase<PublicWork>(() => ({ turns: createPublicTurns(), unread: new Map() }));

/** Returns turns by account for public work that waits for something of its own. */
export function createPublicTurns(): Turns {
  const { ofOne: mostOfOne, ofAll: most } = budgets.page.atOnce;
  return createTurns({ most, mostOfOne, mostWaitingOfOne, patienceMs });
}

/**
 * Returns the owner of what public addresses of an account read. It waits for none of the account's own lists: it has one of the
 * few places of all accounts meanwhile.
 */
export const publicOf = (accountId: number): string => `public ${accountId}`;

/** Makes what is kept for others, such as a feed, when it is the account's turn. @throws Overloaded when too much of it waits */
export function inTurn<T>(db: LookupDatabase, accountId: number, make: () => Promise<T>): Promise<T> {
  return workOf(db).turns.run(accountId, make);
}

/**
 * Makes and sends a page when it is the account's turn. A reader that is slow to take it keeps no place.
 * @throws Overloaded when too much of the account waits, to be made or to be read
 */
export async function sendInTurn(
  db: Database,
  res: ServerResponse,
  accountId: number,
  send: () => Promise<void>,
): Promise<void> {
  const { turns, unread } = workOf(db);
  const total = [...unread.values()].reduce((sum, bytes) => sum + bytes, 0);
  if (total > mostUnread.ofAll || (unread.get(accountId) ?? 0) > mostUnread.ofOne)
    throw new Overloaded("too many pages of one owner are not read");
  await turns.run(accountId, send);
  const left = res.writableLength;
  if (left === 0 || res.destroyed) return;
  const add = (bytes: number): void => {
    const sum = (unread.get(accountId) ?? 0) + bytes;
    if (sum === 0) unread.delete(accountId);
    else unread.set(accountId, sum);
  };
  add(left);
  res.once("close", () => add(-left));
}
