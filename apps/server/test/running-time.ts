// For limits on what a server in the test's own process does: while the machine has no time for the process, the limit waits too.

const everyMs = 20;

let total = 0;

setInterval(() => (total += everyMs), everyMs).unref();

/** Returns milliseconds like performance.now(), of which at most 20 pass between two turns of the event loop. */
export function runningTime(): number {
  return total;
}
