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

/** Most rows, and bytes of texts, that an import or a renamed category may store, messages to webhooks included. */
export const mostOfImport = { rows: 65_000, bytes: 32 * 1024 * 1024 } as const;
