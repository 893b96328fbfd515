import type { Event, SeriesUpdate } from "@kalends/client/extensions";
import { api } from "../../api/client.js";
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

interface Undo {
  readonly event: Event;
  /** The series that the change made of a part; that of the event when it is still the same. */
  readonly madeId: string;
  /** The events of the series before the change. */
  readonly before: readonly Event[];
  /** What the series had before. */
  readonly inverse: SeriesUpdate;
  readonly told: Told;
}

/**
 * Takes back a change of several events of a series: each is as it was, with its UID. What a rule deleted is restored first, so that the
 * rule of before finds it. A part that became a series of its own stays one.
 */
export async function undoSeries({ event, madeId, before, inverse, told }: Undo): Promise<void> {
  const read = () => readEvents(event.calendar_id, event.series_id, madeId);
  await restoreMissing(before, await read(), told);
  await api.events.series.update(event.id, "all", inverse);
  const now = await read();
  const extra = now.filter(({ id }) => before.every((each) => each.id !== id));
  if (extra.length > 0) await api.events.changeMany(extra, { delete: true, ...told });
  await restoreMissing(before, now, told);
  for (const was of before) {
    const is = now.find(({ id }) => id === was.id);
    const changes = is === undefined ? {} : changesOf(fieldsOf(is), fieldsOf(was));
    if (Object.keys(changes).length > 0) await api.events.update(was.id, { ...changes, ...told });
  }
}

async function restoreMissing(before: readonly Event[], now: readonly Event[], told: Told): Promise<void> {
  for (const { id } of before)
    if (now.every((each) => each.id !== id)) await api.trash.restoreEvent(id, told);
}
