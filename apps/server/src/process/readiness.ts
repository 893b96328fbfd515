import type { Logger } from "pino";
import type { Database } from "../db/open-database.js";
import { postgresAdvice } from "../db/postgres/advice.js";
import { describeFailure } from "../http/failure-log.js";

/** How long the database may take to show that it is there, in ms. */
const readyLimitMs = 500;

/**
 * Returns a check whether the database answers in time and takes writes. Logs the first failure and the end of failures; a late
 * answer is not logged, because a busy machine has them too.
 */
export function watchReadiness(db: Database, log: Logger): () => Promise<boolean> {
  let isFailing = false;
  const check = async (): Promise<boolean> => {
    try {
      await db.ping();
      if (isFailing) log.info("ready again");
      isFailing = false;
    } catch (error) {
      const reason = error instanceof Error ? postgresAdvice(error) : undefined;
      if (!isFailing) log.warn({ err: describeFailure(error), reason }, "not ready: the database fails");
      isFailing = true;
    }
    return !isFailing;
  };
  return async () => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), readyLimitMs);
    });
    const isReady = await Promise.race([check(), late]);
    clearTimeout(timer);
    return isReady;
  };
}
