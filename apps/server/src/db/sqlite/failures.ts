import { statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { StorageFailure } from "../database.js";
import { codeOf } from "../error-code.js";
import { openFilesFailure } from "../open-files.js";

export function sqliteFailure(error: Error): StorageFailure | undefined {
  switch (codeOf(error)) {
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
      return "storage_unavailable";
    default:
      return undefined;
  }
}

// SQLite reports "disk I/O error" and "unable to open database file" for many causes. Two of them can be detected.

/** Less than SQLite needs to open a database: its shared memory alone takes 32 KiB. */
const leastBytes = 65_536;

/** Reports whether a file in `folder` could not be written because the disk is full. */
export function isDiskFull(error: unknown, folder: string): boolean {
  const code = codeOf(error);
  if (code === "ENOSPC" || code === "SQLITE_FULL") return true;
  return code === "SQLITE_IOERR" || code === "SQLITE_CANTOPEN" ? freeBytes(folder) < leastBytes : false;
}

/** Returns an error with the code ENOSPC or EMFILE if that is why a database could not be opened, or the error itself. */
export function withCause(error: unknown, databasePath: string): unknown {
  const folder = dirname(resolve(databasePath));
  if (isDiskFull(error, folder))
    return Object.assign(new Error(`No space is left in ${folder}.`, { cause: error }), { code: "ENOSPC" });
  if (codeOf(error) !== "SQLITE_IOERR" && codeOf(error) !== "SQLITE_CANTOPEN") return error;
  return openFilesFailure() ?? error;
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}
