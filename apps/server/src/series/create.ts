import type { ParameterFailure, Params } from "@kalends/spec";
import type { LockedCalendar } from "../calendars/lock-queries.js";
import { localOf } from "../events/dates.js";
import { newTexts, resetFields, sentExtras } from "../events/fields.js";
import { initial } from "../events/revisions.js";
import { mostEvents } from "../http/limits.js";
import type { Expansion, Refusal } from "./expand.js";
import type { Follow } from "./follow.js";
import { extendSeconds, firstPlace, lastPlace, parsePlaces } from "./plan.js";
import type { NewSeries } from "./queries.js";
import { withoutPrefix } from "./rule.js";
import { printTemplate } from "./template.js";

/** Makes the error of a parameter that only the stored state, or several together, show to be wrong. */
export type InvalidParameter = (code: "parameter_invalid", failures: readonly ParameterFailure[]) => Error;

const defaultLengthSeconds = 3600;

/** The series of a request and the places of its events. */
export function plannedSeries(
  params: Params<"createSeries">,
  calendar: LockedCalendar,
  { now, follow }: { readonly now: number; readonly follow: Follow },
  error: InvalidParameter,
): { readonly series: NewSeries; readonly places: readonly number[] } {
  const { title, timezone, color_id, all_day } = resetFields(params, calendar, error);
  const start = localOf(params.start_date);
  const length = params.end_date === undefined ? defaultLengthSeconds : localOf(params.end_date) - start;
  const template = { ...initial, ...newTexts(params), title, color_id, ...sentExtras(params) };
  const rule = {
    rrule: withoutPrefix(params.rrule),
    rdate: placesGiven("rdate", params.rdate, start, error),
    exdate: placesGiven("exdate", params.exdate, start, error),
    rule_timezone: timezone,
    rule_all_day: all_day,
    start_local: start,
    length,
  };
  const expansion = checked(follow(rule, { now }), error);
  requireReach(expansion, now, error);
  const series = {
    ...rule,
    account_id: calendar.account_id,
    calendar_id: calendar.id,
    from_place: firstPlace,
    before_place: lastPlace,
    shift: 0,
    timezone,
    all_day,
    template: printTemplate(template),
    made_until: expansion.madeUntil,
    next_at: expansion.isEndless ? now + extendSeconds : null,
    created_at: now,
  };
  return { series, places: expansion.places };
}

/** The expansion, unless it was refused. */
export function checked(expansion: Expansion | Refusal, error: InvalidParameter): Expansion {
  if (!("message" in expansion)) return expansion;
  const { isTooSlow: _, ...failure } = expansion;
  throw error("parameter_invalid", [failure]);
}

/** An endless rule that began so long ago that its first events at most would all be past is refused. */
export function requireReach({ isCut, last }: Expansion, now: number, error: InvalidParameter): void {
  if (!isCut || last === undefined || last.start_at > now) return;
  const message = `must have its ${mostEvents.ofSeries}th event in the future; begin later`;
  throw error("parameter_invalid", [{ parameter: "rrule", message, code: "too_early" }]);
}

/** `rdate` or `exdate` as it is stored. */
export function placesGiven(
  parameter: "rdate" | "exdate",
  text: string | undefined,
  start: number,
  error: InvalidParameter,
): string {
  const places = parsePlaces(text ?? "", start);
  if (places === undefined)
    throw error("parameter_invalid", [{ parameter, message: "must be real dates", code: "not_a_date" }]);
  return places.join(",");
}
