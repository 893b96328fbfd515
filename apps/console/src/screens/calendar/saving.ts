import type {
  CalendarDetails,
  DryRun,
  Event,
  SeriesDetails,
  SeriesScope,
  SeriesUpdate,
} from "@kalends/client/extensions";
import { api } from "../../api/client.js";
import { notify } from "../../parts/notices.js";
import { t } from "../../texts/current.js";
import { changesOf, type EventFields, paramsOf, ruleChangeOf } from "./event-fields.js";
import { exceptOf, ruleOf } from "./rule-fields.js";
import type { Telling } from "../../parts/telling.js";
import { leftBy, readEvents, readLeft, undoSeries } from "./undo-series.js";

/** What is saved: an event, and the fields that shall be its. */
export interface Saving {
  readonly calendar: CalendarDetails;
  readonly event: Event | undefined;
  readonly series: SeriesDetails | undefined;
  readonly initial: EventFields;
  readonly fields: EventFields;
  /** Whether followers are told, and with which sentence. */
  readonly telling: Pick<Telling, "told" | "note">;
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
  else if (event.series_id !== "" && !publishes(saving)) await changeSeries(saving, event, options);
  else if (event.series_id === "" && ruleOf(fields) !== "") await makeSeries(saving, event, options);
  else await change(saving, event, options);
  return fields.startDay;
}

/** Whether it publishes a date of a series that is a draft, or says when: that is of this date alone. */
export function publishes({ initial, fields }: Pick<Saving, "initial" | "fields">): boolean {
  return initial.published !== fields.published || initial.publishAt !== fields.publishAt;
}

/** When those who follow see it, where anyone does. */
function seen({ followers_active: followers }: CalendarDetails): string {
  return followers === 0 ? "" : ` ${t.event.seen}`;
}

async function add({ calendar, fields, telling: { told, note } }: Saving, options: Options): Promise<void> {
  const {
    published = "true",
    publish_at: at = "",
    ...params
  } = { ...paramsOf(fields), ...told, ...note, calendar_id: calendar.id };
  const draft = published === "true" ? {} : { published, ...(at === "" ? {} : { publish_at: at }) };
  const rrule = ruleOf(fields);
  if (rrule === "") {
    const made = await api.events.add({ ...params, ...draft }, options);
    const say = made.published ? t.event.added(made.title) + seen(calendar) : t.draft.added(made.title);
    notify(say, () => api.events.remove(made.id, { ...told, ifMatch: made.updated_times }));
    return;
  }
  const rule = { rrule, exdate: exceptOf(fields) };
  const { event_ids: ids, series } = await api.events.series.create(
    { ...params, ...draft, ...rule },
    options,
  );
  notify(t.series.addedMany(ids.length), async () => {
    await readLeft(calendar.id, [series.id], { versions: new Map(ids.map((id) => [id, 0])) });
    await api.events.series.delete(ids[0] ?? "", "all", { ...told, ifMatch: 0 });
  });
}

async function change(
  { calendar, initial, fields, updatedTimes, telling: { told, note } }: Saving,
  event: Event,
  options: Options,
): Promise<void> {
  const ifMatch = updatedTimes ?? event.updated_times;
  const changes = { ...changesOf(initial, fields), ...told, ...note };
  const saved = await api.events.update(event.id, changes, { ...options, ifMatch });
  const say = saved.published ? t.event.saved(saved.title) + seen(calendar) : t.draft.added(saved.title);
  // As a draft again it would leave its series.
  const isFinal = event.series_id !== "" && saved.published;
  const undo = () =>
    api.events.update(event.id, { ...changesOf(fields, initial), ...told }, { ifMatch: saved.updated_times });
  notify(say, isFinal ? undefined : undo);
}

/** The event becomes the first of a series, and keeps its link. */
async function makeSeries(saving: Saving, event: Event, options: Options): Promise<void> {
  const { told, note } = saving.telling;
  const changes = changesOf(saving.initial, saving.fields);
  const key = `${options.idempotencyKey}-first`;
  const rule = { rrule: ruleOf(saving.fields), exdate: exceptOf(saving.fields) };
  const ifMatch = saving.updatedTimes ?? event.updated_times;
  const isChanged = Object.keys(changes).length > 0;
  if (isChanged) {
    await tryNew(saving, rule);
    const sent = { ...changes, ...told, ...note };
    await api.events.update(event.id, sent, { idempotencyKey: key, ifMatch });
  }
  const repeated = { event_id: event.id, ...rule, ...told, ...note };
  const { event_ids: ids, series } = await api.events.series.create(repeated, options);
  const [, second] = ids;
  const mine = ifMatch + (isChanged ? 2 : 1); // it joins the series
  notify(t.series.addedMany(ids.length - 1), async () => {
    const versions = new Map(ids.map((id) => [id, id === event.id ? mine : 0]));
    await readLeft(event.calendar_id, [series.id], { versions });
    if (second !== undefined) await api.events.series.delete(second, "following", { ...told, ifMatch: 0 });
    const back = { ...changesOf(saving.fields, saving.initial), ...told };
    if (isChanged) await api.events.update(event.id, back, { ifMatch: mine });
  });
}

/** Has the server check the dates of a series that an event will begin, before the event is changed. @throws what it refuses */
async function tryNew(
  { calendar, fields }: Saving,
  rule: { readonly rrule: string; readonly exdate: string[] },
): Promise<void> {
  const { published: _published, publish_at: _at, ...params } = paramsOf(fields);
  const dry = { calendar_id: calendar.id, dry_run: "true" } as const;
  await api.events.series.create({ ...params, ...rule, ...dry });
}

/** What is changed in events of a series: the fields that differ, and the rule. */
export function seriesChangesOf({ initial, fields }: Pick<Saving, "initial" | "fields">): SeriesUpdate {
  return { ...changesOf(initial, fields), ...ruleChangeOf(initial, fields) };
}

/** Whether a change is of the dates of a series, which one event alone has not. */
export function isOfRule({ rrule, exdate }: SeriesUpdate): boolean {
  return rrule !== undefined || exdate !== undefined;
}

async function changeSeries(saving: Saving, event: Event, options: Options): Promise<void> {
  const { initial, fields, series, scope = "this", updatedTimes, telling } = saving;
  const { told, note } = telling;
  const ifMatch = updatedTimes ?? event.updated_times;
  const changes = seriesChangesOf(saving);
  const before = scope === "this" ? [event] : await readEvents(event.calendar_id, event.series_id);
  const sent = { ...changes, ...told, ...note };
  const changed = await api.events.series.update(event.id, scope, sent, { ...options, ifMatch });
  const dates = isOfRule(changes) && series !== undefined ? datesOf(series) : {};
  const inverse = { ...changesOf(fields, initial), ...dates, ...told };
  const left = leftBy(before, changed.event_ids, event, scope);
  const undo = () =>
    scope === "this"
      ? api.events.series.update(event.id, scope, inverse, { ifMatch: ifMatch + 1 })
      : undoSeries({ event, madeId: changed.series.id, before, left, inverse, told });
  notify(t.series.savedMany(changed.event_ids.length), undo);
}

function datesOf({ series: { rrule, rdate, exdate } }: SeriesDetails): SeriesUpdate {
  return { rrule, rdate, exdate };
}

/** What a change would do to events of a series. */
export async function tryChanges(
  event: Event,
  scope: SeriesScope,
  changes: SeriesUpdate,
): Promise<DryRun | undefined> {
  return (await api.events.series.update(event.id, scope, { ...changes, dry_run: "true" })).dry_run;
}
