import type { Event, SeriesScope, SeriesUpdate } from "@kalends/client/extensions";
import { api } from "../../api/client.js";
import { RequestFailure } from "../../api/requests.js";
import { changesOf, fieldsOf } from "./event-fields.js";
import type { Told } from "../../parts/telling.js";

/** All events of one series or several as they are, drafts too. */
export async function readEvents(
  calendarId: string,
  ...seriesIds: readonly string[]
): Promise<readonly Event[]> {
  const lists = [...new Set(seriesIds)].flatMap((series_id) =>
    (["true", "false"] as const).map((published) =>
      api.events
        .list({ calendar_id: calendarId, series_id, published, order_by: "date-asc" })
        .toArray({ limit: 1_000 }),
    ),
  );
  return (await Promise.all(lists)).flat();
}

/** How a write of the console has left events: those of a series that is changed again by another differ. */
export interface Left {
  /** The `updated_times` of each, by id. */
  readonly versions: ReadonlyMap<string, number>;
  /** Ids of those that may be gone: it may have deleted them. */
  readonly gone?: ReadonlySet<string>;
}

/** Reads events of series, to take a write back. @throws RequestFailure when someone has changed, added or deleted one since */
export async function readLeft(
  calendarId: string,
  seriesIds: readonly string[],
  { versions, gone }: Left,
): Promise<readonly Event[]> {
  const now = await readEvents(calendarId, ...seriesIds);
  const ids = new Set(now.map(({ id }) => id));
  const isMissing = [...versions.keys()].some((id) => !ids.has(id) && gone?.has(id) !== true);
  if (isMissing || now.some(({ id, updated_times }) => versions.get(id) !== updated_times))
    throw new RequestFailure(412, {});
  return now;
}

/**
 * How a change of several events of a series leaves them. A new event has been saved no times, each other one once more.
 * @param ids of those that it made or changed
 */
export function leftBy(
  before: readonly Event[],
  ids: readonly string[],
  event: Event,
  scope: SeriesScope,
): Left {
  const changed = new Set(ids);
  const versions = new Map(ids.map((id) => [id, 0]));
  for (const { id, updated_times } of before) versions.set(id, updated_times + (changed.has(id) ? 1 : 0));
  const others = before.filter(({ id }) => !changed.has(id));
  const gone = others.filter(({ start_date }) => scope === "all" || start_date >= event.start_date);
  return { versions, gone: new Set(gone.map(({ id }) => id)) };
}

interface Undo {
  readonly event: Event;
  /** The series that the change made of a part; that of the event when it is still the same. */
  readonly madeId: string;
  /** The events of the series before the change. */
  readonly before: readonly Event[];
  /** As the change has left them. */
  readonly left: Left;
  /** What the series had before. */
  readonly inverse: SeriesUpdate;
  readonly told: Told;
}

/**
 * Takes back a change of several events of a series: each is as it was, with its UID. What a rule deleted is restored first, so that the
 * rule of before finds it. A part that became a series of its own stays one. @throws RequestFailure when someone has changed one since
 */
export async function undoSeries({ event, madeId, before, left, inverse, told }: Undo): Promise<void> {
  const found = await readLeft(event.calendar_id, [event.series_id, madeId], left);
  await restoreMissing(before, found, told);
  const known = found.find(({ id }) => id === event.id);
  await api.events.series.update(event.id, "all", inverse, { ifMatch: known?.updated_times });
  const now = await readEvents(event.calendar_id, event.series_id, madeId);
  const extra = now.filter(({ id }) => before.every((each) => each.id !== id));
  if (extra.length > 0) await api.events.changeMany(extra, { delete: true, ...told });
  await restoreMissing(before, now, told);
  for (const was of before) {
    const is = now.find(({ id }) => id === was.id);
    const changes = is === undefined ? {} : changesOf(fieldsOf(is), fieldsOf(was));
    const ifMatch = is?.updated_times;
    if (Object.keys(changes).length > 0)
      await api.events.update(was.id, { ...changes, ...told }, { ifMatch });
  }
}

/** Deletes events that were made just now. @throws RequestFailure when someone has changed one since */
export async function removeNew(ids: readonly string[], told: Told): Promise<void> {
  const items = ids.map((id) => ({ id, updated_times: 0 }));
  const { done } = await api.events.changeMany(items, { delete: true, ...told });
  if (!done) throw new RequestFailure(412, {});
}

async function restoreMissing(before: readonly Event[], now: readonly Event[], told: Told): Promise<void> {
  for (const { id } of before)
    if (now.every((each) => each.id !== id)) await api.trash.restoreEvent(id, told);
}
