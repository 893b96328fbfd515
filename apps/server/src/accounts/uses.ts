import type { Database } from "../db/database.js";
import { type UsedTable, writeUses } from "./queries.js";

/** Collects in memory when tokens, or sessions, were used, so that no request waits for a write. */
export interface Uses {
  /** Records a use at `now` (Unix seconds), unless one of the last hour is stored. */
  record(used: { readonly id: number; readonly lastUsedAt: number | null }, now: number): void;
  /** Writes the recorded uses in one transaction. If it fails, the next call writes them. */
  flush(): Promise<void>;
}

/** The last use of a token is written at most once in this time. */
const writeIntervalSeconds = 3_600;

/** Uses in memory at most; a token whose use is dropped is recorded again when it is used next. */
const capacity = 10_000;

export function createUses(db: Database, table: UsedTable): Uses {
  let uses = new Map<number, number>();
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    if (uses.size === 0) return;
    const batch = uses;
    uses = new Map();
    try {
      await db.transaction((trx) => writeUses(trx, table, batch, writeIntervalSeconds));
    } catch (error) {
      uses = new Map([...batch, ...uses]);
      throw error;
    }
  };

  return {
    record({ id, lastUsedAt }, now) {
      if (lastUsedAt !== null && now - lastUsedAt < writeIntervalSeconds) return;
      if (uses.size < capacity) uses.set(id, now);
    },
    flush() {
      writing = writing.catch(() => undefined).then(write);
      return writing;
    },
  };
}
