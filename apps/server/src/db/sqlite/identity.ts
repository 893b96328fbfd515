import { lstatSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";

// Whether the path still leads to the open files. Writes to a deleted or replaced file succeed, and are lost.

/** The database was deleted, replaced or emptied, or its write-ahead log or shared memory deleted or replaced; a StorageFailure "storage_unavailable". */
export class FileLost extends Error {
  readonly code = "FILE_LOST";
}

export interface FileWatch {
  /** Compares the files with those seen first. @throws FileLost, from the first difference on */
  readonly check: () => void;
  /** Resolves at the first difference. */
  readonly lost: Promise<FileLost>;
  readonly stop: () => void;
}

const everyMs = 1_000;

/** SQLite deletes the last two only with its last connection. */
const suffixes = ["", "-wal", "-shm"] as const;

/** Watches the files of a database. The first `check` after they were opened remembers which they are. */
export function watchFiles(databasePath: string): FileWatch {
  const path = resolve(databasePath);
  let real: string | undefined; // where SQLite has the log and the shared memory
  const seen = new Map<string, Identity>();
  let failure: FileLost | undefined;
  let report: (failure: FileLost) => void = () => undefined;
  const lost = new Promise<FileLost>((done) => (report = done));

  function compare(file: string, now: Identity | undefined | "unknown"): void {
    if (now === "unknown") return;
    const change = changeOf(seen.get(file), now);
    if (change !== undefined) {
      failure = new FileLost(`${file} was ${change} while it was open.`);
      report(failure);
      throw failure;
    }
    if (now !== undefined) seen.set(file, now);
  }
  const check = (): void => {
    if (failure !== undefined) throw failure;
    real ??= realPathOf(path);
    if (real !== path) compare(path, identityOf(path, statSync)); // the link may lead to another file
    for (const suffix of suffixes) compare(`${real}${suffix}`, identityOf(`${real}${suffix}`, lstatSync));
  };
  const timer = setInterval(() => {
    try {
      if (seen.size > 0) check();
    } catch {
      clearInterval(timer); // `lost` reports it
    }
  }, everyMs);
  timer.unref();
  return { check, lost, stop: () => clearInterval(timer) };
}

interface Identity {
  /** Device and inode. */
  readonly file: string;
  readonly isEmpty: boolean;
}

function changeOf(before: Identity | undefined, now: Identity | undefined): string | undefined {
  if (before === undefined) return undefined;
  if (now === undefined) return "deleted";
  if (now.file !== before.file) return "replaced";
  return now.isEmpty && !before.isEmpty ? "emptied" : undefined;
}

/** Returns undefined when there is no such file; "unknown" when that cannot be found out. */
function identityOf(file: string, stat: typeof statSync): Identity | undefined | "unknown" {
  try {
    const found = stat(file, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    // A checkpoint may empty the log.
    return { file: `${found.dev}:${found.ino}`, isEmpty: found.size === 0 && !file.endsWith("-wal") };
  } catch {
    return "unknown";
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
