import type { LockedCalendar } from "../calendars/lock-queries.js";
import type { Transaction } from "../db/transaction.js";
import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import type { Publication } from "../events/fields.js";
import { addMany } from "../events/many.js";
import { datesOf, type WallTimes } from "./expand.js";
import { readTemplate } from "./template.js";

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

/** The times of the event at a place, unless it was changed by itself. */
export function wallTimes({ shift, length, all_day, timezone }: SeriesRow, place: number): WallTimes {
  return { start: place + shift, length, allDay: all_day === 1, timezone };
}
