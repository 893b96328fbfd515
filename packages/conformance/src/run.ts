import { randomInt } from "node:crypto";
import { setMaxListeners } from "node:events";
import { checks, extensionChecks } from "./checks/index.js";
import type { Check } from "./engine/check.js";
import { preflight, wrongOptions } from "./engine/preflight.js";
import { info, runChecks, skipped } from "./engine/runner.js";
import { asksForExtensions, missing, select } from "./engine/select.js";
import { anyMark, isRunId, newMark, openSession, type Session } from "./engine/session.js";
import { sweep } from "./engine/sweep.js";
import { openTarget } from "./engine/target.js";
import { count, exitCodes, judge, summarise } from "./engine/verdict.js";
import { coverageOf, type CoverageLine } from "./coverage.js";
import type { CheckInfo, CheckResult, Report, RunOptions, Verdict } from "./types.js";

/** Called as a run goes on. */
export interface RunHooks {
  onResult?(result: CheckResult): void;
  /** The server asked to wait (`Retry-After`), and nothing is sent for so long. */
  onWait?(seconds: number): void;
}

const cleanupTimeoutMs = 5_000;
/** Calendars of a run are near the start of the list, which begins with the last saved. */
const pagesToSweep = 5;

/**
 * Judges a server by the contract, over HTTP alone, and deletes what it made. Never rejects for what the server does:
 * the report says it.
 */
export async function run(options: RunOptions, hooks: RunHooks = {}): Promise<Report> {
  const startedAt = new Date();
  const seed = options.seed ?? randomInt(2 ** 31);
  const mark = newMark();
  const pool = poolOf(options);
  const chosen = select(pool, options);
  const {
    verdict,
    results,
    baseUrl = "",
    leftovers = [],
    why,
  } = await begin(options, hooks, { pool, chosen, mark, seed });
  const counts = count(results);
  const ran = results.filter(({ status }) => status !== "skipped").length;
  return {
    verdict,
    exitCode: exitCodes[verdict],
    summary: summarise(verdict, counts, { ran, all: pool.length, why }),
    counts,
    results,
    checks: pool.length,
    strict: options.strict === true,
    baseUrl,
    runId: mark,
    seed,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    leftovers,
  };
}

/** Returns the checks of the contract, and those of the extensions where the options name them. */
function poolOf(options: RunOptions): readonly Check[] {
  return asksForExtensions(options) ? [...checks, ...extensionChecks] : checks;
}

interface Plan {
  readonly pool: readonly Check[];
  readonly chosen: readonly Check[];
  readonly mark: string;
  readonly seed: number;
}

interface Ending {
  readonly verdict: Verdict;
  readonly results: readonly CheckResult[];
  readonly baseUrl?: string;
  readonly leftovers?: readonly string[];
  readonly why?: string | undefined;
}

/** Judges the options first, then whether the server can be judged, then the server. */
async function begin(options: RunOptions, hooks: RunHooks, plan: Plan): Promise<Ending> {
  const skipAll = (verdict: Verdict, reason: string): Ending => {
    const results = plan.chosen.map((check) => skipped(check, reason));
    if (verdict !== "wrong-usage" && verdict !== "down")
      for (const result of results) hooks.onResult?.(result);
    return { verdict, results, ...(verdict === "interrupted" ? {} : { why: reason }) };
  };
  const ids = (all: readonly CheckInfo[]): readonly string[] => all.map(({ id }) => id);
  const wrong = wrongOptions(options, ids(listChecks()), ids(plan.chosen));
  if (wrong !== undefined) return skipAll("wrong-usage", wrong);
  const signal = ownSignal(options.signal);
  const target = openTarget(options, { signal, onWait: (seconds) => hooks.onWait?.(seconds) });
  try {
    const baseUrl = target.redact(options.baseUrl);
    const { problem, serverTime: startedAt } = await preflight(
      target,
      options,
      writes(options, plan) ? plan.mark : undefined,
    );
    if (isAborted(signal)) return { ...skipAll("interrupted", "interrupted"), baseUrl };
    if (problem !== undefined) return { ...skipAll(problem.verdict, problem.message), baseUrl };
    const session = openSession(target, options, { ...plan, startedAt, signal });
    return { ...(await judgeServer(options, hooks, { plan, session })), baseUrl };
  } finally {
    target.close();
  }
}

function writes(options: RunOptions, { chosen }: Plan): boolean {
  return chosen.some((check) => check.needs.writes !== false && missing(check, options) === undefined);
}

async function judgeServer(
  options: RunOptions,
  hooks: RunHooks,
  { plan, session }: { readonly plan: Plan; readonly session: Session },
): Promise<Ending> {
  const results = await runChecks(plan.chosen, session, options, (result) => hooks.onResult?.(result));
  const leftovers =
    options.readOnly === true ? [] : await cleanUpAfter(options, session.mark, session.journal);
  const verdict = judge(count(results), {
    interrupted: isAborted(session.signal),
    leftovers,
    strict: options.strict === true,
    unexpected: results.some(({ unexpected }) => unexpected === true),
    blocked: session.blocks.size > 0,
    incomplete: options.requireComplete === true && results.some(({ status }) => status === "skipped"),
  });
  const why = verdict === "unreachable" ? [...session.blocks].join(", ") : undefined;
  return { verdict, results, leftovers, why };
}

/** Every check, in the order of the list; those of the extensions are the last. */
export function listChecks(): readonly CheckInfo[] {
  return [...checks, ...extensionChecks].map(info);
}

/** Every sentence of the contract and every ruling, with the checks that hold it. */
export function coverage(): readonly CoverageLine[] {
  return coverageOf([...checks, ...extensionChecks]);
}

export interface CleanupOptions extends Pick<RunOptions, "baseUrl" | "token" | "otherToken" | "timeoutMs"> {
  /** `runId` of a report: deletes only what that run made. */
  readonly runId?: string;
  /** Keeps younger calendars, so that a run in progress is not disturbed. */
  readonly olderThanMinutes?: number;
}

/** Deletes the calendars that runs left behind, such as one that was killed: those with its mark in their title. @throws Error for a `runId` that no run has */
export async function cleanup(
  options: CleanupOptions,
): Promise<{ readonly deleted: readonly string[]; readonly left: readonly string[] }> {
  const { runId } = options;
  if (runId !== undefined && !isRunId(runId)) throw new Error(`"${runId}" is not the runId of a report.`);
  const target = openTarget(options);
  try {
    const { problem, serverTime } = await preflight(target, options);
    if (problem !== undefined)
      throw new Error(`Cannot clean up: ${problem.message}.`, { cause: problem.verdict });
    const mark = options.runId ?? anyMark;
    const { olderThanMinutes: minutes } = options;
    const limits = minutes === undefined ? {} : { before: serverTime - minutes * 60 };
    const outcomes = [await sweep(target, "first", mark, [], limits)];
    if (target.hasOther) outcomes.push(await sweep(target, "other", mark, [], limits));
    if (outcomes.some(({ isSearched }) => !isSearched))
      throw new Error(
        "The list of calendars could not be read to its end, so some may be left: run it again.",
      );
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

/** Every request in flight listens to the signal, so our own allows any number of listeners. */
function ownSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined) return undefined;
  const own = AbortSignal.any([signal]);
  setMaxListeners(0, own);
  return own;
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
