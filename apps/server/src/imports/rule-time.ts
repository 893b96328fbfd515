import { ruleMs } from "../http/limits.js";
import type { Rule } from "../series/recurrence-rule.js";
import { walkPeriods } from "../series/walk.js";
import { stopwatch } from "../time/stopwatch.js";
import { EventSkipped } from "./moments.js";
import { FileRefused } from "./reader.js";

/** Periods of a rule that are followed between two looks at the time. */
const atOnce = 256;

/** Follows the rules of one file, those of its time zones too, each and all of them for a limited time. */
export class RuleTime {
  private leftMs: number;
  private readonly ofOneMs: number;

  constructor({ ofAllMs = 5_000, ofOneMs = ruleMs } = {}) {
    this.leftMs = ofAllMs;
    this.ofOneMs = ofOneMs;
  }

  /**
   * Yields the wall clocks of a rule from `start` on, in order.
   * @throws EventSkipped when the rule takes too long; FileRefused when the rules of the file do
   */
  *walk(rule: Rule, start: number): Generator<number> {
    if (this.leftMs < 0) throw new FileRefused("The file has rules that name too few dates, or too many");
    const elapsed = stopwatch();
    let periods = 0;
    try {
      for (const period of walkPeriods(rule, start)) {
        yield* period;
        if (++periods % atOnce === 0 && elapsed() > this.ofOneMs)
          throw new EventSkipped(`RRULE takes more than ${this.ofOneMs} ms to follow`);
      }
    } finally {
      this.leftMs -= elapsed();
    }
  }
}
