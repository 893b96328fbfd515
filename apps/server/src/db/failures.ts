import { Overloaded, type StorageFailure } from "./database.js";
import { postgresFailure } from "./postgres/failures.js";
import { sqliteFailure } from "./sqlite/failures.js";

/** Returns what a storage failure means to a caller; undefined for anything else. */
export function storageFailure(error: unknown): StorageFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === noConnection || error instanceof Overloaded) return "overloaded";
  return sqliteFailure(error) ?? postgresFailure(error);
}

/** Whether a connection could not be made in time: the server may be busy, stopped for a moment, or out of reach. */
export function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === noConnection || ("code" in error && error.code === "ETIMEDOUT");
}

const noConnection = "KnexTimeoutError";
