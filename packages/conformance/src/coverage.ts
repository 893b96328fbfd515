import { clauses, notTestable } from "./clauses.js";
import { cited, type Check } from "./engine/check.js";

/** A sentence of the contract, or a ruling, and its checks. */
export interface CoverageLine {
  readonly clause: string;
  readonly sentence: string;
  readonly checks: readonly string[];
  /** Why no check over HTTP can judge it. */
  readonly notTestable?: string;
}

/** Clause → checks, in the order of the contract. */
export function coverageOf(checks: readonly Check[]): readonly CoverageLine[] {
  const line = ([clause, sentence]: readonly [string, string]): CoverageLine => ({
    clause: cited(clause),
    sentence,
    checks: checks.filter(({ covers }) => covers.some((covered) => covered === clause)).map(({ id }) => id),
  });
  const open = notTestable.map(([clause, sentence, reason]) => ({
    clause: cited(clause),
    sentence,
    checks: [],
    notTestable: reason,
  }));
  return [...Object.entries(clauses).map(line), ...open];
}
