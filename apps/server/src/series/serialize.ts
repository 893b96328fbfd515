import type { Payload } from "@kalends/spec";
import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { dryRunOf, type Outcome } from "./outcome.js";
import { shownPlaces } from "./plan.js";

/** What a write answers with. `total` is how many events the series has. */
export function seriesPayload(
  series: SeriesRow,
  total: number,
  outcome: Outcome,
  dryRun: "true" | "false" | undefined,
): Payload<"createSeries"> {
  const changed = outcome.changed.map(([, event]) => event);
  const dry_run = dryRunOf(dryRun, outcome, series);
  if (dry_run === undefined)
    return { series: shownSeries(series, total), event_ids: idsOf([...changed, ...outcome.created]) };
  return { series: shownSeries(series, total), event_ids: idsOf(changed), dry_run };
}

export function deletedPayload(
  series: SeriesRow,
  outcome: Outcome,
  dryRun: "true" | "false" | undefined,
): Payload<"deleteSeries"> {
  const dry_run = dryRunOf(dryRun, outcome, series);
  const deleted = { status: "deleted" as const, event_ids: idsOf(outcome.deleted) };
  return dry_run === undefined ? deleted : { ...deleted, dry_run };
}

export function shownSeries(series: SeriesRow, total: number): Payload<"createSeries">["series"] {
  return {
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
  };
}

/** The ids of events, soonest first. */
export function idsOf(events: readonly Pick<EventRow, "id" | "start_at">[]): string[] {
  return events
    .toSorted((one, other) => one.start_at - other.start_at || one.id - other.id)
    .map(({ id }) => String(id));
}
