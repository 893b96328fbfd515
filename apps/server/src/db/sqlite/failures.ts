import type { StorageFailure } from "../database.js";

/** What a failure of SQLite means to a caller; undefined for anything else. */
export function sqliteFailure(error: Error): StorageFailure | undefined {
  switch ("code" in error ? error.code : undefined) {
    case "SQLITE_BUSY":
    case "SQLITE_LOCKED":
      return "overloaded";
    case "SQLITE_FULL":
      return "storage_full";
    case "SQLITE_READONLY":
    case "SQLITE_CANTOPEN":
    case "SQLITE_IOERR":
    case "SQLITE_CORRUPT":
    case "SQLITE_NOTADB":
    case "FILE_LOST":
      return "storage_unavailable";
    default:
      return undefined;
  }
}
