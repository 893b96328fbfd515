import type { Database } from "../db/database.js";
import { forgetChallenges } from "./passkey-queries.js";
import { forgetEndedLinks } from "./queries.js";
import { forgetEndedSessions } from "./session-queries.js";

/** Removes the sessions, the links and the challenges of passkeys that have ended at `now`, in Unix seconds. */
export async function forgetEnded(db: Database, now: number): Promise<void> {
  await db.transaction(async (trx) => {
    await forgetEndedSessions(trx, now);
    await forgetEndedLinks(trx, now);
    await forgetChallenges(trx, now);
  });
}
