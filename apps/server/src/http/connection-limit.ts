import { readFileSync } from "node:fs";
import type { Logger } from "pino";

/** Kept free for the database's files and connections, in file descriptors. */
const reserved = 128;

/** Without a limit of descriptors that can be read, and at most by itself. */
const unknownLimit = 1_000;
const mostByItself = 16_384;

/**
 * How many connections this process may keep open, below its limit of open files: past that one, SQLite could not open its own.
 * @param setting MAX_CONNECTIONS
 */
export function connectionLimit(setting: number | "auto", log: Logger): number {
  const files = openFileLimit();
  const most = files === undefined ? undefined : Math.max(files - reserved, Math.floor(files / 2));
  if (setting === "auto") return Math.min(most ?? unknownLimit, mostByItself);
  if (most === undefined || setting <= most) return setting;
  log.warn({ limit: most, open_files: files }, "MAX_CONNECTIONS is lowered: it leaves too few open files");
  return most;
}

/** The soft limit of this process, where the system reports it (Linux); Infinity when there is none. */
function openFileLimit(): number | undefined {
  try {
    const [, soft] =
      /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    if (soft === undefined) return undefined;
    return soft === "unlimited" ? Infinity : Number(soft);
  } catch {
    return undefined;
  }
}
