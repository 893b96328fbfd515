import type { CheckInfo, Level } from "../types.js";
import type { ClauseId } from "../clauses.js";
import { isFailure } from "./assert.js";
import type { Kit } from "./kit.js";

/** Requirements of a check, which is reported as skipped without them. */
export interface Needs {
  /** False for a check that sends no write. Default true. */
  readonly writes?: boolean;
  /** A second account. */
  readonly other?: boolean;
  /** The calendar of `--subscribers-calendar`. */
  readonly subscribers?: boolean;
  /** Runs after all others and judges their recorded responses. */
  readonly last?: boolean;
  /** Compares lists that other traffic may change meanwhile: a finding counts only when it repeats. */
  readonly steady?: boolean;
}

export const reads = { writes: false } as const satisfies Needs;
export const followers = { writes: false, subscribers: true, steady: true } as const satisfies Needs;
export const twoAccounts = { other: true } as const satisfies Needs;
export const alone = { last: true, steady: true } as const satisfies Needs;

/** Throws a failure when the server breaks the guarantee. */
export type Run = (kit: Kit) => Promise<void>;

/** Clauses that a check judges: sentences of the contract, rulings or rules of the extensions. It cites the first. */
export type Covers = ClauseId | readonly [ClauseId, ...ClauseId[]];

export interface Defined extends Omit<CheckInfo, "sentence"> {
  readonly covers: readonly ClauseId[];
  readonly needs: Needs;
  readonly run: Run;
}

/** A check with the sentence that it cites. */
export interface Check extends CheckInfo, Defined {}

export interface ChecksFile {
  readonly checks: readonly Defined[];
}

export type Define = (
  id: string,
  covers: Covers,
  title: string,
  ...rest: readonly [run: Run] | readonly [needs: Needs, run: Run]
) => Defined;

/** Judges a sentence of the contract. */
export const required: Define = define("required");
/** Judges a ruling, or a reading of the contract that other servers need not share. */
export const recommended: Define = define("recommended");
/** Reports the server's behaviour where nothing is stated. */
export const observed: Define = define("observed");

function define(level: Level): Define {
  return (id, covers, title, ...rest) => {
    const [needs, judge] = rest.length === 1 ? [{}, rest[0]] : rest;
    const all = typeof covers === "string" ? ([covers] as const) : covers;
    const about = { id, level, clause: cited(all[0]), profile: profileOf(id), title };
    return { ...about, covers: all, needs, run: steady(judge, needs) };
  };
}

const mostTurns = 3;

function steady(run: Run, needs: Needs): Run {
  if (needs.steady !== true) return run;
  return async (kit) => {
    for (let turn = 1; ; turn++) {
      try {
        return await run(kit);
      } catch (error) {
        if (!isFailure(error) || turn === mostTurns) throw error;
      }
    }
  };
}

const profiles: Readonly<Record<string, string>> = {
  auth: "errors",
  envelope: "errors",
  extensions: "extensions",
  errors: "errors",
  http: "http",
  isolation: "isolation",
  paging: "paging",
  schemas: "schemas",
  subscribers: "subscribers",
  text: "text",
  time: "time",
};

/** The part of the suite that a check belongs to, by the first word of its id. */
function profileOf(id: string): string {
  const [first = "", second] = id.split(".");
  return second === "observed" ? "observed" : (profiles[first] ?? "core");
}

/** Returns the anchor of a clause: "4.6 end_date" → "docs/contract.md#4.6", "R4.2" → "docs/rulings.md#r4.2". */
export function cited(clause: string): string {
  const [section = ""] = clause.split(" ");
  if (section.startsWith("X")) return `docs/extensions.md#${section.toLowerCase()}`;
  return section.startsWith("R") ? `docs/rulings.md#${section.toLowerCase()}` : `docs/contract.md#${section}`;
}
