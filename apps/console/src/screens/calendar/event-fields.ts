import type { AddEventParams, Event } from "@kalends/client/extensions";
import { addDays, addMinutes, daysBetween, isDay, minutesBetween } from "../../dates/days.js";
import type { When } from "../../dates/words.js";
import { completed } from "../../parts/web-address.js";
import { codeOf, exceptOf, once, type RuleFields, ruleOf } from "./rule-fields.js";

/** What the editor holds: texts alone, so that a draft is these. */
export type EventFields = RuleFields &
  Readonly<
    Record<
      | "title"
      | "allDay"
      | "startDay"
      | "startTime"
      | "endDay"
      | "endTime"
      | "location"
      | "description"
      | "timezone"
      | "organizer"
      | "organizer_email"
      | "categories"
      | "color_id"
      | "reminder"
      | "url"
      | "picture_id"
      | "picture_alt"
      | "published" // "true", "false", or "at" with a time
      | "publishAt",
      string
    >
  >;

/** The fields of an event that does not exist yet. @param start its day, or its day and time */
export function newFields(
  start: string,
  timezone: string,
  { length, location, reminder } = { length: "60", location: "", reminder: "" },
): EventFields {
  const [day = start, startTime = "19:00"] = start.split("T");
  const [endDay = day, endTime = "20:00"] = addMinutes(`${day}T${startTime}`, Number(length)).split("T");
  const texts = { location, description: "", organizer: "", organizer_email: "", categories: "" };
  const looks = { url: "", picture_id: "", picture_alt: "" };
  const times = { startDay: day, startTime, endDay, endTime };
  return {
    title: "",
    allDay: "false",
    ...times,
    timezone,
    ...texts,
    ...looks,
    color_id: "",
    reminder,
    published: "true",
    publishAt: "",
    ...once,
    until: addDays(day, 90),
  };
}

/** The fields of an event as it is saved. @param rule of its series */
export function fieldsOf(event: Event, rule: RuleFields = once): EventFields {
  const { title, location, description, timezone, organizer, organizer_email, color_id, reminder } = event;
  const { url, picture_id, picture_alt } = event;
  const [startDay = "", startTime = "19:00"] = event.start_date.split("T");
  const [endDay = "", endTime = "20:00"] = event.end_date.split("T");
  const times = { startDay, startTime, endDay, endTime, allDay: String(event.all_day_event) };
  const texts = {
    title,
    location,
    description: description.replaceAll("\r\n", "\n"),
    organizer,
    organizer_email,
    url,
    picture_id,
    picture_alt,
  };
  const categories = event.categories.join(", ");
  return {
    ...rule, // first: of the event in the editor it is all that it holds
    ...texts,
    ...times,
    timezone,
    color_id,
    reminder,
    categories,
    published: event.publish_at === "" ? String(event.published) : "at",
    publishAt: event.publish_at === "" ? "" : onDevice(event.publish_at),
    until: rule.until === "" ? addDays(startDay, 90) : rule.until,
  };
}

