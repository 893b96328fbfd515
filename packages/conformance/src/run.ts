import { randomInt } from "node:crypto";
import { setMaxListeners } from "node:events";
import { checks } from "./checks/index.js";
import type { Check } from "./engine/check.js";
import { preflight } from "./engine/preflight.js";
import { runChecks } from "./engine/runner.js";
import { select } from "./engine/select.js";
import { namePrefix, newMark, openSession } from "./engine/session.js";
import { sweep } from "./engine/sweep.js";
import { openTarget } from "./engine/target.js";
import { count, exitCodes, judge, summarise } from "./engine/verdict.js";
import { coverageOf, type CoverageLine } from "./coverage.js";
import { info } from "./engine/runner.js";
import type { CheckInfo, CheckResult, Report, RunOptions, Verdict } from "./types.js";

/** Called as a run goes on. */
export interface RunHooks {
  onResult?(result: CheckResult): void;
  /** The server asked to wait (`Retry-After`), and nothing is sent for so long. */
  onWait?(seconds: number): void;
}

const cleanupTimeoutMs = 5_000;
/** Calendars of a run stand near the front of the list, which begins with the last saved. */
const pagesToSweep = 5;

/**
 * Judges a server by the contract, over HTTP alone, and deletes what it made. Never rejects for what the server does:
 * the report says it.
 */
export async function run(options: RunOptions, hooks: RunHooks = {}): Promise<Report> {
  const startedAt = new Date();
  const seed = options.seed ?? randomInt(2 ** 31);
  const mark = newMark();
  const signal = ownSignal(options.signal);
  const target = openTarget(options, { signal, onWait: (seconds) => hooks.onWait?.(seconds) });
  const finish = (
    verdict: Verdict,
    results: readonly CheckResult[],
    left: readonly string[],
    why?: string,
  ) => {
    target.close();
    const counts = count(results);
    const baseUrl = target.redact(options.baseUrl);
    return {
      verdict,
      exitCode: exitCodes[verdict],
      summary: summarise(verdict, counts, why),
      counts,
      results,
      baseUrl,
      runId: mark,
      seed,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      leftovers: left,
    };
  };

  const chosen = select(checks, options, seed);
  const { problem, serverTime } = await preflight(target, options);
  if (isAborted(signal)) return finish("interrupted", skipAll(chosen, "interrupted", hooks), []);
  if (problem !== undefined) return finish("unreachable", skipAll(chosen, problem, hooks), [], problem);
  const session = openSession(target, options, { mark, seed, startedAt: serverTime, signal });
  const results = await runChecks(chosen, session, options, (result) => hooks.onResult?.(result));
  const left = options.readOnly === true ? [] : await cleanUpAfter(options, session.mark, session.journal);
  const interrupted = isAborted(signal);
  const verdict = judge(count(results), { interrupted, leftovers: left, strict: options.strict === true });
  return finish(verdict, results, left);
}

/** Every check, in the order of the list. */
export function listChecks(): readonly CheckInfo[] {
  return checks.map(info);
}

/** Every sentence of the contract and every ruling, with the checks that hold it. */
export function coverage(): readonly CoverageLine[] {
  return coverageOf(checks);
}

export interface CleanupOptions extends Pick<RunOptions, "baseUrl" | "token" | "otherToken" | "timeoutMs"> {
  /** `runId` of a report: deletes only what that run made. */
  readonly runId?: string;
  /** Leaves alone what is younger, so that a run at work is not disturbed. */
  readonly olderThanMinutes?: number;
}

/** Deletes the calendars that runs left behind, such as one that was killed: those with the prefix in their title. */
export async function cleanup(
  options: CleanupOptions,
): Promise<{ readonly deleted: readonly string[]; readonly left: readonly string[] }> {
  const target = openTarget(options);
  try {
    const { problem, serverTime } = await preflight(target, options);
    if (problem !== undefined) throw new Error(`Cannot clean up: ${problem}.`);
    const mark = options.runId ?? namePrefix;
    const { olderThanMinutes: minutes } = options;
    const limits = minutes === undefined ? {} : { before: serverTime - minutes * 60 };
    const outcomes = [await sweep(target, "first", mark, [], limits)];
    if (target.hasOther) outcomes.push(await sweep(target, "other", mark, [], limits));
    return {
      deleted: outcomes.flatMap(({ deleted }) => deleted),
      left: outcomes.flatMap(({ left }) => left),
    };
  } finally {
    target.close();
  }
}

/** Uses a connection of its own, without the signal: it must work after an interruption, too. */
async function cleanUpAfter(
  options: RunOptions,
  mark: string,
  journal: readonly { readonly id: string; readonly as: "first" | "other" }[],
): Promise<readonly string[]> {
  const target = openTarget({
    ...options,
    timeoutMs: Math.min(options.timeoutMs ?? cleanupTimeoutMs, cleanupTimeoutMs),
  });
  const of = (as: "first" | "other"): readonly string[] =>
    journal.filter((made) => made.as === as).map(({ id }) => id);
  try {
    const accounts = options.otherToken === undefined ? (["first"] as const) : (["first", "other"] as const);
    const outcomes = await Promise.all(
      accounts.map((as) => sweep(target, as, mark, of(as), { pages: pagesToSweep })),
    );
    return outcomes.flatMap((outcome) => outcome.left);
  } finally {
    target.close();
  }
}

function skipAll(chosen: readonly Check[], reason: string, hooks: RunHooks): readonly CheckResult[] {
  return chosen.map((check) => {
    const result: CheckResult = { ...info(check), status: "skipped", reason, durationMs: 0, exchanges: [] };
    hooks.onResult?.(result);
    return result;
  });
}

/** Every request in flight listens to it: one of our own may have as many listeners as it takes. */
function ownSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined) return undefined;
  const own = AbortSignal.any([signal]);
  setMaxListeners(0, own);
  return own;
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
