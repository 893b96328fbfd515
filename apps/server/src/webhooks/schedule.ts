const minute = 60;
const hour = 60 * minute;

/** The pauses between the ten attempts of a delivery, in seconds (extensions X4.2). */
export const pauses: readonly number[] = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

export const mostAttempts = pauses.length + 1;

/** A pause is longer by up to this fraction, so that deliveries that failed together are not retried together. */
const jitter = 0.1;

/**
 * Returns the seconds from an attempt to the next one, or from the last one to the check of its outcome.
 * @param attempts number of attempts
 * @param random from 0 to 1
 */
export function pauseAfter(attempts: number, random: number): number {
  return Math.round((pauses[attempts - 1] ?? minute) * (1 + jitter * random));
}

/**
 * The pauses between the attempts of an e-mail, in seconds: a server that does not know us yet takes the second or third. Each is
 * longer than an attempt takes (mail-transport.ts).
 */
const mailPauses: readonly number[] = [
  2 * minute,
  5 * minute,
  15 * minute,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
];

export const mostMailAttempts = mailPauses.length + 1;

/** The same as `pauseAfter`, of an e-mail. */
export function mailPauseAfter(attempts: number, random: number): number {
  return Math.round((mailPauses[attempts - 1] ?? hour) * (1 + jitter * random));
}

/** A failing receiver is not called for a second, doubled after each failure in a row, up to this time in seconds. */
const longestPause = 30;

/** Returns the pause of a receiver in seconds. @param failures in a row */
export function receiverPause(failures: number): number {
  return Math.min(2 ** Math.min(failures - 1, 10), longestPause);
}
