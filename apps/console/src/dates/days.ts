// Calendar days without time zones: the server sends wall clocks, "2027-03-05" or "2027-03-05T19:00", and nothing here converts them.

/** A date as the server writes it: `YYYY-MM-DD`. */
export type Day = string;
/** A month: `YYYY-MM`. */
export type Month = string;

const dayMs = 86_400_000;

function toMs(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function fromMs(ms: number): Day {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Days that the server takes, and whose month it lists: the days after a month are in it too. */
export const [firstDay, lastDay]: readonly [Day, Day] = ["1900-01-01", "9998-12-31"];

/** Whether a text is a date that exists, and that the server takes. */
export function isDay(text: string): boolean {
  const isOfForm = /^\d{4}-\d\d-\d\d$/.test(text) && text >= firstDay && text <= lastDay;
  return isOfForm && !Number.isNaN(toMs(text)) && fromMs(toMs(text)) === text;
}

/** Whether a text is a month. */
export function isMonth(text: string): boolean {
  return isDay(`${text}-01`);
}

export function addDays(day: Day, count: number): Day {
  return fromMs(toMs(day) + count * dayMs);
}

/** Days from one date to another. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((toMs(to) - toMs(from)) / dayMs);
}

export function monthOf(day: Day): Month {
  return day.slice(0, 7);
}

export function addMonths(month: Month, count: number): Month {
  const date = new Date(toMs(`${month}-01`));
  date.setUTCMonth(date.getUTCMonth() + count);
  return monthOf(date.toISOString());
}

/** The same day of another month, or its last day. */
export function inMonth(day: Day, month: Month): Day {
  const last = addDays(`${addMonths(month, 1)}-01`, -1);
  const same = `${month}${day.slice(7)}`;
  return isDay(same) ? same : last;
}

/** Day of the week, 1 is Monday and 7 is Sunday. */
export function weekday(day: Day): number {
  return new Date(toMs(day)).getUTCDay() || 7;
}

/** The weeks that show a month, whole. @param firstWeekday 1 is Monday */
export function weeksOf(month: Month, firstWeekday: number): readonly (readonly Day[])[] {
  const first = `${month}-01`;
  const start = addDays(first, -((weekday(first) - firstWeekday + 7) % 7));
  const next = `${addMonths(month, 1)}-01`;
  const count = Math.ceil(daysBetween(start, next) / 7);
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: 7 }, (_, index) => addDays(start, week * 7 + index)),
  );
}

/** The first and the last day of the week. @param firstWeekday 1 is Monday */
export function weekAround(day: Day, firstWeekday: number): readonly [Day, Day] {
  const start = addDays(day, -((weekday(day) - firstWeekday + 7) % 7));
  return [start, addDays(start, 6)];
}

/** A wall clock, `YYYY-MM-DDTHH:MM`, later by minutes. */
export function addMinutes(wall: string, minutes: number): string {
  return new Date(Date.parse(`${wall}:00Z`) + minutes * 60_000).toISOString().slice(0, 16);
}

/** Minutes from one wall clock to another. */
export function minutesBetween(from: string, to: string): number {
  return (Date.parse(`${to}:00Z`) - Date.parse(`${from}:00Z`)) / 60_000;
}

/** The date in a zone; that of this device where the browser does not know the zone. */
export function todayIn(timeZone: string, now = new Date()): Day {
  try {
    return new Intl.DateTimeFormat("sv", { timeZone }).format(now); // as YYYY-MM-DD
  } catch {
    return new Intl.DateTimeFormat("sv").format(now);
  }
}
