import { listChecks, run } from "../../src/index.js";
import { type Fault, fault, type FaultId } from "@kalends/client/testing/model";
import type { CheckInfo, Report, RunOptions } from "../../src/types.js";
import { startModel } from "./model-server.js";

/** What the suite made of a model server with one fault. */
export interface Outcome {
  readonly fault: Fault;
  /** Failed checks that cite the clause that the fault breaks. */
  readonly killers: readonly string[];
  /** Other failed checks, with what they cite. */
  readonly others: readonly string[];
  readonly broken: readonly string[];
  /** Share of the judged checks that failed. */
  readonly share: number;
}

/** Judges a model server with these faults; small pages make the paging checks quick. */
export async function judgeModel(
  faults: readonly FaultId[],
  { pageSize = 25, ...options }: { readonly pageSize?: number } & Partial<RunOptions> = {},
): Promise<Report> {
  const model = await startModel({ faults, pageSize });
  try {
    const { url: baseUrl, token, otherToken, subscribersCalendar } = model;
    return await run({ baseUrl, token, otherToken, subscribersCalendar, ...options });
  } finally {
    await model.stop();
  }
}

/** Runs the checks that cite the clause of the fault, and `others` of the rest. */
export async function judgeFault(id: FaultId, others: "all" | "a sample"): Promise<Outcome> {
  const broken = fault(id);
  const cites = ({ clause }: CheckInfo) => clause === broken.clause || broken.alsoClauses.includes(clause);
  const chosen = listChecks().filter(
    (check, index) => others === "all" || cites(check) || index % sampleEvery === 0,
  );
  const { results } = await judgeModel([id], { only: chosen.map((check) => check.id) });
  const failed = results.filter(({ status }) => status === "failed");
  const judged = results.filter(({ status }) => status === "passed" || status === "failed");
  return {
    fault: broken,
    killers: failed.filter(cites).map((check) => check.id),
    others: failed.filter((check) => !cites(check)).map((check) => `${check.id} (${check.clause})`),
    broken: results.flatMap((check) =>
      check.status === "broken" ? [`${check.id}: ${check.message ?? ""}`] : [],
    ),
    share: failed.length / Math.max(1, judged.length),
  };
}

/** So many checks that cite something else show whether a fault fails nearly everything. */
const sampleEvery = 16;

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
