import type { Params, Payload } from "@kalends/spec";
import { lockCalendar, type LockedCalendar } from "../calendars/lock-queries.js";
import type { Transaction } from "../db/transaction.js";
import { invalid, publicationOf, publishedNow, requireCategories } from "../events/fields.js";
import { changeEvents } from "../events/many.js";
import { lockEvent } from "../events/queries.js";
import type { Context } from "../http/handler.js";
import { firstIs, firstOf, type FirstEvent, type NewEventParams, plannedSeries } from "./create.js";
import { addEvents } from "./member-events.js";
import { noSeriesId, nothingDone } from "./outcome.js";
import * as queries from "./queries.js";
import { seriesPayload } from "./serialize.js";

interface Create extends Pick<
  Context<"createSeries">,
  "accountId" | "calendars" | "now" | "wrote" | "error"
> {
  readonly trx: Transaction;
}

type CreateParams = Params<"createSeries">;
type Created = Payload<"createSeries">;

export async function createNew(params: NewEventParams, create: Create): Promise<Created> {
  const { trx, now, accountId, wrote, error } = create;
  const calendar = await lockCalendar(trx, { accountId, calendarId: Number(params.calendar_id) });
  if (calendar === undefined) throw error("calendar_not_found");
  await requireCategories(trx, calendar, params.categories, error);
  const publication = publicationOf(params, publishedNow, now, error);
  const first = firstOf(params, calendar, error);
  const { row, shown, places } = await storeSeries(params, calendar, first, create);
  const created = await addEvents(trx, calendar, row, places, { now, ...publication });
  wrote({ calendarId: calendar.id });
  return seriesPayload(shown, created.length, { ...nothingDone, created }, params.dry_run);
}

/** Makes an event that is in no series the first of one: it keeps its UID, its times and its texts. */
export async function createFrom(params: CreateParams, eventId: number, create: Create): Promise<Created> {
  const { trx, now, wrote, error } = create;
  const found = await lockEvent(trx, create, eventId);
  if (found === undefined) throw error("event_not_found");
  const { event, calendar } = found;
  const first = firstIs(params, event, error);
  const { row, shown, places } = await storeSeries(params, calendar, first, create);
  if (!places.includes(first.start))
    throw invalid("exdate", "must not name the start of the event", "not_allowed", error);
  const joined = { ...event, series_id: row.id, series_place: first.start };
  await queries.joinSeries(trx, joined);
  // Those who follow the changes see that it has a series now.
  const changed = await changeEvents(trx, calendar, [[joined, {}]], now);
  const others = places.filter((place) => place !== first.start);
  const { state, publish_at } = event;
  const created = await addEvents(trx, calendar, row, others, { now, state, publish_at });
  wrote({ calendarId: calendar.id, eventId });
  return seriesPayload(shown, places.length, { ...nothingDone, created, changed }, params.dry_run);
}

async function storeSeries(
  params: CreateParams,
  calendar: LockedCalendar,
  first: FirstEvent,
  { trx, now, error }: Create,
) {
  const { series, places } = await plannedSeries(params, calendar, first, now, error);
  const row = await queries.insertSeries(trx, series);
  return { row, places, shown: params.dry_run === "true" ? { ...row, id: noSeriesId } : row };
}
