import { type Params, type Payload, startDateRule } from "@kalends/spec";
import { requireSpace } from "../calendars/lock-queries.js";
import { bytesOfSeries } from "../calendars/stored-bytes.js";
import type { Db } from "../db/database.js";
import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import type { Transaction } from "../db/transaction.js";
import { datesOf, type EventDates, lengthOf, localOf } from "./dates.js";
import { invalid, type InvalidParameter, sentFields } from "./fields.js";
import { changeEvents, removeEvents } from "./many.js";
import type { LockedEvent } from "./queries.js";
import type { EventChange } from "./revisions.js";
import { isDateAlone, pastYear9999, year1900 } from "../time/formats.js";
import { addEvents } from "./series-create.js";
import { firstPlace, wallTimes } from "./series-plan.js";
import { printTemplate, readTemplate } from "./series-template.js";
import * as queries from "./series-queries.js";
import { ruleChange } from "./rule-change.js";
import { noSeriesId, nothingDone, seriesPayload } from "./series-serialize.js";

/** An update in its transaction: the event that the request names, and its series. */
interface Update {
  readonly trx: Transaction;
  readonly now: number;
  readonly found: LockedEvent;
  readonly series: SeriesRow;
  readonly error: InvalidParameter;
}

/** Changes one event as `events/update/` does. */
export async function updateOne(
  params: Params<"eventsSeriesUpdate">,
  { trx, now, found, series, error }: Update,
): Promise<Payload<"eventsSeriesUpdate">> {
  const parameter = (["rrule", "rdate", "exdate"] as const).find((name) => params[name] !== undefined);
  if (parameter !== undefined)
    throw invalid(parameter, "must not be given with scope=this", "not_allowed", error);
  const change = [found.event, sentFields(params, found, error)] as const;
  const changed = await changeEvents(trx, found.calendar, [change], now);
  const all = await queries.findSeriesPlaces(trx, series.id);
  const outcome = { ...nothingDone, changed, kept: all.length - 1 };
  return seriesPayload(series, all.length, outcome, params.dry_run);
}

/** Changes an event and those that follow, or all. Where some come before, those that are changed become a series of their own. */
export async function updateMany(
  params: Params<"eventsSeriesUpdate">,
  { trx, now, found, series, error }: Update,
): Promise<Payload<"eventsSeriesUpdate">> {
  const { event, calendar } = found;
  const all = await queries.findSeriesPlaces(trx, series.id);
  const concerned = all.filter(
    ({ series_place }) => params.scope === "all" || series_place >= event.series_place,
  );
  const events = await queries.findSeriesEvents(trx, series.id, concerned);
  const isSplit = events.length < all.length;
  const before = isSplit ? { ...series, from_place: event.series_place } : series;
  const change = seriesChange(params, found, before, error);
  const isSameRule = [params.rrule, params.rdate, params.exdate].every((value) => value === undefined);
  const planned = isSameRule
    ? { series: change.series, by: 0, kept: events, removed: [], added: [] }
    : await ruleChange(params, { before, events, after: change.series, now }, error);
  requireSpace(trx, calendar, bytesOfSeries(planned.series) - (isSplit ? 0 : bytesOfSeries(series)));
  const after = isSplit ? await split(trx, series, planned.series, event, now) : planned.series;
  if (!isSplit) await queries.updateSeries(trx, after);
  if (isSplit || planned.by !== 0)
    await queries.moveEvents(trx, {
      from: series.id,
      to: after.id,
      place: isSplit ? event.series_place : firstPlace,
      by: planned.by,
    });
  const changes = planned.kept.map((each) => {
    const moved = { ...each, series_id: after.id, series_place: each.series_place + planned.by };
    return [moved, change.changeOf(each)] as const;
  });
  const changed = await changeEvents(trx, calendar, changes, now);
  await removeEvents(trx, calendar, planned.removed, now);
  // Further dates of a draft are drafts.
  const { state, publish_at } = event;
  const created = await addEvents(trx, calendar, after, planned.added, { now, state, publish_at });
  if (state === "published") await queries.knowAsImported(trx, after, created);
  const outcome = { created, changed, deleted: planned.removed, kept: all.length - events.length };
  const shown = isSplit && params.dry_run === "true" ? { ...after, id: noSeriesId } : after;
  return seriesPayload(shown, changed.length + created.length, outcome, params.dry_run);
}

/** Ends the series before an event, and stores the one that begins with it. */
async function split(
  trx: Db,
  series: SeriesRow,
  { id: _id, ...following }: SeriesRow,
  { series_place }: EventRow,
  now: number,
): Promise<SeriesRow> {
  await queries.updateSeries(trx, { ...series, before_place: series_place, next_at: null });
  return queries.insertSeries(trx, { ...following, created_at: now });
}

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
  params: Params<"eventsSeriesUpdate">,
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
  return { start: event.start_local, length: lengthOf(event) };
}

function lengthGiven(end_date: string | undefined, start: number, length: number, error: InvalidParameter) {
  if (end_date === undefined) return length;
  const given = end_date === "" ? 3600 : localOf(end_date) - start;
  if (given < 0) throw invalid("end_date", "must not be before start_date", "too_early", error);
  return given;
}

/** A date alone is for all-day events (rulings R4.2). */
function requireTimes(
  { start_date, end_date }: Params<"eventsSeriesUpdate">,
  { all_day }: SeriesRow,
  error: InvalidParameter,
): void {
  for (const [parameter, date] of Object.entries({ start_date, end_date }))
    if (date !== undefined && all_day === 0 && isDateAlone(date))
      throw invalid(parameter, startDateRule, "not_a_date", error);
}