/** An instant on the clock of this device, as a field of the browser has it. */
function onDevice(instant: string): string {
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** When the fields say that it is, on the wall clock of their zone. A time of the end before the start, on its day, is the next day's. */
export function whenOf({ allDay, startDay, startTime, endDay, endTime }: EventFields): When {
  if (allDay === "true") return { start: startDay, end: endDay, allDay: true };
  const isNextDay = endDay === startDay && endTime < startTime && endTime !== "" && isDay(endDay);
  const end = isNextDay ? addDays(endDay, 1) : endDay;
  return { start: `${startDay}T${startTime}`, end: `${end}T${endTime}`, allDay: false };
}

/** Whether an end before the start was taken for the next day's, and makes the event longer than half a day: more often a slip. */
export function isLongNight(fields: EventFields): boolean {
  const { start, end, allDay } = whenOf(fields);
  const isNextDay = fields.startDay === fields.endDay && !allDay && end.slice(0, 10) !== fields.endDay;
  return isNextDay && minutesBetween(start, end) > 720;
}

/** A wall clock that a change of the clock skips or repeats, and the one that the server takes for it. */
export interface ClockNote {
  readonly date: string;
  readonly becomes: string;
}

/** When an event is, as the server will have it: one that would end before it starts keeps its length. */
export function onClock({ start, end, allDay }: When, notes: readonly ClockNote[]): When {
  const shown = (wall: string): string => notes.find(({ date }) => date === wall)?.becomes ?? wall;
  const [from, to] = [shown(start), shown(end)];
  return { start: from, end: to < from ? addMinutes(from, minutesBetween(start, end)) : to, allDay };
}

/** Whether start and end can be read: a field of a date that is half typed is empty. */
export function hasTimes({ allDay, startDay, startTime, endDay, endTime }: EventFields): boolean {
  return isDay(startDay) && isDay(endDay) && (allDay === "true" || (startTime !== "" && endTime !== ""));
}

/** The parameters that make an event of the fields. */
export function paramsOf(fields: EventFields): Omit<AddEventParams, "calendar_id"> {
  const {
    title,
    location,
    description,
    timezone,
    organizer,
    organizer_email,
    color_id,
    reminder,
    categories,
    url,
    picture_id,
    picture_alt,
  } = fields;
  const { start, end, allDay } = whenOf(fields);
  const names = categories.split(",").map((name) => name.trim());
  return {
    title,
    location,
    description,
    timezone,
    organizer,
    organizer_email,
    color_id,
    reminder,
    url: completed(url),
    picture_id,
    picture_alt,
    categories: names.filter((name) => name !== ""),
    start_date: start,
    end_date: end,
    all_day_event: allDay ? "true" : "false",
    ...publicationOf(fields),
  };
}

/** Whether it is a draft, and until when. */
function publicationOf({
  published,
  publishAt,
}: EventFields): Pick<AddEventParams, "published" | "publish_at"> {
  if (published === "true") return { published };
  const at = published === "at" && publishAt !== "" ? new Date(publishAt).toISOString() : "";
  return { published: "false", publish_at: at };
}

export type EventParams = ReturnType<typeof paramsOf>;

/** Parameters that mean one another: all of a group are sent, or none. */
const together = [
  ["start_date", "end_date", "all_day_event", "timezone"],
  ["picture_id", "picture_alt"],
];

/** The parameters that differ, so that a save changes nothing else. */
export function changesOf(from: EventFields, to: EventFields): Partial<EventParams> {
  const [before, after] = [new Map(Object.entries(paramsOf(from))), Object.entries(paramsOf(to))];
  const differing = after.filter(
    ([name, value]) => JSON.stringify(before.get(name)) !== JSON.stringify(value),
  );
  const names = differing.map(([name]) => name);
  for (const group of together) if (names.some((name) => group.includes(name))) names.push(...group);
  return Object.fromEntries(after.filter(([name]) => names.includes(name)));
}

/** Moves the start, and the end with it. @param last the start that was whole last: a field that is being typed into is empty at times */
export function moveStart(
  now: EventFields,
  changes: Partial<EventFields>,
  last: Pick<EventFields, "startDay" | "startTime"> = now,
): EventFields {
  const [fields, moved] = [
    { ...now, ...last },
    { ...now, ...changes },
  ];
  if (!hasTimes(fields) || !hasTimes(moved)) return moved;
  if (moved.allDay === "true")
    return { ...moved, endDay: addDays(moved.startDay, daysBetween(fields.startDay, fields.endDay)) };
  const [was, is] = [whenOf(fields), whenOf(moved)];
  const [endDay = "", endTime = ""] = addMinutes(is.start, minutesBetween(was.start, was.end)).split("T");
  return { ...moved, endDay, endTime };
}

/** Moves the first date of a new series to its first chosen weekday: the start is always a date of it (RFC 5545 3.8.5.3). */
export function onChosenDay(fields: EventFields): EventFields {
  const { freq, days, startDay } = fields;
  if (freq !== "WEEKLY" || days === "" || !isDay(startDay)) return fields;
  const week = Array.from({ length: 7 }, (_, index) => addDays(startDay, index));
  const first = week.find((day) => days.includes(codeOf(day))) ?? startDay;
  return first === startDay ? fields : moveStart(fields, { startDay: first });
}

/** The rule that a series is given, and what it leaves out; neither when it is as it was. */
export function ruleChangeOf(
  from: EventFields,
  to: EventFields,
): { readonly rrule?: string; readonly exdate?: string[] } {
  const { startDay, allDay } = from;
  const [before, after] = [exceptOf(from), exceptOf(to)];
  return {
    ...(ruleOf(from) === ruleOf({ ...to, startDay, allDay }) ? {} : { rrule: ruleOf(to) }),
    ...(before.join() === after.join() ? {} : { exdate: after }),
  };
}
