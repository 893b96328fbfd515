import { monthIndex, parseStartDate, pastYear9999 } from "../time/formats.js";
import { toLocal, toUnix } from "../time/zones.js";

/** When an event takes place, as it is stored. */
export interface EventDates {
  readonly start_local: number;
  readonly end_local: number;
  readonly start_month: number;
  readonly start_at: number;
  readonly end_at: number;
}

const defaultLengthSeconds = 3600;

/**
 * The times of an event from the texts of a request, whose form is already checked (service.md 4.6, rulings R4.2, R4.3).
 * "end_before_start" when it ends before it starts; "end_too_late" when the default end passes the year 9999.
 */
export function eventDates(
  { start_date, end_date }: { readonly start_date: string; readonly end_date?: string | undefined },
  zone: string,
  allDay: boolean,
): EventDates | "end_before_start" | "end_too_late" {
  const startGiven = local(start_date);
  const start_at = toUnix(startGiven, zone);
  const endGiven = end_date === undefined ? undefined : local(end_date);
  const end_at = endGiven === undefined ? start_at + defaultLengthSeconds : toUnix(endGiven, zone);
  if (end_at < start_at) return "end_before_start";
  const endShown = toLocal(end_at, zone);
  if (endShown >= pastYear9999) return "end_too_late";
  // A timed event shows what the wall clock shows at that instant; an all-day event shows what was given (rulings R4.4).
  const start_local = allDay ? startGiven : toLocal(start_at, zone);
  const end_local = allDay && endGiven !== undefined ? endGiven : endShown;
  return { start_local, end_local, start_month: monthIndex(start_local), start_at, end_at };
}

/**
 * Returns the local time whose date is the last day of an all-day event. The end of one that was given none is an hour after its
 * start, which is the same day also when it passes midnight.
 */
export function lastLocal({ start_local, end_local }: Pick<EventDates, "start_local" | "end_local">): number {
  return end_local - start_local <= defaultLengthSeconds ? start_local : end_local;
}

function local(text: string): number {
  const seconds = parseStartDate(text);
  if (seconds === undefined) throw new RangeError("the date was not checked");
  return seconds;
}
