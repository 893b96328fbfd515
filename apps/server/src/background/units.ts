import type { Logger } from "pino";
import { storageFailure } from "../db/failures.js";
import { describeFailure } from "../http/failure-log.js";

// Background work is done in units: a webhook's run, a sync, one series, one batch of a purge. What one of them throws fails it
// alone (docs/decisions/0016).

/** The kinds of units, as `/metrics` names them. */
export const unitKinds = [
  "delivery",
  "job",
  "sync",
  "series",
  "calendar",
  "webhook",
  "account",
  "event",
] as const;

/** The units that have failed lately. */
export interface Failing {
  /** Returns whether the last runs of a unit failed, so that it is not tried now. Never rejects. */
  isSetAside(unit: Pick<Unit, "kind" | "id">): Promise<boolean>;
  /** Notes that a run of a unit has ended, with the error when it failed. Never rejects. */
  note(unit: Pick<Unit, "kind" | "id">, error?: unknown): Promise<void>;
}

export interface Unit {
  readonly log: Logger;
  readonly kind: (typeof unitKinds)[number];
  /** What the unit is about, for the log: a job has a name. */
  readonly id: number | string;
  /** Notes what its runs come to, where units that fail again and again are set aside by it. */
  readonly failing?: Failing | undefined;
  /** How long it may take, in ms; then it has failed, and no one waits for it any longer. */
  readonly limitMs?: number;
}

/** How long a unit may take by default, in ms. A single one waits for the network or for a batch of rows, not for more. */
const defaultLimitMs = 60_000;

const failures = new Map<Unit["kind"], number>();

export function failedUnits(kind: Unit["kind"]): number {
  return failures.get(kind) ?? 0;
}

/** A unit took longer than it may. */
class UnitLate extends Error {
  override readonly name = "UnitLate";
}

/**
 * Runs a unit. Resolves with true when it has succeeded, and with false when it has failed or is late, which is logged and counted.
 * Never rejects. `signal` is aborted once the unit is late: what it has begun may still end, but is not waited for.
 */
export async function runUnit(unit: Unit, work: (signal: AbortSignal) => Promise<unknown>): Promise<boolean> {
  const { limitMs = defaultLimitMs } = unit;
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    await Promise.race([
      work(late.signal),
      new Promise((_resolve, reject) => {
        timer = setTimeout(() => {
          reject(new UnitLate());
          late.abort();
        }, limitMs);
      }),
    ]);
    await unit.failing?.note(unit);
    return true;
  } catch (error) {
    noteFailure(unit, error);
    await unit.failing?.note(unit, error ?? new Error("nothing was thrown"));
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Runs one item of a job, such as a calendar. Resolves with false when it has failed and the others go on. */
export type RunItem = (
  kind: Unit["kind"],
  id: number,
  work: (late: AbortSignal) => Promise<unknown>,
) => Promise<boolean>;

/** How long an item may take, in ms: a calendar may have a million events, in batches. */
const itemLimitMs = 20 * 60_000;

/** Returns what runs the items of jobs, each as a unit by itself. One that was set aside has failed without a run. */
export function itemsApart(log: Logger, failing?: Failing): RunItem {
  return async (kind, id, work) => {
    if ((await failing?.isSetAside({ kind, id })) === true) return false;
    return runUnit({ log, kind, id, limitMs: itemLimitMs, failing }, work);
  };
}

/** Runs an item for someone who waits for all of them, such as a command: the first failure is theirs. */
export const untilFailure: RunItem = async (_kind, _id, work) => {
  await work(new AbortController().signal);
  return true;
};

/** Logs and counts the failure of a unit. It names what the unit is about, no URL and no person. Never throws. */
export function noteFailure(
  { log, kind, id }: Pick<Unit, "log" | "kind" | "id">,
  error: unknown,
  message = "background work failed, will be retried",
): void {
  failures.set(kind, failedUnits(kind) + 1);
  const code = storageFailure(error);
  // A database that is away says so elsewhere too; anything else is a defect.
  const level = code === undefined ? "error" : "warn";
  log[level]({ kind, id, code, err: describeFailure(error) }, message);
}
