import {
  categoryLimits,
  type FailureCode,
  type ParameterFailure,
  type Params,
  publishAtRule,
  startDateRule,
} from "@kalends/spec";
import type { LockedCalendar } from "../calendars/lock-queries.js";
import { paletteSize } from "../calendars/palettes.js";
import { namesOf } from "../calendars/category-names.js";
import { pictureAfter, requirePicture } from "../calendars/picture-fields.js";
import { listCategories } from "../calendars/category-queries.js";
import { storedData } from "../calendars/custom-data-stored.js";
import type { Transaction } from "../db/transaction.js";
import type { initial } from "../db/columns.js";
import type { EventRow } from "../db/rows.js";
import { isTrue } from "../http/parameter-checks.js";
import { isDateAlone, parseMoment, pastYear9999 } from "../time/formats.js";
import { toLocal } from "../time/zones.js";
import { datesBetween, type EventDates, eventDates, localOf, type WallClock } from "./dates.js";
import type { LockedEvent } from "./queries.js";
import type { EventChange } from "./revisions.js";

/** Makes the error of a parameter that only the stored state, or several together, show to be wrong. */
export type InvalidParameter = (code: "parameter_invalid", failures: readonly ParameterFailure[]) => Error;

export function invalid(
  parameter: string,
  message: string,
  code: FailureCode,
  error: InvalidParameter,
): Error {
  return error("parameter_invalid", [{ parameter, message, code }]);
}

/** The fields that take their default when absent or empty, on create and on save (rulings R4.6). */
export function resetFields(
  params: Params<"createEvent" | "saveEvent" | "eventsCreate">,
  calendar: LockedCalendar,
  error: InvalidParameter,
): Pick<EventRow, "title" | "timezone" | "color_id" | "all_day"> & EventDates {
  const timezone = params.timezone ?? calendar.timezone;
  const allDay = isTrue(params.all_day_event ?? "false");
  const dates = eventDates(params, timezone, allDay);
  if (typeof dates === "string") throw refusedDates(dates, error);
  const color_id = params.color_id ?? "";
  requireColor(color_id, calendar, error);
  return { title: params.title, timezone, color_id, all_day: allDay ? 1 : 0, ...dates };
}

function refusedDates(failure: "end_before_start" | "end_too_late", error: InvalidParameter): Error {
  if (failure === "end_too_late")
    return invalid("end_date", "must be before the year 10000", "too_late", error);
  return invalid("end_date", "must not be before start_date", "too_early", error);
}

function requireColor(color_id: string, calendar: LockedCalendar, error: InvalidParameter): void {
  const colors = paletteSize(calendar.palette_id);
  const message = `must be at most ${colors}, the colours of the calendar's palette`;
  if (Number(color_id) > colors)
    throw error("parameter_invalid", [
      { parameter: "color_id", message, code: "out_of_range", limit: colors },
    ]);
}

type FreeTexts = Pick<EventRow, "description" | "location" | "organizer" | "organizer_email" | "reminder">;

/** The fields of a new event without a default. */
export function newTexts(params: Params<"createEvent" | "eventsCreate">): FreeTexts {
  const none = { description: "", location: "", organizer: "", organizer_email: "", reminder: "" };
  return { ...none, ...keptTexts(params) };
}

/** The fields without a default: absent keeps the value, empty clears it (rulings R4.6). */
export function keptTexts({
  description,
  location,
  organizer,
  organizer_email,
  reminder,
}: Params<"createEvent" | "saveEvent" | "eventsCreate" | "eventsUpdate">): Partial<FreeTexts> {
  return {
    // LF, CR, CR LF and the two characters `\n` are line breaks and go out as CR LF (rulings R4.8).
    ...(description === undefined ? {} : { description: description.replaceAll(/\r\n|\r|\n|\\n/g, "\r\n") }),
    ...(location === undefined ? {} : { location }),
    ...(organizer === undefined ? {} : { organizer }),
    ...(organizer_email === undefined ? {} : { organizer_email }),
    ...(reminder === undefined ? {} : { reminder }),
  };
}

/** The fields of the extensions that were sent; an empty value clears. */
export function sentExtras(
  params: Params<"eventsCreate" | "eventsUpdate">,
  before: Pick<EventRow, "picture_id" | "picture_alt">,
  error: InvalidParameter,
): Partial<Pick<EventRow, keyof typeof initial>> {
  const { status, custom_data, categories, url, picture_id, picture_alt } = params;
  const own = { id: before.picture_id, alt: before.picture_alt };
  const picture = pictureAfter("picture", { id: picture_id, alt: picture_alt }, own, error);
  return {
    ...(url === undefined ? {} : { url }),
    ...(picture && { picture_id: picture.id, picture_alt: picture.alt }),
    ...(categories === undefined ? {} : { categories }),
    ...(status === undefined ? {} : { status: status === "" ? "confirmed" : status }),
    ...(custom_data === undefined ? {} : { custom_data: storedData(custom_data) }),
  };
}

