import { createHash } from "node:crypto";
import { ApiError } from "./errors.js";
import { type RepeatableWrite, Replay, type RunOnce } from "./repeatable.js";
import { findKey, keepAnswer, keptSeconds, takeKey } from "./idempotency-queries.js";

export interface KeyUses {
  stored: number;
  replayed: number;
  reused: number;
  in_progress: number;
}

/** Returns what runs a write once for its key, and counts what comes of it. */
export function createRunOnce(
  uses: KeyUses = { stored: 0, replayed: 0, reused: 0, in_progress: 0 },
): RunOnce {
  return async (trx, write, work) => {
    const { accountId: account_id, key, operation, now } = write;
    const name = { account_id, key };
    if (!(await takeKey(trx, name))) {
      uses.in_progress++;
      throw new ApiError("idempotency_in_progress");
    }
    const parameters_hash = hashOf(write);
    const kept = await findKey(trx, name);
    if (kept !== undefined && kept.created_at > now - keptSeconds) {
      const isSame = kept.operation === operation && kept.parameters_hash === parameters_hash;
      uses[isSame ? "replayed" : "reused"]++;
      throw isSame ? new Replay(kept.body) : new ApiError("idempotency_key_reused");
    }
    const payload = await work();
    keepAnswer(trx, {
      ...name,
      operation,
      parameters_hash,
      ...write.about(),
      body: write.print(payload),
      created_at: now,
    });
    trx.afterCommit.add(() => uses.stored++);
    return payload;
  };
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
