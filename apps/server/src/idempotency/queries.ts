import type { Knex } from "knex";
import { overItems } from "../background/failures.js";
import { batched, batchedWrite } from "../db/transaction.js";
import type { Database, Db } from "../db/database.js";
import type { IdempotencyKeyRow } from "../db/rows.js";

type Name = Pick<IdempotencyKeyRow, "account_id" | "key">;

/** How long an answer is kept, in seconds (extensions X2.1). */
export const keptSeconds = 24 * 3600;

/** How many answers an account keeps; the oldest go first. */
export const mostKept = 10_000;

const names = (inputs: readonly Name[]) => inputs.map(({ account_id, key }) => [account_id, key]);

const target = (items: string): string =>
  `(select cast(value ->> 0 as bigint) as account_id, value ->> 1 as key from ${items}($1)) as target`;

/**
 * Takes a key until the transaction ends. False when a transaction of another connection has it. Always true where one transaction
 * writes at a time.
 */
export const takeKey = batched<Name, Name & { readonly taken: number }, boolean>({
  name: "take idempotency keys",
  writes: false,
  rows: names,
  sql: ({ items, tryLock }) =>
    `select account_id, key, case when ${tryLock("account_id || ' ' || key")} then 1 else 0 end as taken
     from ${target(items)}`,
  results: (inputs, rows) => {
    const taken = new Set(rows.filter((row) => row.taken === 1).map(nameOf));
    return inputs.map((input) => taken.has(nameOf(input)));
  },
});

export const findKey = batched<Name, IdempotencyKeyRow, IdempotencyKeyRow | undefined>({
  name: "find idempotency keys",
  writes: false,
  rows: names,
  sql: ({ items }) =>
    `select k.* from ${target(items)} join idempotency_keys as k
     on k.account_id = target.account_id and k.key = target.key`,
  results: (inputs, rows) => {
    const found = new Map(rows.map((row) => [nameOf(row), row]));
    return inputs.map((input) => found.get(nameOf(input)));
  },
});

/** Keeps an answer; one that has expired under the same key is replaced. */
export const keepAnswer = batchedWrite<IdempotencyKeyRow>({
  name: "keep answers",
  rows: (inputs) =>
    inputs.map((row) => [
      row.account_id,
      row.key,
      row.operation,
      row.parameters_hash,
      row.body,
      row.created_at,
    ]),
  sql: ({ items }) =>
    `insert into idempotency_keys (account_id, key, operation, parameters_hash, body, created_at)
     select cast(value ->> 0 as bigint), value ->> 1, value ->> 2, value ->> 3, value ->> 4, cast(value ->> 5 as bigint)
     from ${items}($1) where true
     on conflict (account_id, key) do update set operation = excluded.operation,
       parameters_hash = excluded.parameters_hash, body = excluded.body, created_at = excluded.created_at`,
});

function nameOf({ account_id, key }: Name): string {
  return `${account_id} ${key}`;
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
