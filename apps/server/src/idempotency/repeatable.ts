import { createHash } from "node:crypto";
import type { Transaction } from "../db/transaction.js";
import { ApiError } from "../http/errors.js";
import type { WriteDatabase } from "../http/handler.js";
import { type MakeRepeatable, type RepeatableWrite, Replay } from "../http/repeatable.js";
import { findKey, keepAnswer, keptSeconds, takeKey } from "./queries.js";

/** A write with its key. */
interface KeyedWrite extends RepeatableWrite {
  readonly accountId: number;
  readonly key: string;
  readonly print: (payload: object) => string;
}

export interface KeyUses {
  stored: number;
  replayed: number;
  reused: number;
  in_progress: number;
}

/** Returns what makes writes repeatable by their keys, and counts them. */
export function createRepeatable(
  uses: KeyUses = { stored: 0, replayed: 0, reused: 0, in_progress: 0 },
): MakeRepeatable {
  return (db, { key, accountId, ...rest }, print) => {
    if (key === undefined || accountId === undefined) return db;
    const write = { ...rest, key, accountId, print };
    const once: WriteDatabase<object> = {
      ...db,
      transaction: (work) =>
        counted(
          uses,
          db.transaction((trx) => onlyOnce(trx, write, () => work(trx))),
        ),
    };
    return once;
  };
}

/** Counts a write when its transaction has ended: it may be tried more than once. */
async function counted(uses: KeyUses, written: Promise<object>): Promise<object> {
  try {
    const payload = await written;
    uses.stored++;
    return payload;
  } catch (error) {
    countFailure(uses, error);
    throw error;
  }
}

function countFailure(uses: KeyUses, error: unknown): void {
  if (error instanceof Replay) uses.replayed++;
  else if (error instanceof ApiError && error.code === "idempotency_key_reused") uses.reused++;
  else if (error instanceof ApiError && error.code === "idempotency_in_progress") uses.in_progress++;
}

async function onlyOnce(trx: Transaction, write: KeyedWrite, work: () => Promise<object>): Promise<object> {
  const { accountId: account_id, key, operation, now } = write;
  const name = { account_id, key };
  if (!(await takeKey(trx, name))) throw new ApiError("idempotency_in_progress");
  await requireUnused(trx, write);
  const payload = await work();
  const parameters_hash = hashOf(write);
  await keepAnswer(trx, { ...name, operation, parameters_hash, body: write.print(payload), created_at: now });
  return payload;
}

/** @throws Replay with the answer that is kept under the key, or ApiError when that is another request's */
async function requireUnused(trx: Transaction, write: KeyedWrite): Promise<void> {
  const { accountId: account_id, key, operation, now } = write;
  const kept = await findKey(trx, { account_id, key });
  if (kept === undefined || kept.created_at <= now - keptSeconds) return;
  const isSame = kept.operation === operation && kept.parameters_hash === hashOf(write);
  throw isSame ? new Replay(kept.body) : new ApiError("idempotency_key_reused");
}

/**
 * SHA-256 of the parameters in the order of their names, and of the header If-Match (rulings R6.4). Of a file its own hash: to print
 * 10 MB as JSON takes long.
 */
function hashOf({ params, ifMatch }: Pick<RepeatableWrite, "params" | "ifMatch">): string {
  const sorted = Object.entries(params).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const short = sorted.map(([name, value]) => [name, value.length > longest ? sha256(value) : value]);
  if (ifMatch !== undefined) short.push(["If-Match", ifMatch.trim()]);
  return sha256(JSON.stringify(short));
}

/** More than the longest parameter that is no file, in UTF-16 units. */
const longest = 1_048_576;

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
