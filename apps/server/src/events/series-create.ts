import type { ParameterFailure, Params, Payload } from "@kalends/spec";
import { lockCalendar, type LockedCalendar, requireSpace } from "../calendars/lock-queries.js";
import { bytesOfSeries } from "../calendars/stored-bytes.js";
import { initial } from "../db/columns.js";
import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import type { Transaction } from "../db/transaction.js";
import { datesOf, lengthOf, localOf } from "./dates.js";
import {
  invalid,
  type InvalidParameter,
  newTexts,
  type Publication,
  publicationOf,
  publishedNow,
  requireExtras,
  resetFields,
  sentExtras,
} from "./fields.js";
import { addMany, changeEvents } from "./many.js";
import { lockEvent } from "./queries.js";
import type { Template } from "./revisions.js";
import type { Context } from "../http/handler.js";
import { mostEvents } from "../http/limits.js";
import type { Expansion, Refusal } from "./series-expand.js";
import { extendSeconds, firstPlace, followRule, lastPlace, parsePlaces, wallTimes } from "./series-plan.js";
import { printTemplate, readTemplate, templateOf } from "./series-template.js";
import type { NewSeries } from "./series-queries.js";
import * as queries from "./series-queries.js";
import { withoutPrefix } from "./recurrence-rule.js";
import { noSeriesId, nothingDone, seriesPayload } from "./series-serialize.js";

export const defaultLengthSeconds = 3600;

type CreateParams = Params<"eventsSeriesCreate">;

/** The first event of a series: its times, and what those that repeat it have too. */
export type FirstEvent = Pick<SeriesRow, "timezone" | "all_day" | "length"> & {
  readonly start: number;
  readonly template: Template;
};

/** The fields of a new first event, which are required unless an event that is there becomes the first. */
export type NewEventParams = CreateParams & Params<"eventsCreate">;

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
  const template = {
    ...initial,
    ...newTexts(params),
    title,
    color_id,
    ...sentExtras(params, initial, error),
  };
  return { template, timezone, all_day, start, length };
}

/** The first event where it is there already. */
export function firstIs(params: CreateParams, event: EventRow, error: InvalidParameter): FirstEvent {
  const { event_id: _event, rrule: _rule, rdate: _rdate, exdate: _exdate, dry_run: _dry, ...more } = params;
  const { tell: _tell, note: _note, ...others } = more;
  const given = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const code = "not_allowed";
  const message = "must not be given with event_id; change the event before";
  const refused: ParameterFailure[] = given.map((parameter) => ({ parameter, message, code }));
  if (event.series_id !== 0)
    refused.push({ parameter: "event_id", message: "must be an event that is in no series", code });
  if (refused.length > 0) throw error("parameter_invalid", refused);
  const { timezone, all_day, start_local } = event;
  return { template: templateOf(event), timezone, all_day, start: start_local, length: lengthOf(event) };
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

interface Create extends Pick<
  Context<"eventsSeriesCreate">,
  "accountId" | "calendars" | "now" | "wrote" | "error"
> {
  readonly trx: Transaction;
}

type Created = Payload<"eventsSeriesCreate">;

export async function createNew(params: NewEventParams, create: Create): Promise<Created> {
  const { trx, now, accountId, wrote, error } = create;
  const calendar = await lockCalendar(trx, { accountId, calendarId: Number(params.calendar_id) });
  if (calendar === undefined) throw error("calendar_not_found");
  await requireExtras(trx, calendar, params, error);
  const publication = publicationOf(params, publishedNow, now, error);
  const first = firstOf(params, calendar, error);
  const { row, shown, places } = await storeSeries(params, calendar, first, create);
  const created = await addEvents(trx, calendar, row, places, { now, ...publication });
  wrote({ calendarId: calendar.id });
  return seriesPayload(shown, created.length, { ...nothingDone, created }, params.dry_run);
}

/** Makes an event that is in no series the first of one: it keeps its UID, its times and its texts. */
export async function createFrom(params: CreateParams, eventId: number, create: Create): Promise<Created> {
  const { trx, now, wrote, error } = create;
  const found = await lockEvent(trx, create, eventId);
  if (found === undefined) throw error("event_not_found");
  const { event, calendar } = found;
  const first = firstIs(params, event, error);
  const { row, shown, places } = await storeSeries(params, calendar, first, create);
  if (!places.includes(first.start))
    throw invalid("exdate", "must not name the start of the event", "not_allowed", error);
  const joined = { ...event, series_id: row.id, series_place: first.start };
  await queries.joinSeries(trx, joined);
  // Those who follow the changes see that it has a series now.
  const changed = await changeEvents(trx, calendar, [[joined, {}]], now);
  const others = places.filter((place) => place !== first.start);
  const { state, publish_at } = event;
  const created = await addEvents(trx, calendar, row, others, { now, state, publish_at });
  wrote({ calendarId: calendar.id, eventId });
  return seriesPayload(shown, places.length, { ...nothingDone, created, changed }, params.dry_run);
}

async function storeSeries(
  params: CreateParams,
  calendar: LockedCalendar,
  first: FirstEvent,
  { trx, now, error }: Create,
) {
  const { series, places } = await plannedSeries(params, calendar, first, now, error);
  requireSpace(trx, calendar, bytesOfSeries(series));
  const row = await queries.insertSeries(trx, series);
  return { row, places, shown: params.dry_run === "true" ? { ...row, id: noSeriesId } : row };
}

/** Stores the events of a series at these places, or its drafts, and announces each event. Returns them in the order of the places. */
export function addEvents(
  trx: Transaction,
  calendar: LockedCalendar,
  series: SeriesRow,
  places: readonly number[],
  { now, state, publish_at }: Publication & { readonly now: number },
): Promise<readonly EventRow[]> {
  const template = readTemplate(series);
  const times = (place: number) => datesOf(wallTimes(series, place));
  const { timezone, all_day, id: series_id } = series;
  const zoned = { ...template, timezone, all_day, series_id, state, publish_at };
  const fieldsOf = (place: number) => ({ ...times(place), series_place: place });
  return addMany(trx, calendar, { template: zoned, items: places, fieldsOf }, now);
}
