import type { syncErrorCodes } from "@kalends/spec";

/** The failure of a database, or a defect: only the log says more. */
export const notStored = "The file could not be stored.";

/** The account has no room for the events of the file. */
export const accountFull = "The account stores as many bytes as it may.";

/** The server ended during the last attempt. */
export const interrupted = "The server ended before the file was imported.";

/** Reasons by their first words; the first that fits counts. */
const kinds: readonly (readonly [string, (typeof syncErrorCodes)[number]])[] = [
  [interrupted, "interrupted"],
  [notStored, "server"],
  [accountFull, "account_full"],
  ["The file is larger ", "too_large"],
  ["Its events would store ", "too_large"],
  ["The file ", "unreadable"],
  ["The connection ", "connection"],
  ["It took more than ", "connection"],
  ["The URL ", "address"],
  ["The host name ", "address"],
  ["A redirect ", "response"],
  ["There are more than ", "response"],
  ["The response ", "response"],
];

/** The kind of a stored reason; "" of any other one, such as what an operation refuses. */
export function codeOf(reason: string): string {
  return kinds.find(([words]) => reason.startsWith(words))?.[1] ?? "";
}
