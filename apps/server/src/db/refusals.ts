/** A write would make an account store more than it may. */
export class AccountFull extends Error {}

/** One write would store, or has to read, more than it may. */
export class WriteTooLarge extends Error {}

/** Bytes of texts that one write may store, those of its messages to webhooks included. */
const mostBytes = 8 * 1024 * 1024;

/** @throws WriteTooLarge */
export function requireSize(bytes: number): void {
  if (bytes > mostBytes) throw new WriteTooLarge();
}
