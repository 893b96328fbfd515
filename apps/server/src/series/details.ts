import type { Payload } from "@kalends/spec";
import type { SeriesRow } from "../db/series-row.js";
import { formatWallClock } from "../time/formats.js";
import { wallTimes } from "./member-events.js";
import { datesOf } from "./expand.js";
import type { ComparedEvent } from "./queries.js";
import { storedPlaces } from "./rule-change.js";
import { idsOf, shownSeries } from "./serialize.js";

/** A series as it is read: what it has, and what differs from it (extensions X8.2). */
export async function seriesDetails(
  series: SeriesRow,
  events: readonly ComparedEvent[],
  now: number,
): Promise<Payload<"getSeries">> {
  const existing = new Set(events.map(({ series_place }) => series_place));
  const named = await storedPlaces(series, now);
  const deleted = named.filter((place) => !existing.has(place));
  return {
    series: shownSeries(series, events.length),
    first_event_id: idsOf(events)[0] ?? "",
    upcoming_count: events.filter(({ start_at }) => start_at >= now).length,
    changed_event_ids: idsOf(events.filter((event) => isChanged(event, series))),
    deleted_dates: deleted.map((place) => formatWallClock(datesOf(wallTimes(series, place)).start_local)),
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
