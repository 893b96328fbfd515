import type { Author, Member } from "./batch.js";
import { rollbackFactor, Spending, type WriteBudget } from "./budget.js";
import type { Database, Db } from "./database.js";

type Attached = Pick<Member, "spending" | "by">;

/** Of transactions with Knex, whose batched queries each make a member. */
const attached = new WeakMap<Db, Attached>();

export function attachedTo(trx: Db): Attached {
  return attached.get(trx) ?? {};
}

/** What write transactions are begun with whose results are of one kind. */
interface Writes<T> extends Pick<Database, "dialect" | "read" | "list" | "staging"> {
  transaction<R extends T>(work: (trx: Db) => Promise<R>): Promise<R>;
  groupTransaction<R extends T>(work: (trx: Member) => Promise<R>): Promise<R>;
}

interface Options<T> {
  /** The account whose writes they are. */
  readonly owner?: number | undefined;
  readonly budget: WriteBudget;
  /** Who makes them. */
  readonly by?: Author | undefined;
  /** Receives the result before the commit; a throw rolls back. */
  readonly check?: (result: T) => void;
  /** Receives how long a transaction has held the only writer, in milliseconds, when that was longer than it may. */
  readonly overran?: (ms: number) => void;
}

/** Returns a database whose transactions keep to a budget, each to one of its own. */
export function withBudget<T>(db: Database, { owner, budget, by, check, overran }: Options<T>): Writes<T> {
  const hasOneWriter = db.dialect.lock("") === "";
  const mostMs = hasOneWriter ? rollbackFactor * budget.writerMs : Infinity; // a lock of a row delays few
  /** Runs a transaction, and in it `attach`, which returns whether it is alone. */
  async function bounded<Trx, R extends T>(
    begin: (run: (trx: Trx) => Promise<R>) => Promise<R>,
    attach: (trx: Trx, to: Attached) => boolean,
    work: (trx: Trx) => Promise<R>,
  ): Promise<R> {
    let alone: Spending | undefined;
    try {
      return await begin(async (trx) => {
        const spending = new Spending(budget, mostMs);
        alone = attach(trx, { spending, by }) ? spending : undefined;
        const result = await work(trx);
        check?.(result);
        spending.requireTime();
        return result;
      });
    } finally {
      if (alone !== undefined && hasOneWriter && alone.ms > budget.writerMs) overran?.(alone.ms);
    }
  }
  return {
    dialect: db.dialect,
    read: db.read,
    list: (owner, work) => db.list(owner, work),
    staging: (work) => db.staging(work), // counted when it is planned (imports/import-budget.ts)
    transaction: (work) => bounded((run) => db.transaction(run, owner), attachToKnex, work),
    groupTransaction: (work) => bounded((run) => db.groupTransaction(run, owner), attachToMember, work),
  };
}

/** Returns the whole database, all of whose transactions keep to a budget, whoever begins them: for what has one budget. */
export function boundedDatabase(db: Database, options: Options<unknown>): Database {
  const writes = withBudget(db, options);
  return {
    ...db,
    ...writes,
    staging: (work) => writes.groupTransaction(work),
    exclusively: () => Promise.reject(new Error("such a transaction has no budget")),
  };
}

/** Returns a database whose transactions with Knex have an author. */
export function writtenBy(db: Database, by: Author): Database {
  return {
    ...db,
    transaction: (work, owner) =>
      db.transaction((trx) => {
        attached.set(trx, { ...attachedTo(trx), by });
        return work(trx);
      }, owner),
  };
}

function attachToMember(trx: Member, { spending, by }: Attached): boolean {
  trx.spending = spending;
  trx.by = by;
  return trx.shared.isAlone;
}

/** What Knex reports of a query: what SQLite returns is in its context, what PostgreSQL returns in its response. */
interface Reported {
  readonly method?: string;
  readonly sql?: string;
  readonly bindings?: readonly unknown[];
  readonly context?: { readonly changes?: number };
  readonly response?: { readonly rowCount?: number; readonly length?: number };
}

/** Counts what Knex has written: what an update sets once for each row. Batched queries, which are raw ones to it, count themselves. */
function attachToKnex(trx: Db, own: Attached): boolean {
  attached.set(trx, own);
  const count = (_rows: unknown, { method, sql = "", bindings = [], context, response }: Reported): void => {
    if (method !== "insert" && method !== "update" && method !== "del") return;
    const rows = response?.rowCount ?? response?.length ?? context?.changes ?? 1;
    const [setPart = ""] = method === "update" ? sql.split(" where ", 1) : [];
    const set = setPart.match(/\?|\$\d+/g)?.length ?? 0;
    own.spending?.charge(rows, rows * bytesOf(bindings.slice(0, set)) + bytesOf(bindings.slice(set)));
  };
  trx.on("query-response", count);
  return true;
}

function bytesOf(bindings: readonly unknown[]): number {
  return bindings.reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? Buffer.byteLength(value) : 8),
    0,
  );
}
