import type { Payload } from "@kalends/spec";
import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { shownPlaces } from "./plan.js";

/** A series and those of its events that a write created or changed. `total` is how many events it has. */
export function seriesPayload(
  series: SeriesRow,
  events: readonly EventRow[],
  total: number,
): Payload<"createSeries"> {
  return {
    series: {
      id: String(series.id),
      calendar_id: String(series.calendar_id),
      rrule: series.rrule,
      rdate: shownPlaces(series.rdate, series),
      exdate: shownPlaces(series.exdate, series),
      shift_minutes: series.shift / 60,
      timezone: series.timezone,
      all_day_event: series.all_day === 1,
      endless: series.next_at !== null,
      events_count: total,
    },
    event_ids: idsOf(events),
  };
}

/** The ids of events, soonest first. */
export function idsOf(events: readonly EventRow[]): string[] {
  return events
    .toSorted((one, other) => one.start_at - other.start_at || one.id - other.id)
    .map(({ id }) => String(id));
}
