import { statSync } from "node:fs";
import { resolve } from "node:path";

// Whether the path still leads to the open files. Writes to a deleted or replaced file succeed, and are lost.

/** The database, its write-ahead log or its shared memory was deleted or replaced; a StorageFailure "storage_unavailable". */
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
  const seen = new Map<string, string>();
  let failure: FileLost | undefined;
  let report: (failure: FileLost) => void = () => undefined;
  const lost = new Promise<FileLost>((done) => {
    report = done;
  });

  function compare(file: string): void {
    const [before, now] = [seen.get(file), identityOf(file)];
    if (before === now || now === "unknown") return;
    if (before !== undefined) {
      const change = now === undefined ? "deleted" : "replaced";
      failure = new FileLost(`${file} was ${change} while it was open.`);
      report(failure);
      throw failure;
    }
    if (now !== undefined) seen.set(file, now);
  }
  const check = (): void => {
    if (failure !== undefined) throw failure;
    for (const suffix of suffixes) compare(`${path}${suffix}`);
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

/** Returns the device and inode of a file; undefined when there is none; "unknown" when that cannot be found out. */
function identityOf(file: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? undefined : `${found.dev}:${found.ino}`;
  } catch {
    return "unknown";
  }
}
