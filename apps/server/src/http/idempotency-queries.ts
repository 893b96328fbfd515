import type { Knex } from "knex";
import { overItems } from "../background/failures.js";
import { insertRow } from "../db/columns.js";
import type { Transaction } from "../db/transaction.js";
import type { Database, Db } from "../db/database.js";
import type { IdempotencyKeyRow } from "../db/rows.js";

type Name = Pick<IdempotencyKeyRow, "account_id" | "key">;

/** How long an answer is kept, in seconds (extensions X2.1). */
export const keptSeconds = 24 * 3600;

/** How many answers an account keeps; the oldest go first. */
export const mostKept = 10_000;

/**
 * Takes a key until the transaction ends. False when a transaction of another connection has it. Always true where one transaction
 * writes at a time.
 */
export async function takeKey({ query, dialect }: Transaction, { account_id, key }: Name): Promise<boolean> {
  if (dialect.name === "sqlite") return true;
  const sql = `select 1 where ${dialect.tryLock("cast($1 as text)")}`;
  return (await query(sql, [`${account_id} ${key}`])).length > 0;
}

export async function findKey(
  trx: Transaction,
  { account_id, key }: Name,
): Promise<IdempotencyKeyRow | undefined> {
  const sql = "select * from idempotency_keys where account_id = $1 and key = $2";
  const [row] = await trx.query<IdempotencyKeyRow>(sql, [account_id, key]);
  return row;
}

const keySql = insertRow("idempotency_keys", [
  "account_id",
  "key",
  "operation",
  "parameters_hash",
  "calendar_id",
  "event_id",
  "subscriber_id",
  "person_id",
  "body",
  "created_at",
]);
const keepSql = `${keySql.sql} on conflict (account_id, key) do update set operation = excluded.operation,
  parameters_hash = excluded.parameters_hash, calendar_id = excluded.calendar_id, event_id = excluded.event_id,
  subscriber_id = excluded.subscriber_id, person_id = excluded.person_id, body = excluded.body, created_at = excluded.created_at`;

/** Keeps an answer; one that has expired under the same key is replaced. */
export function keepAnswer(trx: Transaction, row: IdempotencyKeyRow): void {
  trx.send(keepSql, keySql.values({ ...row }));
}

/** How many kept answers were removed, by the reason. */
export interface PurgedKeys {
  expired: number;
  /** Beyond those that one account may keep. */
  limit: number;
}

/** Removes the answers that have expired, in batches, and of each account those beyond `most`. Adds up in `purged`; returns how many. */
export async function purgeKeys(
  db: Database,
  now: number,
  isStopping: () => boolean = () => false,
  { batch = 1_000, most = mostKept, purged = { expired: 0, limit: 0 } } = {},
): Promise<number> {
  const remove = async (reason: keyof PurgedKeys, some: (trx: Db) => Knex.QueryBuilder, limit: number) => {
    for (let left = limit; left > 0 && !isStopping();) {
      const size = Math.min(batch, left);
      const removed = await db.transaction((trx) =>
        keys(trx).whereIn(["account_id", "key"], some(trx).limit(size).select("account_id", "key")).delete(),
      );
      purged[reason] += removed;
      left = removed < size ? 0 : left - removed;
    }
  };
  const oldestFirst = (trx: Db) => keys(trx).orderBy("created_at");
  const before = purged.expired + purged.limit;
  await remove("expired", (trx) => oldestFirst(trx).where("created_at", "<=", now - keptSeconds), Infinity);
  await overItems(async (doItem) => {
    for (const { account_id, total } of await keysOfAccounts(db))
      await doItem(account_id, () =>
        remove("limit", (trx) => oldestFirst(trx).where({ account_id }), total - most),
      );
  });
  return purged.expired + purged.limit - before;
}

export async function deleteKeysOf(trx: Db, accountId: number): Promise<void> {
  await keys(trx).where({ account_id: accountId }).delete();
}

const keys = (db: Db) => db<IdempotencyKeyRow>("idempotency_keys");

function keysOfAccounts({ read }: Database): Promise<readonly { account_id: number; total: number }[]> {
  return keys(read).groupBy("account_id").select("account_id").count({ total: "*" });
}
