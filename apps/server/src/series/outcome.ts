import type { Payload } from "@kalends/spec";
import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { formatWallClock } from "../time/formats.js";
import { type ClockNote, clockNotes } from "./clock-notes.js";

/** What a write of a series has done to its events, the changed ones as they were and as they are. */
export interface Outcome {
  readonly created: readonly EventRow[];
  readonly changed: readonly (readonly [before: EventRow, after: EventRow])[];
  readonly deleted: readonly EventRow[];
  /** How many events of the series it has left as they are. */
  readonly kept: number;
}

export const nothingDone: Outcome = { created: [], changed: [], deleted: [], kept: 0 };

/** Carries the answer of a dry run out of its transaction, which is rolled back. */
class DryRun extends Error {
  readonly payload: unknown;

  constructor(payload: unknown) {
    super("a dry run is rolled back");
    this.payload = payload;
  }
}

/**
 * Runs a write, or, for a dry run, the same write up to its end and then takes it back: so what a dry run returns is what the write
 * does, its errors too (extensions X8.2).
 * @param write calls `finish` with its payload, last of all
 */
export async function orDryRun<Result>(
  dryRun: "true" | "false" | undefined,
  write: (finish: (result: Result) => Result) => Promise<Result>,
): Promise<Result> {
  let payload: Result | undefined;
  const finish = (result: Result): Result => {
    if (dryRun !== "true") return result;
    payload = result;
    throw new DryRun(result);
  };
  try {
    return await write(finish);
  } catch (error) {
    if (error instanceof DryRun && payload !== undefined && error.payload === payload) return payload;
    throw error;
  }
}

/** No series has this id: a dry run returns it for one that it would create. */
export const noSeriesId = Number.MAX_SAFE_INTEGER;

/** What a dry run says besides; undefined of a write. `series` is what the created and changed events belong to then. */
export function dryRunOf(
  dryRun: "true" | "false" | undefined,
  { created, changed, deleted, kept }: Outcome,
  series: SeriesRow,
): Payload<"createSeries">["dry_run"] {
  if (dryRun !== "true") return undefined;
  const after = bySoonest([...created, ...changed.map(([, event]) => event)]);
  return {
    created: created.length,
    changed: changed.length,
    deleted: deleted.length,
    kept,
    created_dates: startsOf(created),
    changed_dates: changed
      .toSorted(([, one], [, other]) => one.start_at - other.start_at || one.id - other.id)
      .map(([before, event]) => ({
        event_id: String(event.id),
        from: formatWallClock(before.start_local),
        to: formatWallClock(event.start_local),
      })),
    deleted_dates: startsOf(deleted),
    notes: notesOf(after, series),
  };
}

const bySoonest = (events: readonly EventRow[]): readonly EventRow[] =>
  events.toSorted((one, other) => one.start_at - other.start_at || one.id - other.id);

const startsOf = (events: readonly EventRow[]): string[] =>
  bySoonest(events).map(({ start_local }) => formatWallClock(start_local));

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
