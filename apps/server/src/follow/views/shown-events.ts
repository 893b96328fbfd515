import type { EventRow } from "../../db/rows.js";
import { toLocal } from "../../time/zones.js";
import { machineTime, type DateWriter, write, writeOffset, writeRange } from "./dates.js";

/** An event on the wall clock of the calendar's zone; whole days keep their dates, wherever they are looked at. */
export interface ShownEvent {
  readonly event: EventRow;
  readonly isAllDay: boolean;
  /** Wall clock in seconds. */
  readonly start: number;
  readonly end: number;
  /** Offset of the zone at the start, in seconds. */
  readonly offset: number;
  /** The days it covers, each as its midnight on the wall clock. */
  readonly firstDay: number;
  readonly lastDay: number;
}

const daySeconds = 86_400;

/** The small hours belong to the evening before: a concert until one o'clock is on one day. */
const nightSeconds = 6 * 3600;

export function shownEvent(event: EventRow, zone: string): ShownEvent {
  const isAllDay = event.all_day === 1;
  const start = isAllDay ? event.start_local : toLocal(event.start_at, zone);
  const end = isAllDay ? event.end_local : toLocal(event.end_at, zone);
  const firstDay = dayOf(start);
  // The end of whole days is their last (rulings R4.4).
  const lastDay = isAllDay ? dayOf(end) : dayOf(end - (end - start < daySeconds ? nightSeconds : 1));
  return {
    event,
    isAllDay,
    start,
    end: Math.max(start, end), // the clock may be set back between the two
    offset: start - event.start_at,
    firstDay,
    lastDay: Math.max(firstDay, lastDay),
  };
}

/** Midnight of the day on the wall clock. */
export function dayOf(local: number): number {
  return Math.floor(local / daySeconds) * daySeconds;
}

/** When it is, in words: the date, the hours unless whole days, and the offset from UTC at that time. */
export interface When {
  readonly text: string;
  readonly offset: string | undefined;
  readonly datetime: string;
}

export function when(shown: ShownEvent, writer: DateWriter, today: number): When {
  const { isAllDay, start, end, offset, firstDay, lastDay } = shown;
  const isThisYear = [firstDay, lastDay].every((day) => yearOf(day) === yearOf(today));
  const date = isThisYear ? writer.date : writer.dateWithYear;
  if (isAllDay) {
    return { text: writeRange(date, firstDay, lastDay), offset: undefined, datetime: machineTime(start) };
  }
  const dateTime = isThisYear ? writer.dateTime : writer.dateTimeWithYear;
  const text =
    firstDay === lastDay
      ? `${write(date, start)} · ${hours(shown, writer)}`
      : writeRange(dateTime, start, end);
  return { text, offset: writeOffset(offset), datetime: machineTime(start, offset) };
}

function yearOf(local: number): number {
  return new Date(local * 1000).getUTCFullYear();
}

/** The hours of an event of one day. */
function hours({ start, end }: ShownEvent, writer: DateWriter): string {
  // Intl would add the dates to a range over midnight.
  if (dayOf(start) !== dayOf(end)) return `${write(writer.time, start)} – ${write(writer.time, end)}`;
  return writeRange(writer.time, start, end);
}

/** The hours of one of the days that an event covers; undefined when it is all of the day. */
export function hoursOn(day: number, shown: ShownEvent, writer: DateWriter): string | undefined {
  const { isAllDay, start, end, firstDay, lastDay } = shown;
  if (isAllDay) return undefined;
  if (firstDay === lastDay) return hours(shown, writer);
  if (day === firstDay) return `${write(writer.time, start)} –`;
  return day === lastDay ? `– ${write(writer.time, end)}` : undefined;
}
