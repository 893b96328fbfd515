import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";

/** From this part of its time on a process has so much to do that messages wait for requests. */
const busyFrom = 0.5;

/** Over how long that is measured, in ms. */
const periodMs = 100;

/** Resolves when the next step may begin: at once, or after a pause of its own while the process is busy. */
export type Pace = (signal: AbortSignal) => Promise<void>;

/**
 * Returns the pace of a process: sending takes a small part of its time while requests need all of it.
 * @param busyPauseMs between two steps of a busy process, in ms
 */
export function createPace(busyPauseMs: number): Pace {
  let measured = performance.eventLoopUtilization();
  let measuredAt = performance.now();
  let isBusy = false;
  let nextAt = 0;
  return async (signal) => {
    const now = performance.now();
    if (now - measuredAt >= periodMs) {
      const before = measured;
      measured = performance.eventLoopUtilization();
      measuredAt = now;
      isBusy = performance.eventLoopUtilization(measured, before).utilization >= busyFrom;
    }
    if (!isBusy) return;
    nextAt = Math.max(now, nextAt) + busyPauseMs;
    await delay(nextAt - now, undefined, { signal }).catch(() => undefined);
  };
}

/** Accounts whose last attempt is remembered. */
const mostAccounts = 10_000;

/**
 * Returns the paces of accounts in a busy process. An account that has much to send waits for itself first, so that the others do not
 * wait behind its messages.
 * @param ofOneMs between two attempts of an account, in ms
 * @param ofAllMs between any two attempts, in ms
 */
export function createPaces(ofOneMs: number, ofAllMs: number): (accountId: number) => Pace {
  const ofAll = createPace(ofAllMs);
  const paces = new Map<number, Pace>();
  return (accountId) => {
    const ofOne = paces.get(accountId) ?? createPace(ofOneMs);
    if (paces.size >= mostAccounts) paces.clear();
    paces.set(accountId, ofOne);
    return async (signal) => {
      await ofOne(signal);
      await ofAll(signal);
    };
  };
}