/** @throws Error when the calendar would have too many categories, with those of the event */
export async function requireCategories(
  trx: Transaction,
  { id }: LockedCalendar,
  categories = "",
  error: InvalidParameter,
): Promise<void> {
  if (categories === "") return;
  const names = new Set([...(await listCategories(trx, id)), ...namesOf(categories)]);
  if (names.size <= categoryLimits.names) return;
  const message = `must be at most ${categoryLimits.names} different names, with those that the calendar has`;
  throw error("parameter_invalid", [
    { parameter: "categories", message, code: "too_many", limit: categoryLimits.names },
  ]);
}

/** Ensures what only the database shows of fields that were sent. @throws Error that names the parameter */
export async function requireExtras(
  trx: Transaction,
  calendar: LockedCalendar,
  { categories, picture_id }: { readonly [Name in "categories" | "picture_id"]?: string | undefined },
  error: InvalidParameter,
): Promise<void> {
  await requireCategories(trx, calendar, categories, error);
  await requirePicture(trx, calendar.account_id, picture_id, error);
}

/** What an update changes: the fields that were sent (extensions X2.3). */
export function sentFields(
  params: Params<"eventsUpdate">,
  { event, calendar }: LockedEvent,
  error: InvalidParameter,
): EventChange {
  const { title, color_id } = params;
  if (color_id !== undefined) requireColor(color_id, calendar, error);
  return {
    ...keptTexts(params),
    ...sentExtras(params, event, error),
    ...(title === undefined ? {} : { title }),
    ...(color_id === undefined ? {} : { color_id }),
    ...sentDates(params, event, calendar, error),
  };
}

/** When the event takes place once the fields that were sent have changed; nothing when none of them was sent. */
function sentDates(
  { start_date, end_date, all_day_event, timezone }: Params<"eventsUpdate">,
  event: EventRow,
  calendar: LockedCalendar,
  error: InvalidParameter,
): EventChange {
  if ([start_date, end_date, all_day_event, timezone].every((value) => value === undefined)) return {};
  const zone = timezone === undefined ? event.timezone : timezone || calendar.timezone;
  const allDay = all_day_event === undefined ? event.all_day === 1 : isTrue(all_day_event);
  for (const [parameter, date] of Object.entries({ start_date, end_date }))
    if (date !== undefined && !allDay && isDateAlone(date))
      throw invalid(parameter, startDateRule, "not_a_date", error);
  const isMoved = zone !== event.timezone || allDay !== (event.all_day === 1);
  // An instant that was not sent stays: a wall clock that occurs twice may stand for the second time. One of older zone data does not.
  const kept = (local: number, at: number): WallClock =>
    isMoved || toLocal(at, zone) !== local ? { local: Math.floor(local / 60) * 60 } : { local, at };
  const start =
    start_date === undefined ? kept(event.start_local, event.start_at) : { local: localOf(start_date) };
  const end = end_date === undefined ? kept(event.end_local, event.end_at) : endOf(end_date);
  const dates = datesBetween({ start, end }, zone, allDay);
  if (typeof dates === "string") throw refusedDates(dates, error);
  return { timezone: zone, all_day: allDay ? 1 : 0, ...dates };
}

/** An empty one is the default. */
function endOf(end_date: string): WallClock | undefined {
  return end_date === "" ? undefined : { local: localOf(end_date) };
}

/** Whether followers see an event, or when a draft is published by itself, in Unix seconds. */
export type Publication = Pick<EventRow, "state" | "publish_at">;

/** Returns what a write makes of an event, or a draft, that is so now (extensions X8.5). */
export function publicationOf(
  { published, publish_at }: Params<"eventsCreate" | "eventsUpdate">,
  before: Publication,
  now: number,
  error: InvalidParameter,
): Publication {
  const wanted = published === "true" ? "published" : "draft";
  const state = published === undefined ? before.state : wanted;
  const refused = (message: string, code: FailureCode): Error => invalid("publish_at", message, code, error);
  if (publish_at === undefined || publish_at === "")
    return { state, publish_at: state === "published" || publish_at === "" ? null : before.publish_at };
  if (state === "published") throw refused("is for drafts: send published=false with it", "not_allowed");
  const moment = parseMoment(publish_at);
  if (moment === undefined || !("unix" in moment)) throw refused(publishAtRule, "not_a_date");
  if (moment.unix <= now) throw refused("must be in the future", "too_early");
  if (moment.unix >= pastYear9999) throw refused("must be before the year 10000 in UTC", "too_late");
  return { state, publish_at: moment.unix };
}

/** How a new event is published where its request does not say it. */
export const publishedNow: Publication = { state: "published", publish_at: null };
