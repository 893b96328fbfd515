import { Overloaded, type StorageFailure } from "./database.js";
import { postgresFailure } from "./postgres/failures.js";
import { sqliteFailure } from "./sqlite/failures.js";

/** Returns what a storage failure means to a caller; undefined for anything else. */
export function storageFailure(error: unknown): StorageFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === "KnexTimeoutError" || error instanceof Overloaded) return "overloaded";
  return sqliteFailure(error) ?? postgresFailure(error);
}
