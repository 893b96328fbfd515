import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "../db/open-database.js";
import { postgresAdvice } from "../db/postgres/advice.js";
import { describeFailure } from "../background/failure-log.js";

/** Least interval of checks, in ms, since a check writes and anyone may request one. */
const everyMs = 1_000;

/** How long a request waits for a check, in ms. A write may take longer; then the previous result is returned. */
const patienceMs = 500;

/** Time limit of a check, in ms: a write waits at most 5 s for another process. */
const longestMs = 7_000;

/**
 * Returns a check whether the database can be read and written. Logs the first failure and the recovery; a late result is not
 * logged, because a busy machine has them too.
 */
export function watchReadiness(db: Database, log: Logger): () => Promise<boolean> {
  let [isFailing, isChecking] = [false, false];
  let began = -Infinity;
  let ended = Promise.resolve();
  async function check(): Promise<void> {
    isChecking = true;
    began = performance.now();
    try {
      await db.ping();
      if (isFailing) log.info("ready again");
      isFailing = false;
    } catch (error) {
      const reason = error instanceof Error ? postgresAdvice(error) : undefined;
      if (!isFailing) log.warn({ err: describeFailure(error), reason }, "not ready: the database fails");
      isFailing = true;
    }
    isChecking = false;
  }
  return async () => {
    if (!isChecking && performance.now() - began > everyMs) ended = check();
    if (isChecking) await Promise.race([ended, delay(patienceMs, undefined, { ref: false })]);
    return !isFailing && !(isChecking && performance.now() - began > longestMs);
  };
}
