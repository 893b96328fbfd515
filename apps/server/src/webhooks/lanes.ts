import type { WebhookDeliveryRow } from "../db/rows.js";

// Which of the deliveries of an endpoint a run sends. A suspect is one that a process ended with: it is sent alone.

/** Deliveries of a run, which are sent one after the other. */
export const mostInRun = 32;

/** A delivery that is due. */
export type Waiting = Pick<WebhookDeliveryRow, "id" | "calendar_id" | "attempts" | "unfinished_starts">;

export const isSuspect = (row: Waiting | undefined): boolean =>
  row !== undefined && row.unfinished_starts > 0;

/** The deliveries of each calendar that no one sends now, the oldest calendar first; of one calendar up to the next suspect. */
export function lanesOf(
  rows: readonly Waiting[],
  live: readonly Pick<Waiting, "attempts" | "calendar_id">[],
): readonly (readonly Waiting[])[] {
  const busy = new Set(live.filter(({ attempts }) => attempts === 0).map(({ calendar_id }) => calendar_id));
  const lanes = new Map<number, Waiting[]>();
  const ended = new Set<number>();
  for (const row of rows) {
    const { calendar_id } = row;
    if (busy.has(calendar_id) || ended.has(calendar_id)) continue;
    const lane = lanes.get(calendar_id) ?? [];
    if (lane.length > 0 && isSuspect(row)) ended.add(calendar_id);
    else if (lane.length < mostInRun) lane.push(row);
    lanes.set(calendar_id, lane);
  }
  return [...lanes.values()];
}

/** The usual later attempts together, suspects each by itself. */
export function againOf(rows: readonly Waiting[]): readonly (readonly Waiting[])[] {
  const usual = rows.filter((row) => !isSuspect(row));
  return [...(usual.length > 0 ? [usual] : []), ...rows.filter(isSuspect).map((row) => [row])];
}

/**
 * Chooses what a run sends: the oldest that was never tried, and the next time something that failed, so that neither waits for the
 * other; suspects after all others, those first that a process ended with least often.
 */
export function chosenOf(
  lanes: readonly (readonly Waiting[])[],
  live: readonly Pick<Waiting, "attempts">[],
  suspects: boolean,
): readonly Waiting[] | undefined {
  const isFirst = ([row]: readonly Waiting[]): boolean => row?.attempts === 0;
  const sendsFirst = live.some(({ attempts }) => attempts === 0);
  const usual = lanes.filter(([row]) => !isSuspect(row));
  const chosen = usual.find((lane) => isFirst(lane) !== sendsFirst) ?? usual[0];
  if (chosen !== undefined || !suspects) return chosen;
  const starts = ([row]: readonly Waiting[]): number => row?.unfinished_starts ?? 0;
  return lanes.toSorted((one, other) => starts(one) - starts(other))[0]?.slice(0, 1);
}
