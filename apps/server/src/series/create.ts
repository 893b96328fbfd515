import type { ParameterFailure, Params } from "@kalends/spec";
import type { LockedCalendar } from "../calendars/lock-queries.js";
import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { localOf } from "../events/dates.js";
import { invalid, type InvalidParameter, newTexts, resetFields, sentExtras } from "../events/fields.js";
import { initial } from "../db/columns.js";
import type { Template } from "../events/revisions.js";
import { mostEvents } from "../http/limits.js";
import type { Expansion, Refusal } from "./expand.js";
import { extendSeconds, firstPlace, followRule, lastPlace, parsePlaces } from "./plan.js";
import type { NewSeries } from "./queries.js";
import { withoutPrefix } from "./recurrence-rule.js";
import { printTemplate, templateOf } from "./template.js";

export const defaultLengthSeconds = 3600;

type CreateParams = Params<"createSeries">;

/** The first event of a series: its times, and what those that repeat it have too. */
export type FirstEvent = Pick<SeriesRow, "timezone" | "all_day" | "length"> & {
  readonly start: number;
  readonly template: Template;
};

/** The fields of a new first event, which are required unless an event that is there becomes the first. */
export type NewEventParams = CreateParams & Params<"addEvent">;

/** @throws Error of a parameter that is missing */
export function requireNew(params: CreateParams, error: InvalidParameter): NewEventParams {
  const { calendar_id, title, start_date } = params;
  const given = { calendar_id, title, start_date };
  const message = "is required, unless event_id is given";
  const missing = Object.entries(given).flatMap(([parameter, value]) =>
    value === undefined ? [{ parameter, message, code: "missing" as const }] : [],
  );
  if (calendar_id === undefined || title === undefined || start_date === undefined)
    throw error("parameter_invalid", missing);
  return { ...params, calendar_id, title, start_date };
}

/** The first event as a request has it. */
export function firstOf(
  params: NewEventParams,
  calendar: LockedCalendar,
  error: InvalidParameter,
): FirstEvent {
  const { title, timezone, color_id, all_day } = resetFields(params, calendar, error);
  const start = localOf(params.start_date);
  const length = params.end_date === undefined ? defaultLengthSeconds : localOf(params.end_date) - start;
  const template = { ...initial, ...newTexts(params), title, color_id, ...sentExtras(params) };
  return { template, timezone, all_day, start, length };
}

/** The first event where it is there already. */
export function firstIs(params: CreateParams, event: EventRow, error: InvalidParameter): FirstEvent {
  const { event_id: _event, rrule: _rule, rdate: _rdate, exdate: _exdate, dry_run: _dry, ...others } = params;
  const given = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const code = "not_allowed";
  const message = "must not be given with event_id; change the event before";
  const refused: ParameterFailure[] = given.map((parameter) => ({ parameter, message, code }));
  if (event.series_id !== 0)
    refused.push({ parameter: "event_id", message: "must be an event that is in no series", code });
  if (refused.length > 0) throw error("parameter_invalid", refused);
  const { timezone, all_day, start_local, end_local } = event;
  const length = Math.max(0, end_local - start_local);
  return { template: templateOf(event), timezone, all_day, start: start_local, length };
}

/** The series of a request and the places of its events. */
export async function plannedSeries(
  params: Pick<CreateParams, "rrule" | "rdate" | "exdate">,
  calendar: LockedCalendar,
  { start, length, timezone, all_day, template }: FirstEvent,
  now: number,
  error: InvalidParameter,
): Promise<{ readonly series: NewSeries; readonly places: readonly number[] }> {
  const rule = {
    rrule: withoutPrefix(params.rrule),
    rdate: placesGiven("rdate", params.rdate, start, error),
    exdate: placesGiven("exdate", params.exdate, start, error),
    rule_timezone: timezone,
    rule_all_day: all_day,
    start_local: start,
    length,
  };
  const expansion = checked(await followRule(rule, { now }), error);
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
  throw invalid("rrule", message, "too_early", error);
}

/** `rdate` or `exdate` as it is stored. */
export function placesGiven(
  parameter: "rdate" | "exdate",
  text: string | undefined,
  start: number,
  error: InvalidParameter,
): string {
  const places = parsePlaces(text ?? "", start);
  if (places === undefined) throw invalid(parameter, "must be real dates", "not_a_date", error);
  return places.join(",");
}
