import type { EventDates } from "../events/dates.js";
import { monthIndex, pastYear9999, year1900 } from "../time/formats.js";
import { toLocal, toUnix } from "../time/zones.js";
import type { Times } from "./read-event.js";
import type { WallClocks } from "./own-properties.js";
import { EventSkipped, instantOf, type Moment } from "./moments.js";

const daySeconds = 86_400;

/** Returns when an event takes place that begins at a time, as it is stored: to the minute. @throws EventSkipped */
export function eventDatesOf(
  start: Moment,
  { zone, length, clocks }: Pick<Times, "zone" | "length" | "clocks">,
): EventDates {
  const dates =
    start.kind === "day"
      ? daysOf(clocks ?? wholeDays(start.local, length.days), zone)
      : timesOf(start, zone, length);
  if (dates.start_local < year1900) throw new EventSkipped("it begins before the year 1900");
  if (dates.end_local >= pastYear9999) throw new EventSkipped("it ends after the year 9999");
  return dates;
}

/** Whether the wall clock is within the years that dates are read and shown in (rulings R4.2). */
export function isWithinYears({ start_local, end_local }: EventDates): boolean {
  return start_local >= year1900 && end_local < pastYear9999;
}

/** Returns the same days, or the same instants, in another zone. */
export function datesInZone(dates: EventDates, zone: string, isAllDay: boolean): EventDates {
  const { start_at, end_at, start_local, end_local } = dates;
  const moved = isAllDay
    ? { start_local, end_local, start_at: toUnix(start_local, zone), end_at: toUnix(end_local, zone) }
    : { start_local: toLocal(start_at, zone), end_local: toLocal(end_at, zone), start_at, end_at };
  return { ...moved, start_month: monthIndex(moved.start_local) };
}

/** The end of whole days is the start of the last one (rulings R4.4). */
function wholeDays(start: number, days: number): WallClocks {
  return { start, end: start + (days - 1) * daySeconds };
}

function daysOf({ start, end }: WallClocks, zone: string): EventDates {
  if (end >= pastYear9999) throw new EventSkipped("it ends after the year 9999");
  return {
    start_local: start,
    end_local: end,
    start_month: monthIndex(start),
    start_at: toUnix(start, zone),
    end_at: toUnix(end, zone),
  };
}

function timesOf(start: Moment, zone: string, { days, seconds }: Times["length"]): EventDates {
  const start_at = wholeMinute(instantOf(start, zone), zone);
  const start_local = toLocal(start_at, zone);
  const afterDays = days === 0 ? start_at : toUnix(start_local + days * daySeconds, zone);
  const end_at = Math.max(start_at, wholeMinute(afterDays + seconds, zone));
  return {
    start_local,
    end_local: toLocal(end_at, zone),
    start_month: monthIndex(start_local),
    start_at,
    end_at,
  };
}

/** Drops the seconds of the wall clock, which are not those of UTC where a zone was off by a part of a minute. */
function wholeMinute(at: number, zone: string): number {
  const seconds = toLocal(at, zone) % 60;
  return at - (seconds < 0 ? seconds + 60 : seconds);
}
