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

/** Attempts of a delivery. */
export const mostAttempts = pauses.length + 1;

/** A pause may be longer by this part of it, so that what failed at a time is not tried again at a time. */
const jitter = 0.1;

/**
 * Returns how many seconds after an attempt the next one is made, or after the last one its outcome is looked at.
 * @param attempts how many there were
 * @param random from 0 to 1
 */
export function pauseAfter(attempts: number, random: number): number {
  return Math.round((pauses[attempts - 1] ?? minute) * (1 + jitter * random));
}

/** A receiver that fails is left alone for a second, and twice as long after each failure in a row, up to so many seconds. */
const longestPause = 30;

/** Returns how many seconds a receiver is left alone. @param failures in a row */
export function receiverPause(failures: number): number {
  return Math.min(2 ** Math.min(failures - 1, 10), longestPause);
}
