import type { Database } from "../db/database.js";
import { findProperty, setProperty } from "../db/properties.js";

/** Name of the property with the time of the last start, in Unix seconds. */
const startProperty = "started_at";

/** How far a clock may be before the last start, or after it, in seconds: clocks of servers differ, and a service may rest for long. */
const [mostBefore, mostAfter] = [300, 2 * 366 * 86_400];

/** Returns how the clock differs from the last start, in words; undefined when it may be right. `now` is in Unix seconds. */
export async function clockFault(db: Pick<Database, "read">, now: number): Promise<string | undefined> {
  const last = Number((await findProperty(db.read, startProperty)) ?? now);
  if (last - mostBefore <= now && now <= last + mostAfter) return undefined;
  const [here, before] = [now, last].map((seconds) => new Date(seconds * 1000).toISOString());
  return `it is ${here}, but the last start was at ${before}: check the clock of this machine`;
}

export async function noteStart(db: Pick<Database, "transaction">, now: number): Promise<void> {
  await db.transaction((trx) => setProperty(trx, startProperty, String(now)));
}
