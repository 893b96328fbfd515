import { randomBytes } from "node:crypto";
import type { Database } from "../db/database.js";
import { findFeedSecret, storeFeedSecret } from "./queries.js";

/**
 * Returns the secret of the feeds of a database. The first start makes it, and it stays, so that apps need not read every feed
 * again after a restart.
 */
export async function openFeedSecret(db: Database): Promise<string> {
  const known = await findFeedSecret(db.read);
  if (known !== undefined) return known;
  return db.transaction(async (trx) => {
    const made = randomBytes(16).toString("base64url");
    await storeFeedSecret(trx, made);
    return (await findFeedSecret(trx)) ?? made; // another server may have been first
  });
}
