import { ruleMs } from "../http/limits.js";
import { pastUntil } from "../events/series-expand.js";
import { parseRule, type Rule } from "../events/recurrence-rule.js";
import { walkPeriods } from "../events/series-walk.js";
import { stopwatch } from "../time/stopwatch.js";
import { toLocal } from "../time/zones.js";
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
   * Yields the wall clocks of a rule from `start` on, in order. @param latest as of walkPeriods
   * @throws EventSkipped when the rule takes too long; FileRefused when the rules of the file do
   */
  *walk(rule: Rule, start: number, latest?: number): Generator<number> {
    if (this.leftMs < 0) throw new FileRefused("The file has rules that name too few dates, or too many");
    const elapsed = stopwatch();
    let periods = 0;
    try {
      for (const period of walkPeriods(rule, start, latest)) {
        yield* period;
        if (++periods % atOnce === 0 && elapsed() > this.ofOneMs)
          throw new EventSkipped(`RRULE takes more than ${this.ofOneMs} ms to follow`);
      }
    } finally {
      this.leftMs -= elapsed();
    }
  }
}

/** A rule of a file and the wall clock that it begins at, in seconds. */
export interface Repeated {
  readonly rule: string;
  readonly start: number;
  readonly zone: string;
  readonly isAllDay: boolean;
}

/** Dates that a rule is followed for: 50 years of days. */
const mostDates = 18_300;

/** The wall clocks of a series, oldest first. */
export interface Starts {
  readonly locals: readonly number[];
  /** Whether a rule that ends goes on beyond the horizon. */
  readonly isCut: boolean;
  /** Whether the rule has neither COUNT nor UNTIL. */
  readonly isEndless: boolean;
}

/**
 * Returns the starts of a series, of which its own is always one (RFC 5545 3.8.5.3).
 * @param horizon the instant up to which the rule is followed, in Unix seconds
 * @throws EventSkipped when the rule is not understood or takes too long; FileRefused when the rules of the file take too long
 */
export function startsOf(
  { rule: text, start, zone, isAllDay }: Repeated,
  { horizon, rules }: { readonly horizon: number; readonly rules: RuleTime },
): Starts {
  const rule = parseRule(text, { allDay: isAllDay, lenient: true });
  if (typeof rule === "string") throw new EventSkipped(`RRULE ${rule}`);
  const isPast = pastUntil(rule.until, { allDay: isAllDay, timezone: zone });
  const last = toLocal(horizon, zone);
  const isEndless = rule.count === undefined && rule.until === undefined;
  const locals = [start];
  for (const place of rules.walk(rule, start, last)) {
    if (locals.length === rule.count || isPast(place)) break;
    if (place > last) return { locals, isCut: !isEndless, isEndless };
    if (place === start) continue;
    if (locals.length >= mostDates) throw new EventSkipped("RRULE names too many dates");
    locals.push(place);
  }
  return { locals, isCut: false, isEndless };
}
