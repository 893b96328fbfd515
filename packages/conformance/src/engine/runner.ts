import type { CheckInfo, CheckResult, Exchange, RunOptions } from "../types.js";
import { exchangeOf, isBlocked, isFailure, isNotTestable } from "./assert.js";
import { againstBaseline } from "./baseline.js";
import { commonCause } from "./cause.js";
import type { Check } from "./check.js";
import { type Kit, openKit } from "./kit.js";
import { contractNames, operations } from "./operations.js";
import { missing } from "./select.js";
import { inGroups, isSuccess, type Session } from "./session.js";
import type { Recorder } from "./target.js";

const defaultConcurrency = 8;
const deletesAtOnce = 6;
/** After so many calls in a row without a response the other checks are not run. */
const mostSilences = 8;
const mostPrepared = 6;
const mostRequestsShown = 3;

const stopped = "the server stopped answering";

/** Runs the checks, several at a time; those marked `last` when all others have ended. */
export async function runChecks(
  checks: readonly Check[],
  session: Session,
  options: RunOptions,
  onResult: (result: CheckResult) => void,
): Promise<readonly CheckResult[]> {
  const results = new Map<string, CheckResult>();
  let silences = 0;
  const one = async (check: Check): Promise<void> => {
    const reason =
      missing(check, options) ??
      (session.signal?.aborted === true ? "interrupted" : undefined) ??
      (silences >= mostSilences ? stopped : undefined);
    if (reason === stopped) session.blocks.add(stopped);
    const count = ({ status }: Exchange): void => {
      silences = status === 0 ? silences + 1 : 0;
    };
    const outcome = reason === undefined ? await runCheck(check, session, count) : skipped(check, reason);
    const result = againstBaseline(outcome, options.knownFailures ?? {});
    results.set(check.id, result);
    onResult(result);
  };
  const early = checks.filter((check) => check.needs.last !== true);
  await inGroups(early, options.concurrency ?? defaultConcurrency, one);
  await inGroups(
    checks.filter((check) => check.needs.last === true),
    1,
    one,
  );
  return checks.flatMap((check) => results.get(check.id) ?? []);
}

async function runCheck(
  check: Check,
  session: Session,
  onExchange: (exchange: Exchange) => void,
): Promise<CheckResult> {
  const started = performance.now();
  const recorder: Recorder = { exchanges: [] };
  const kit = openKit(session, recorder);
  const outcome = await judge(check, kit, session);
  const isBad = outcome.status === "failed" || outcome.status === "broken";
  const sent = isBad ? [...preparation(kit), ...recorder.exchanges] : recorder.exchanges;
  for (const exchange of sent) onExchange(exchange);
  // Exchanges of passed checks would make a report of megabytes.
  const exchanges = isBad ? sent : [];
  await deleteMade(session, kit.made);
  const durationMs = Math.round(performance.now() - started);
  return { ...info(check), ...outcome, durationMs, exchanges };
}

async function judge(
  check: Check,
  kit: Kit,
  session: Session,
): Promise<Pick<CheckResult, "status" | "message" | "reason" | "cause">> {
  try {
    await check.run(kit);
    if (check.level !== "observed") return { status: "passed" };
    return { status: "observed", message: session.target.redact(kit.observations.join("; ")) };
  } catch (error) {
    if (session.signal?.aborted === true) return { status: "skipped", reason: "interrupted" };
    if (isBlocked(error)) session.blocks.add(error.message);
    if (isNotTestable(error) || isBlocked(error)) return { status: "skipped", reason: error.message };
    const message = session.target.redact(error instanceof Error ? error.message : String(error));
    if (!isFailure(error)) return { status: "broken", message };
    if (check.level !== "observed") {
      const cause = commonCause(error, session);
      const text = [message, ...requests(check, kit, exchangeOf(error))].join("\n");
      return { status: "failed", message: text, ...(cause === undefined ? {} : { cause }) };
    }
    return { status: "observed", message: `could not be seen: ${message}` };
  }
}

/** Returns the last exchanges of shared preparations, which may have caused a failure. They are in reports, not in messages. */
function preparation(kit: Kit): readonly Exchange[] {
  return [...kit.prepared].flatMap(({ exchanges }) => exchanges.slice(-mostPrepared));
}

/**
 * Command lines: the last call of the operation that the check judges, and the exchange that failed; where the failure is about
 * several, the last ones. A check that sent nothing has judged what was prepared.
 */
function requests(check: Check, kit: Kit, failed: Exchange | undefined): readonly string[] {
  const sent = kit.recorder.exchanges;
  const prepared = [...kit.prepared].flatMap(({ exchanges }) => exchanges);
  const own = ownPaths(check);
  const isOwn = ({ url }: Exchange): boolean => own.includes(pathOf(url));
  const lastPrepared = prepared.findLast(isOwn) ?? prepared.at(-1);
  const last = sent.length === 0 ? [lastPrepared] : sent.slice(-mostRequestsShown);
  const shown = (failed === undefined ? last : [failed]).filter((one) => one !== undefined);
  const judged = shown.some(isOwn) ? undefined : sent.findLast(isOwn);
  const all = judged === undefined ? shown : [judged, ...shown.slice(1 - mostRequestsShown)];
  return all.map(({ curl }) => curl.slice(0, 2_000));
}

/** The paths of the operation that the check is named after, else of those whose sections it holds. */
function ownPaths({ id, covers }: Check): readonly string[] {
  const [resource, verb] = id.split(".");
  const named = contractNames.filter((name) => operations[name].path.endsWith(`/${resource}/${verb}/`));
  const held = covers.map((clause) => clause.split(" ")[0]);
  const cited = contractNames.filter((name) => held.includes(operations[name].section));
  return (named.length > 0 ? named : cited).map((name) => operations[name].path);
}

/** The path from `/api/v1` on, as the operations have it. */
function pathOf(url: string): string {
  const [path = ""] = url.split("?");
  return path.slice(Math.max(0, path.indexOf("/api/v1")));
}

/** Deletes the calendars of a check; those that cannot be deleted stay in the journal for the final sweep. */
async function deleteMade(session: Session, made: Kit["made"]): Promise<void> {
  if (session.signal?.aborted === true) return;
  const left = made.filter((calendar) => session.journal.includes(calendar));
  await inGroups(left, deletesAtOnce, async (calendar) => {
    try {
      const { id, as } = calendar;
      const recorder: Recorder = { exchanges: [] };
      const answer = await session.target.call(recorder, "deleteCalendar", { calendar_id: id }, { as });
      const index = session.journal.indexOf(calendar);
      if (isSuccess(answer) && index >= 0) session.journal.splice(index, 1);
    } catch {
      // The final sweep retries, and reports what is left.
    }
  });
}

/** The result of a check that did not run. */
export function skipped(check: Check, reason: string): CheckResult {
  return { ...info(check), status: "skipped", reason, durationMs: 0, exchanges: [] };
}

export function info(check: Check): CheckInfo {
  const { id, level, clause, sentence, profile, title } = check;
  return { id, level, clause, sentence, profile, title };
}
