import { closeSync, openSync } from "node:fs";

/** Opening a SQLite database takes some of these at once; so does a new connection to PostgreSQL with its name lookup. */
export const neededFiles = 8;

/** What to do about a lack of them, for people who run the server. */
export const openFilesAdvice =
  "The limit of open files is reached: raise it (ulimit -n, LimitNOFILE= in systemd).";

/** Returns the failure to open a few more files; undefined when they can be had. */
export function openFilesFailure(): NodeJS.ErrnoException | undefined {
  const descriptors: number[] = [];
  try {
    while (descriptors.length < neededFiles) descriptors.push(openSync("/", "r"));
    return undefined;
  } catch (failure) {
    return isOpenFilesFailure(failure) ? failure : undefined;
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor);
  }
}

/** Returns whether it says that the process, or the whole system, has too many open files. */
export function isOpenFilesFailure(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE");
}
