import type { EventRow } from "../../db/rows.js";
import { lastLocal } from "../../events/dates.js";
import { untilYear9999 } from "../../time/formats.js";
import { toLocal } from "../../time/zones.js";
import { type DateFormats, formatLocal, formatOffset, formatRange, machineTime } from "./dates.js";

export type EventTimes = Pick<EventRow, "all_day" | "start_at" | "end_at" | "start_local" | "end_local">;

/** An event in the local time of the calendar's zone. All-day events have the same dates in every zone. */
export interface ShownEvent<Row extends EventTimes = EventTimes> {
  readonly event: Row;
  readonly isAllDay: boolean;
  /** Local time in seconds. */
  readonly start: number;
  readonly end: number;
  /** Offset from UTC at the start, in seconds. */
  readonly offset: number;
  /** The first and last day it covers, each as its midnight in local time. */
  readonly firstDay: number;
  readonly lastDay: number;
}

const daySeconds = 86_400;

/** An event shorter than a day that ends before 6:00 is not shown on that day: a concert until 1:00 is on one day. */
export const nightSeconds = 6 * 3600;

export function shownEvent<Row extends EventTimes>(event: Row, zone: string): ShownEvent<Row> {
  const isAllDay = event.all_day === 1;
  const startLocal = isAllDay ? event.start_local : toLocal(event.start_at, zone);
  const endLocal = isAllDay ? lastLocal(event) : toLocal(event.end_at, zone);
  const [start, end] = [untilYear9999(startLocal), untilYear9999(endLocal)];
  const firstDay = dayOf(start);
  // The end of all-day events is inclusive (rulings R4.4).
  const lastDay = isAllDay ? dayOf(end) : dayOf(end - (end - start < daySeconds ? nightSeconds : 1));
  return {
    event,
    isAllDay,
    start,
    end: Math.max(start, end), // the clock may go back between the two
    offset: startLocal - event.start_at,
    firstDay,
    lastDay: Math.max(firstDay, lastDay),
  };
}

/** Returns the offset that all timed events share, such as "UTC+01:00"; undefined when it differs or there is none. */
export function commonOffset(events: readonly ShownEvent[]): string | undefined {
  const [first, ...others] = events.filter(({ isAllDay }) => !isAllDay).map(({ offset }) => offset);
  if (first === undefined || others.some((offset) => offset !== first)) return undefined;
  return formatOffset(first);
}

/** Returns the midnight of the day in local time. */
export function dayOf(local: number): number {
  return Math.floor(local / daySeconds) * daySeconds;
}

/** The time of an event as text: the date, the hours of a timed event, and its offset from UTC. */
export interface EventTime {
  readonly text: string;
  readonly offset: string | undefined;
  readonly datetime: string;
}

export function eventTime(shown: ShownEvent, formats: DateFormats, today: number): EventTime {
  const { isAllDay, start, end, offset, firstDay, lastDay } = shown;
  const isThisYear = [firstDay, lastDay].every((day) => yearOf(day) === yearOf(today));
  const date = isThisYear ? formats.date : formats.dateWithYear;
  if (isAllDay) {
    return { text: formatRange(date, firstDay, lastDay), offset: undefined, datetime: machineTime(start) };
  }
  const dateTime = isThisYear ? formats.dateTime : formats.dateTimeWithYear;
  const text =
    firstDay === lastDay
      ? `${formatLocal(date, start)} · ${hours(shown, formats)}`
      : formatRange(dateTime, start, end);
  return { text, offset: formatOffset(offset), datetime: machineTime(start, offset) };
}

function yearOf(local: number): number {
  return new Date(local * 1000).getUTCFullYear();
}

/** Formats the hours of an event of one day. */
function hours({ start, end }: ShownEvent, formats: DateFormats): string {
  // Intl adds the dates to a range across midnight.
  if (dayOf(start) !== dayOf(end))
    return `${formatLocal(formats.time, start)} – ${formatLocal(formats.time, end)}`;
  return formatRange(formats.time, start, end);
}

/** Formats the hours on one of the days that an event covers; undefined when it covers all of that day. */
export function hoursOn(day: number, shown: ShownEvent, formats: DateFormats): string | undefined {
  const { isAllDay, start, end, firstDay, lastDay } = shown;
  if (isAllDay) return undefined;
  if (firstDay === lastDay) return hours(shown, formats);
  if (day === firstDay) return `${formatLocal(formats.time, start)} –`;
  return day === lastDay ? `– ${formatLocal(formats.time, end)}` : undefined;
}
