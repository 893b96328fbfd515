import type { CalendarDetails, Event, SeriesScope } from "@kalends/client/extensions";
import { api } from "../../api/client.js";
import { notify } from "../../parts/notices.js";
import { t } from "../../texts/current.js";
import { changesOf, type EventFields, type EventParams, paramsOf, ruleOf } from "./event-fields.js";

/** What is saved: an event, and the fields that shall be its. */
export interface Saving {
  readonly calendar: CalendarDetails;
  readonly event: Event | undefined;
  readonly initial: EventFields;
  readonly fields: EventFields;
  /** Of a series: which events. */
  readonly scope?: SeriesScope;
  /** Instead of that which was read. */
  readonly updatedTimes?: number;
}

interface Options {
  readonly idempotencyKey: string;
}

/** Saves, and says what was done and how it is taken back. Returns the day to show. */
export async function saveEvent(saving: Saving, options: Options): Promise<string> {
  const { event, fields } = saving;
  if (event === undefined) await add(saving, options);
  else if (event.series_id !== "") await changeSeries(saving, event, options);
  else if (ruleOf(fields) !== "") await makeSeries(saving, event, options);
  else await change(saving, event, options);
  return fields.startDay;
}

async function add({ calendar, fields }: Saving, options: Options): Promise<void> {
  const params = { ...paramsOf(fields), calendar_id: calendar.id };
  const rrule = ruleOf(fields);
  if (rrule === "") {
    const made = await api.events.add(params, options);
    notify(`${t.event.added(made.title)} ${t.event.seen}`, () => api.events.remove(made.id));
    return;
  }
  const { event_ids: ids } = await api.events.series.create({ ...params, rrule }, options);
  notify(t.series.addedMany(ids.length), () => api.events.series.delete(ids[0] ?? "", "all"));
}

async function change(
  { initial, fields, updatedTimes }: Saving,
  event: Event,
  options: Options,
): Promise<void> {
  const ifMatch = updatedTimes ?? event.updated_times;
  const saved = await api.events.update(event.id, changesOf(initial, fields), { ...options, ifMatch });
  notify(`${t.event.saved(saved.title)} ${t.event.seen}`, () =>
    api.events.update(event.id, changesOf(fields, initial), { ifMatch: saved.updated_times }),
  );
}

/** The event becomes the first of a series, and keeps its link. */
async function makeSeries(saving: Saving, event: Event, options: Options): Promise<void> {
  const changes = changesOf(saving.initial, saving.fields);
  const key = `${options.idempotencyKey}-first`;
  if (Object.keys(changes).length > 0)
    await api.events.update(event.id, changes, { idempotencyKey: key, ifMatch: event.updated_times });
  const rrule = ruleOf(saving.fields);
  const { event_ids: ids } = await api.events.series.create({ event_id: event.id, rrule }, options);
  notify(t.series.addedMany(ids.length - 1));
}

async function changeSeries(saving: Saving, event: Event, options: Options): Promise<void> {
  const { initial, fields, scope = "this", updatedTimes } = saving;
  const ifMatch = updatedTimes ?? event.updated_times;
  const changes = changesOf(initial, fields);
  const changed = await api.events.series.update(event.id, scope, changes, { ...options, ifMatch });
  const undo =
    scope === "this"
      ? () => api.events.series.update(event.id, scope, changesOf(fields, initial))
      : undefined;
  notify(t.series.savedMany(changed.event_ids.length), undo);
}

/** How many events a change would touch. */
export async function countChanges(
  event: Event,
  scope: SeriesScope,
  changes: Partial<EventParams>,
): Promise<number> {
  const tried = await api.events.series.update(event.id, scope, { ...changes, dry_run: "true" });
  return tried.dry_run?.changed ?? 0;
}
