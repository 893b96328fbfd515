import { type Params, startDateRule } from "@kalends/spec";
import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { type EventDates, localOf } from "../events/dates.js";
import { invalid, type InvalidParameter, sentFields } from "../events/fields.js";
import type { LockedEvent } from "../events/queries.js";
import type { EventChange } from "../events/revisions.js";
import { isDateAlone, pastYear9999, year1900 } from "../time/formats.js";
import { wallTimes } from "./member-events.js";
import { datesOf } from "./expand.js";
import { printTemplate, readTemplate } from "./template.js";

/** What an update of several events changes. */
export interface SeriesChange {
  /** The series after it; its rule is as it was. */
  readonly series: SeriesRow;
  /** What becomes of one of its events. */
  readonly changeOf: (event: EventRow) => EventChange;
}

/**
 * What the fields that were sent change in the events of a series (extensions X5.3). One that was changed by itself keeps what was
 * not sent.
 */
export function seriesChange(
  params: Params<"updateSeries">,
  found: LockedEvent,
  series: SeriesRow,
  error: InvalidParameter,
): SeriesChange {
  const { start_date, end_date } = params;
  const { start_date: _start, end_date: _end, ...others } = params;
  const sent = sentFields(others, found, error);
  const timezone = params.timezone === undefined ? undefined : sent.timezone;
  const all_day = params.all_day_event === undefined ? undefined : sent.all_day;
  const texts = textsOf(sent);
  const moved = {
    ...series,
    template: printTemplate({ ...readTemplate(series), ...texts }),
    timezone: timezone ?? series.timezone,
    all_day: all_day ?? series.all_day,
  };
  requireTimes(params, moved, error);
  const isTimed = [start_date, end_date, timezone, all_day].some((value) => value !== undefined);
  if (!isTimed) return { series: moved, changeOf: () => texts };
  const start = start_date === undefined ? found.event.start_local : localOf(start_date);
  const after = {
    ...moved,
    shift: start_date === undefined ? series.shift : start - found.event.series_place,
    length: lengthGiven(end_date, start, series.length, error),
  };
  const changeOf = (event: EventRow): EventChange => {
    const zoned = { timezone: timezone ?? event.timezone, all_day: all_day ?? event.all_day };
    const own = ownTimes(event, series);
    const dates = datesOf({
      ...wallTimes({ ...after, ...zoned }, event.series_place),
      ...(start_date === undefined && own !== undefined ? { start: own.start } : {}),
      ...(end_date === undefined && own !== undefined ? { length: own.length } : {}),
    });
    requireYears(dates, error);
    return { ...texts, ...zoned, ...dates };
  };
  return { series: after, changeOf };
}

/** The years that dates are read in (rulings R4.2). */
function requireYears({ start_local, end_local }: EventDates, error: InvalidParameter): void {
  if (start_local < year1900)
    throw invalid("start_date", "must not be before the year 1900", "too_early", error);
  if (end_local >= pastYear9999)
    throw invalid("end_date", "must be before the year 10000", "too_late", error);
}

/** What was sent without the times, which are those of one event. */
function textsOf(change: EventChange): EventChange {
  const { timezone: _zone, all_day: _allDay, start_month: _month, ...timeless } = change;
  const { start_local: _start, end_local: _end, start_at: _startAt, end_at: _endAt, ...texts } = timeless;
  return texts;
}

/** The start and length of an event that was moved by itself; undefined of one that is where the series has it. */
function ownTimes(event: EventRow, series: SeriesRow) {
  const { timezone, all_day } = event;
  const dates = datesOf(wallTimes({ ...series, timezone, all_day }, event.series_place));
  if (dates.start_local === event.start_local && dates.end_local === event.end_local) return undefined;
  return { start: event.start_local, length: Math.max(0, event.end_local - event.start_local) };
}

function lengthGiven(end_date: string | undefined, start: number, length: number, error: InvalidParameter) {
  if (end_date === undefined) return length;
  const given = end_date === "" ? 3600 : localOf(end_date) - start;
  if (given < 0) throw invalid("end_date", "must not be before start_date", "too_early", error);
  return given;
}

/** A date alone is for all-day events (rulings R4.2). */
function requireTimes(
  { start_date, end_date }: Params<"updateSeries">,
  { all_day }: SeriesRow,
  error: InvalidParameter,
): void {
  for (const [parameter, date] of Object.entries({ start_date, end_date }))
    if (date !== undefined && all_day === 0 && isDateAlone(date))
      throw invalid(parameter, startDateRule, "not_a_date", error);
}
