import { randomBytes } from "node:crypto";
import type { Database } from "../db/database.js";
import { findProperty, initProperty } from "../db/properties.js";

/** Name of the property with the secret that makes the ETags of feeds. */
const secretProperty = "feed_secret";

/**
 * Returns the secret of the feeds of a database. The first start makes it, and it stays, so that apps need not read every feed
 * again after a restart.
 */
export async function openFeedSecret(db: Database): Promise<string> {
  const known = await findProperty(db.read, secretProperty);
  if (known !== undefined) return known;
  return db.transaction(async (trx) => {
    const made = randomBytes(16).toString("base64url");
    await initProperty(trx, secretProperty, made);
    return (await findProperty(trx, secretProperty)) ?? made; // another server may have been first
  });
}
