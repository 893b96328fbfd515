import type { ParameterFailure, Params, Payload } from "@kalends/spec";
import type { SeriesRow } from "../db/series-row.js";
import { datesOf, localOf } from "./dates.js";
import { invalid, type InvalidParameter } from "./fields.js";
import { isTrue } from "../http/parameter-checks.js";
import { formatWallClock } from "../time/formats.js";
import { checked, defaultLengthSeconds, placesGiven, requireReach } from "./series-create.js";
import { followRule, wallTimes } from "./series-plan.js";
import type { ComparedEvent } from "./series-queries.js";
import { withoutPrefix } from "./recurrence-rule.js";
import { isDivided, placesLeftOut, storedPlaces } from "./rule-change.js";
import { clockNotes, idsOf, shownSeries } from "./series-serialize.js";

/** A series as it is read: what it has, and what differs from it (extensions X8.2). */
export async function seriesDetails(
  series: SeriesRow,
  events: readonly ComparedEvent[],
  now: number,
): Promise<Payload<"eventsSeriesDetails">> {
  const existing = new Set(events.map(({ series_place }) => series_place));
  const named = await storedPlaces(series, now);
  const deleted = named.filter((place) => !existing.has(place));
  const startOf = (place: number) => formatWallClock(datesOf(wallTimes(series, place)).start_local);
  const leftOut = await placesLeftOut(series, now);
  return {
    series: shownSeries(series, events.length),
    first_event_id: idsOf(events)[0] ?? "",
    upcoming_count: events.filter(({ start_at }) => start_at >= now).length,
    changed_event_ids: idsOf(events.filter((event) => isChanged(event, series))),
    deleted_dates: deleted.map(startOf),
    left_out_count: leftOut.length,
    left_out_from: leftOut.slice(0, 1).map(startOf).join(),
    ends_on:
      isDivided(series) && series.next_at === null ? named.slice(-1).map(startOf).join().slice(0, 10) : "",
  };
}

/** Whether an event has other texts or times than its series would give it. */
function isChanged(event: ComparedEvent, series: SeriesRow): boolean {
  const { start_local, end_local } = datesOf(wallTimes(series, event.series_place));
  return (
    event.timezone !== series.timezone ||
    event.all_day !== series.all_day ||
    event.start_local !== start_local ||
    event.end_local !== end_local ||
    event.differs === 1
  );
}

/** Dates of a preview: what a person looks through. */
const mostShown = 60;

/** The dates that a series would have, by the functions that create one (extensions X8.2). */
export async function preview(
  params: Params<"eventsSeriesPreview">,
  now: number,
  error: InvalidParameter,
): Promise<Payload<"eventsSeriesPreview">> {
  const { timezone, rrule = "", rdate, exdate, all_day_event = "false" } = params;
  if (rrule === "" && rdate === undefined)
    throw invalid("rrule", "must be given, or rdate", "missing", error);
  const start = localOf(params.start_date);
  const allDay = isTrue(all_day_event);
  const rule = {
    rrule: withoutPrefix(rrule),
    rdate: placesGiven("rdate", rdate, start, error),
    exdate: placesGiven("exdate", exdate, start, error),
    rule_timezone: timezone,
    rule_all_day: allDay ? 1 : 0,
    start_local: start,
    length: defaultLengthSeconds,
  };
  const expansion = checked(await followRule(rule, { now }), (code, failures) =>
    error(code, failures.map(ofStart)),
  );
  requireReach(expansion, now, error);
  const { places, isEndless } = expansion;
  const starts = places.map((place) => datesOf({ start: place, length: 0, allDay, timezone }).start_local);
  return {
    dates: starts
      .toSorted((one, other) => one - other)
      .slice(0, mostShown)
      .map(formatWallClock),
    count: places.length,
    endless: isEndless,
    notes: allDay ? [] : clockNotes(places, timezone),
  };
}

/** A preview has no end: what is wrong with that of an hour is said of the start. */
function ofStart(failure: ParameterFailure): ParameterFailure {
  if (failure.parameter !== "end_date") return failure;
  return { ...failure, parameter: "start_date", message: "must leave an hour before the year 10000" };
}
