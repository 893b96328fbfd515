import type { Logger } from "pino";
import { storageFailure } from "../db/failures.js";
import { openFilesAdvice, openFilesFailure } from "../db/open-files.js";

/** For how long a repeated failure of the storage is only counted, in milliseconds. */
const quietMs = 1_000;

/** Failures of the storage since one was last logged. */
interface Unlogged {
  count: number;
  /** Writes the line of the last of them. */
  write(repeated: number): void;
}

const unlogged = new WeakMap<Logger, Unlogged>();

/**
 * Logs a failure. A database that stops fails every request: of such failures one a second is logged, with the number of those
 * that it stands for (`repeated`).
 */
export function logFailure(log: Logger, thrown: unknown, requestId: string, message: string): void {
  // SQLite says only that it cannot open a file.
  const reason =
    storageFailure(thrown) !== undefined && openFilesFailure() !== undefined ? openFilesAdvice : undefined;
  const write = (repeated?: number): void => {
    const counted = repeated === undefined ? {} : { repeated };
    log.error({ request_id: requestId, err: describeFailure(thrown), reason, ...counted }, message);
  };
  if (storageFailure(thrown) === undefined) {
    write();
    return;
  }
  const since = unlogged.get(log);
  if (since === undefined) {
    write();
    countQuietly(log);
    return;
  }
  since.count++;
  since.write = write;
}

function countQuietly(log: Logger): void {
  const since: Unlogged = { count: 0, write: () => undefined };
  unlogged.set(log, since);
  const end = (): void => {
    unlogged.delete(log);
    if (since.count === 0) return;
    since.write(since.count);
    countQuietly(log);
  };
  setTimeout(end, quietMs).unref();
}

/** Messages of these are written by the runtime; those of a database error may hold the values of a query. */
const safeMessages = ["TypeError", "RangeError", "ReferenceError"];

/** Returns what is logged of a failure: never the values of a query. */
export function describeFailure(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { name: typeof thrown };
  const { name, message, stack = "" } = thrown;
  return {
    name,
    ...(safeMessages.includes(name) ? { message } : {}),
    ...("code" in thrown ? { code: String(thrown.code) } : {}),
    stack: stack
      .split("\n")
      .filter((line) => /^\s+at /.test(line))
      .join("\n"),
    ...(thrown.cause instanceof Error ? { cause: describeFailure(thrown.cause) } : {}),
  };
}
