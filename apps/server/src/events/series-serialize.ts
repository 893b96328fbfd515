import type { Payload } from "@kalends/spec";
import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { formatWallClock } from "../time/formats.js";
import { toLocal, toUnix } from "../time/zones.js";
import { shownPlaces } from "./series-plan.js";

/** What a write answers with. `total` is how many events the series has. */
export function seriesPayload(
  series: SeriesRow,
  total: number,
  outcome: Outcome,
  dryRun: "true" | "false" | undefined,
): Payload<"eventsSeriesCreate"> {
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
): Payload<"eventsSeriesDelete"> {
  const dry_run = dryRunOf(dryRun, outcome, series);
  const deleted = { status: "deleted" as const, event_ids: idsOf(outcome.deleted) };
  return dry_run === undefined ? deleted : { ...deleted, dry_run };
}

export function shownSeries(series: SeriesRow, total: number): Payload<"eventsSeriesCreate">["series"] {
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

type Timed = Pick<EventRow, "id" | "start_at">;

/** The ids of events, soonest first. */
export function idsOf(events: readonly Timed[]): string[] {
  return events.toSorted(bySoonest).map(({ id }) => String(id));
}

/** What a write of a series has done to its events, the changed ones as they were and as they are. */
export interface Outcome {
  readonly created: readonly EventRow[];
  readonly changed: readonly (readonly [before: EventRow, after: EventRow])[];
  readonly deleted: readonly EventRow[];
  /** How many events of the series it has left as they are. */
  readonly kept: number;
}

export const nothingDone: Outcome = { created: [], changed: [], deleted: [], kept: 0 };

/** No series has this id: a dry run returns it for one that it would create. */
export const noSeriesId = Number.MAX_SAFE_INTEGER;

/** What a dry run says besides; undefined of a write. `series` is what the created and changed events belong to then. */
export function dryRunOf(
  dryRun: "true" | "false" | undefined,
  { created, changed, deleted, kept }: Outcome,
  series: SeriesRow,
): Payload<"eventsSeriesCreate">["dry_run"] {
  if (dryRun !== "true") return undefined;
  const after = [...created, ...changed.map(([, event]) => event)].toSorted(bySoonest);
  return {
    created: created.length,
    changed: changed.length,
    deleted: deleted.length,
    kept,
    created_dates: startsOf(created),
    changed_dates: changed
      .toSorted(([, one], [, other]) => bySoonest(one, other))
      .map(([before, event]) => ({
        event_id: String(event.id),
        from: formatWallClock(before.start_local),
        to: formatWallClock(event.start_local),
      })),
    deleted_dates: startsOf(deleted),
    notes: notesOf(after, series),
  };
}

const bySoonest = (one: Timed, other: Timed): number => one.start_at - other.start_at || one.id - other.id;

const startsOf = (events: readonly EventRow[]): string[] =>
  events.toSorted(bySoonest).map(({ start_local }) => formatWallClock(start_local));

/** Of events that are where their series has them: those that were moved by themselves have no time that a rule names. */
function notesOf(events: readonly EventRow[], { shift }: SeriesRow): ClockNote[] {
  return events
    .filter(({ all_day }) => all_day === 0)
    .flatMap((event) =>
      clockNotes([event.series_place + shift], event.timezone).filter(
        ({ becomes }) => becomes === formatWallClock(event.start_local),
      ),
    );
}

/** A start that a change of the clock skips or repeats. */
export interface ClockNote {
  readonly date: string;
  readonly becomes: string;
  readonly note: string;
}

/** By how much clocks go back, in seconds: by an hour, by half of one on Lord Howe, by two in Antarctica and in double summer time. */
const backSeconds = [1_800, 3_600, 7_200];

/** Names the wall clocks, in seconds, that the clock of a zone skips or repeats (rulings R4.3). */
export function clockNotes(starts: readonly number[], zone: string): ClockNote[] {
  return starts.flatMap((start) => {
    const at = toUnix(start, zone);
    const shown = toLocal(at, zone);
    const [date, becomes] = [formatWallClock(start), formatWallClock(shown)];
    const time = becomes.slice("YYYY-MM-DDT".length);
    if (shown !== start) return [{ date, becomes, note: `skipped by the clock change, becomes ${time}` }];
    const isRepeated = backSeconds.some((seconds) => toLocal(at + seconds, zone) === start);
    return isRepeated ? [{ date, becomes, note: `occurs twice, the first ${time} is meant` }] : [];
  });
}
