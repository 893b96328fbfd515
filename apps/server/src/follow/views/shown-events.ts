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

export function shownEvent(event: EventRow, zone: string): ShownEvent {
  const isAllDay = event.all_day === 1;
  const start = isAllDay ? event.start_local : toLocal(event.start_at, zone);
  const end = isAllDay ? event.end_local : toLocal(event.end_at, zone);
  const firstDay = dayOf(start);
  // What ends at midnight does not reach into the next day; the end of whole days is their last (rulings R4.4).
  const lastDay = isAllDay ? dayOf(end) : dayOf(Math.max(start, end - 1));
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

export function when(shown: ShownEvent, writer: DateWriter): When {
  const { isAllDay, start, end, offset, firstDay, lastDay } = shown;
  if (isAllDay) {
    return {
      text: writeRange(writer.date, firstDay, lastDay),
      offset: undefined,
      datetime: machineTime(start),
    };
  }
  const text =
    firstDay === lastDay
      ? `${write(writer.date, start)} · ${hours(shown, writer)}`
      : writeRange(writer.dateTime, start, end);
  return { text, offset: writeOffset(offset), datetime: machineTime(start, offset) };
}

/** The hours alone, for a list whose headings are the days. */
export function hours({ start, end, firstDay, lastDay }: ShownEvent, writer: DateWriter): string {
  if (firstDay !== lastDay) return write(writer.time, start);
  // Intl would add the dates to a range that ends at midnight.
  if (dayOf(end) !== firstDay) return `${write(writer.time, start)} – ${write(writer.time, end)}`;
  return writeRange(writer.time, start, end);
}
