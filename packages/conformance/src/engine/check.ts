import type { CheckInfo, Level } from "../types.js";
import { type ClauseId, clauses } from "../clauses.js";
import type { Kit } from "./kit.js";

/** What a check cannot do without; it is skipped, visibly, where that is missing. */
export interface Needs {
  /** False for a check that sends no write. Default true. */
  readonly writes?: boolean;
  /** A second account. */
  readonly other?: boolean;
  /** The calendar of `--subscribers-calendar`. */
  readonly subscribers?: boolean;
  /** Runs when all others have ended, to judge what they recorded. */
  readonly last?: boolean;
}

export interface Check extends CheckInfo {
  /** The sentences of the contract, or the rulings, that it holds. The first is the one it cites. */
  readonly covers: readonly ClauseId[];
  readonly needs: Needs;
  readonly run: (kit: Kit) => Promise<void>;
}

type Define = (
  id: string,
  covers: ClauseId | readonly [ClauseId, ...ClauseId[]],
  title: string,
  run: (kit: Kit) => Promise<void>,
  needs?: Needs,
) => Check;

/** The three ways to declare a check of a profile. */
export function profile(name: string): Readonly<Record<Level, Define>> {
  const level =
    (kind: Level): Define =>
    (id, covers, title, run, needs = {}) => {
      const all: readonly [ClauseId, ...ClauseId[]] = typeof covers === "string" ? [covers] : covers;
      const [first] = all;
      const cites = { clause: cited(first), sentence: clauses[first] };
      return { id, level: kind, ...cites, profile: name, title, covers: all, needs, run };
    };
  return { required: level("required"), recommended: level("recommended"), observed: level("observed") };
}

/** "4.6 end_date" → "service.md 4.6"; "R4.2" → "rulings R4.2". */
export function cited(clause: string): string {
  const [section = ""] = clause.split(" ");
  return section.startsWith("R") ? `rulings ${section}` : `service.md ${section}`;
}
