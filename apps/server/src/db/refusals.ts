/** A write would make an account store more than it may. */
export class AccountFull extends Error {}

/** One write would store, or has to read, more than it may. */
export class WriteTooLarge extends Error {}

/** Most bytes of texts that one write may store, messages to webhooks included. */
export const mostBytesOfWrite = 8 * 1024 * 1024;

/** @throws WriteTooLarge */
export function requireSize(bytes: number): void {
  if (bytes > mostBytesOfWrite) throw new WriteTooLarge();
}

/** Most bytes of texts of the events that one write changes or deletes: several writes have theirs in memory at once. */
export const mostBytesRead = 16 * 1024 * 1024;

/** @throws WriteTooLarge when that is more than one write may read */
export function requireReadable(rows: readonly { readonly size: number }[]): void {
  if (rows.reduce((sum, { size }) => sum + size, 0) > mostBytesRead) throw new WriteTooLarge();
}

/** Most rows, and bytes of texts, that an import or a renamed category may store, messages to webhooks included. */
export const mostOfImport = { rows: 65_000, bytes: 32 * 1024 * 1024 } as const;
