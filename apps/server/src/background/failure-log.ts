import type { Logger } from "pino";
import { storageFailure } from "../db/failures.js";
import { openFilesAdvice, openFilesFailure } from "../db/open-files.js";

/** Repeated storage failures within this time are counted but not logged, in ms. */
const quietMs = 1_000;

/** Storage failures since the last log line. */
interface Unlogged {
  count: number;
  /** Logs the last failure. */
  write(repeated: number): void;
}

const unlogged = new WeakMap<Logger, Unlogged>();

/**
 * Logs a failure. An unreachable database fails every request, so one storage failure a second is logged, with the number of
 * failures that it stands for (`repeated`).
 */
export function logFailure(log: Logger, thrown: unknown, requestId: string, message: string): void {
  // SQLite reports only that it cannot open a file.
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

/** The runtime writes the messages of these errors; that of a database error may hold the values of a query. */
const safeMessages = ["TypeError", "RangeError", "ReferenceError"];

/** Returns the log fields of a failure, without the values of a query. */
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
