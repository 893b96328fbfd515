import { listChecks, run } from "../../src/index.js";
import type { CheckInfo, Report, RunOptions, Verdict } from "../../src/types.js";
import { type Fault, fault, type FaultId, faultIds } from "./faults.js";
import { startModel } from "./model-server.js";
import { type Planted, planted } from "./planted.js";

/** What the suite made of a model server with one fault. */
export interface Outcome {
  readonly fault: Fault;
  readonly verdict: Verdict;
  /** A fault never becomes "not tested". */
  readonly untested: readonly string[];
  /** Failed checks that cite the clause that the fault breaks. */
  readonly killers: readonly string[];
  /** Other failed checks, with what they cite. */
  readonly others: readonly string[];
  readonly broken: readonly string[];
  /** Share of the judged checks that failed. */
  readonly share: number;
}

interface Around {
  readonly pageSize?: number;
  readonly planted?: Planted | undefined;
}

/** Judges a model server with these faults; small pages make the paging checks quick. A busy machine is no fault. */
export async function judgeModel(
  faults: readonly FaultId[],
  { pageSize = 5, planted, ...options }: Around & Partial<RunOptions> = {},
): Promise<Report> {
  const model = await startModel({ faults, pageSize, planted });
  try {
    const { url: baseUrl, token, otherToken, subscribersCalendar } = model;
    return await run({
      baseUrl,
      token,
      otherToken,
      subscribersCalendar,
      seed: 7,
      timeoutMs: 60_000,
      ...options,
    });
  } finally {
    await model.stop();
  }
}

/** A fault of the model, or one planted around it. */
export function faultOf(id: string): Fault & { readonly planted?: Planted } {
  const around = planted[id];
  if (around === undefined) return fault(faultIds.find((known) => known === id) ?? missing(id));
  const { clause, title, alsoClauses = [] } = around;
  return { id, clause, title, alsoClauses, planted: around };
}

function missing(id: string): never {
  throw new Error(`There is no fault ${id}.`);
}

/** Runs `checks` on the fault: all, those that cite what it breaks, or one; and a sample of the others. */
export async function judgeFault(id: string, checks: "all" | "citing" | { only: string }): Promise<Outcome> {
  const broken = faultOf(id);
  const cites = ({ clause }: CheckInfo) => clause === broken.clause || broken.alsoClauses.includes(clause);
  const isChosen = (check: CheckInfo): boolean => {
    if (checks === "all") return true;
    return checks === "citing" ? cites(check) : check.id === checks.only;
  };
  const chosen = listChecks().filter((check) => isChosen(check) || sample.has(check.id));
  const only = chosen.map((check) => check.id);
  const faults = faultIds.filter((known) => known === id);
  const { results, verdict } = await judgeModel(faults, { only, planted: broken.planted });
  const failed = results.filter(({ status }) => status === "failed");
  const judged = results.filter(({ status }) => status === "passed" || status === "failed");
  return {
    fault: broken,
    verdict,
    untested: results
      .filter(({ status, profile }) => status === "skipped" && profile !== "schemas")
      .map((check) => `${check.id}: ${check.reason ?? ""}`),
    killers: failed.filter(cites).map((check) => check.id),
    others: failed.filter((check) => !cites(check)).map((check) => `${check.id} (${check.clause})`),
    broken: results.flatMap((check) =>
      check.status === "broken" ? [`${check.id}: ${check.message ?? ""}`] : [],
    ),
    share: failed.length / Math.max(1, judged.length),
  };
}

/**
 * These show whether a fault fails nearly everything: one for each kind of request, none of which sends more than five. Each
 * fault is judged by them, so a request here is one for every fault.
 */
export const sample: ReadonlySet<string> = new Set([
  "timezones.code-is-an-integer",
  "schemas.open.listCalendars",
  "http.unknown-parameters",
  "calendars.create.plain-strings",
  "events.create.calendar-is-mandatory",
  "text.line-feed",
  "extensions.status.default",
]);

/** Runs `work` on all items, `width` at a time; each result is its own promise. */
export function pool<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): ReadonlyMap<Item, Promise<Result>> {
  const started: Promise<Result>[] = [];
  return new Map(
    items.map((item, index) => {
      const turn = started[index - width];
      const result = (turn === undefined ? Promise.resolve() : turn.then(ignore, ignore)).then(() =>
        work(item),
      );
      started.push(result);
      return [item, result];
    }),
  );
}

function ignore(): void {}

/** A fault of the envelope may fail nearly every check; any other that does was not told apart. */
export function isEnvelopeFault({ clause }: Fault): boolean {
  return /^service\.md (1\.\d|2\.1|7\.\d)$/.test(clause);
}
