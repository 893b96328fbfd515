import type { Knex } from "knex";
import { Spending, type WriteBudget } from "./budget.js";
import type { Member } from "./batch.js";
import type { Database, Db } from "./database.js";

/** Of transactions with Knex, whose batched queries each make a member. */
const spendings = new WeakMap<Db, Spending>();

export function spendingOf(trx: Db): Spending | undefined {
  return spendings.get(trx);
}

/** What write transactions of one result are begun with. */
interface Writes<T> extends Pick<Database, "dialect" | "read" | "staging"> {
  transaction(work: (trx: Db) => Promise<T>): Promise<T>;
  groupTransaction(work: (trx: Member) => Promise<T>): Promise<T>;
}

interface Options<T> {
  readonly budget: WriteBudget;
  /** Receives the result before the commit; a throw rolls back. */
  readonly check?: (result: T) => void;
  /** Receives how long a transaction has held the only writer, in milliseconds, when that was longer than it may. */
  readonly overran?: (ms: number) => void;
}

interface Spent<T> {
  readonly result: T;
  readonly spending: Spending;
}

/** Returns a database whose transactions keep to a budget, each to one of its own. */
export function withBudget<T>(db: Database, { budget, check, overran }: Options<T>): Writes<T> {
  const hasOneWriter = db.dialect.lock("") === "";
  const timed = hasOneWriter ? budget : { ...budget, mostMs: Infinity }; // a lock of a row delays few
  /** Runs the work of a transaction; returns what it is and what it has cost. */
  async function run(spending: Spending, work: () => Promise<T>): Promise<Spent<T>> {
    const result = await work();
    check?.(result);
    spending.requireTime();
    return { result, spending };
  }
  function note({ ms }: Spending): void {
    if (hasOneWriter && ms > budget.writerMs) overran?.(ms);
  }
  return {
    dialect: db.dialect,
    read: db.read,
    staging: (work) => db.staging(work), // counted when it is planned (imports/budget.ts)
    transaction: async (work) => {
      const { result, spending } = await db.transaction((trx) => {
        const spending = new Spending(timed);
        spendings.set(trx, spending);
        countStatements(trx, spending);
        return run(spending, () => work(trx));
      });
      note(spending);
      return result;
    },
    groupTransaction: async (work) => {
      let isAlone = false;
      const { result, spending } = await db.groupTransaction((trx) => {
        const spending = new Spending(timed);
        trx.spending = spending;
        ({ isAlone } = trx.shared);
        return run(spending, () => work(trx));
      });
      if (isAlone) note(spending);
      return result;
    },
  };
}

/** Counts what Knex writes. Batched queries, which are raw ones to it, count themselves. */
function countStatements(trx: Knex, spending: Spending): void {
  trx.on(
    "query",
    ({ method, bindings }: { readonly method?: string; readonly bindings?: readonly unknown[] }) => {
      if (method !== "insert" && method !== "update" && method !== "del") return;
      const texts = (bindings ?? []).map((value) => (typeof value === "string" ? value.length : 8));
      spending.charge(
        1,
        texts.reduce((sum, length) => sum + length, 0),
      );
    },
  );
}
