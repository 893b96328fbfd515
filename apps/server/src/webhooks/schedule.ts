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

/** A pause may be longer by this part of it, so that what failed at a time is not tried again at a time. */
const jitter = 0.1;

/**
 * Returns how many seconds after its last attempt a delivery is tried again; undefined after the last one.
 * @param attempts how many there were
 * @param random from 0 to 1
 */
export function pauseAfter(attempts: number, random: number): number | undefined {
  const pause = pauses[attempts - 1];
  return pause === undefined ? undefined : Math.round(pause * (1 + jitter * random));
}
