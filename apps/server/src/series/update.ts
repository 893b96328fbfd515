import type { Params, Payload } from "@kalends/spec";
import type { Transaction } from "../db/transaction.js";
import type { Db } from "../db/database.js";
import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { invalid, type InvalidParameter, sentFields } from "../events/fields.js";
import { changeEvents, removeEvents } from "../events/many.js";
import type { LockedEvent } from "../events/queries.js";
import { seriesChange } from "./change.js";
import { addEvents } from "./member-events.js";
import { noSeriesId, nothingDone } from "./outcome.js";
import { firstPlace } from "./plan.js";
import * as queries from "./queries.js";
import { ruleChange } from "./rule-change.js";
import { seriesPayload } from "./serialize.js";

/** An update in its transaction: the event that the request names, and its series. */
interface Update {
  readonly trx: Transaction;
  readonly now: number;
  readonly found: LockedEvent;
  readonly series: SeriesRow;
  readonly error: InvalidParameter;
}

/** Changes one event as `events/update/` does. */
export async function updateOne(
  params: Params<"updateSeries">,
  { trx, now, found, series, error }: Update,
): Promise<Payload<"updateSeries">> {
  const parameter = (["rrule", "rdate", "exdate"] as const).find((name) => params[name] !== undefined);
  if (parameter !== undefined)
    throw invalid(parameter, "must not be given with scope=this", "not_allowed", error);
  const change = [found.event, sentFields(params, found, error)] as const;
  const changed = await changeEvents(trx, found.calendar, [change], now);
  const all = await queries.findSeriesPlaces(trx, series.id);
  const outcome = { ...nothingDone, changed, kept: all.length - 1 };
  return seriesPayload(series, all.length, outcome, params.dry_run);
}

/** Changes an event and those that follow, or all. Where some come before, those that are changed become a series of their own. */
export async function updateMany(
  params: Params<"updateSeries">,
  { trx, now, found, series, error }: Update,
): Promise<Payload<"updateSeries">> {
  const { event, calendar } = found;
  const all = await queries.findSeriesPlaces(trx, series.id);
  const concerned = all.filter(
    ({ series_place }) => params.scope === "all" || series_place >= event.series_place,
  );
  const events = await queries.findSeriesEvents(trx, series.id, concerned);
  const isSplit = events.length < all.length;
  const before = isSplit ? { ...series, from_place: event.series_place } : series;
  const change = seriesChange(params, found, before, error);
  const isSameRule = [params.rrule, params.rdate, params.exdate].every((value) => value === undefined);
  const planned = isSameRule
    ? { series: change.series, by: 0, kept: events, removed: [], added: [] }
    : await ruleChange(params, { before, events, after: change.series, now }, error);
  const after = isSplit ? await split(trx, series, planned.series, event, now) : planned.series;
  if (!isSplit) await queries.updateSeries(trx, after);
  if (isSplit || planned.by !== 0)
    await queries.moveEvents(trx, {
      from: series.id,
      to: after.id,
      place: isSplit ? event.series_place : firstPlace,
      by: planned.by,
    });
  const changes = planned.kept.map((each) => {
    const moved = { ...each, series_id: after.id, series_place: each.series_place + planned.by };
    return [moved, change.changeOf(each)] as const;
  });
  const changed = await changeEvents(trx, calendar, changes, now);
  await removeEvents(trx, calendar, planned.removed, now);
  // Further dates of a draft are drafts.
  const { state, publish_at } = event;
  const created = await addEvents(trx, calendar, after, planned.added, { now, state, publish_at });
  if (state === "published") await queries.knowAsImported(trx, after, created);
  const outcome = { created, changed, deleted: planned.removed, kept: all.length - events.length };
  const shown = isSplit && params.dry_run === "true" ? { ...after, id: noSeriesId } : after;
  return seriesPayload(shown, changed.length + created.length, outcome, params.dry_run);
}

/** Ends the series before an event, and stores the one that begins with it. */
async function split(
  trx: Db,
  series: SeriesRow,
  { id: _id, ...following }: SeriesRow,
  { series_place }: EventRow,
  now: number,
): Promise<SeriesRow> {
  await queries.updateSeries(trx, { ...series, before_place: series_place, next_at: null });
  return queries.insertSeries(trx, { ...following, created_at: now });
}
