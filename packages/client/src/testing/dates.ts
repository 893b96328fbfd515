import type { Faulty } from "./faults.js";

/** Reads and writes the date forms of the contract. A wall clock is the Unix seconds of the same digits in UTC. */

interface Digits {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const oldestYear = 1900;

/** Undefined when there is no such day or time (rulings R4.2). */
function wallOf({ year, month, day, hour, minute, second }: Digits): number | undefined {
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  const exists = new Date(wall).getUTCDate() === day && new Date(wall).getUTCMonth() === month - 1;
  if (!exists || year < oldestYear || hour > 23 || minute > 59 || second > 59) return undefined;
  return wall / 1000;
}

/** The hour of the day; NaN when the clock has no such hour (rulings R4.2). */
function hourOf(digits: string, half: string | undefined): number {
  const hour = Number(digits);
  const name = half?.toUpperCase();
  if (name === undefined) return hour;
  if ((name === "PM" && hour === 0) || (name === "AM" && hour > 12)) return Number.NaN;
  if (name === "AM") return hour % 12;
  return hour < 12 ? hour + 12 : hour;
}

/** Whether a start is a date without a time: for all-day events (rulings R4.2). */
export function isDateAlone(text: string): boolean {
  return /^\d+[/-]\d+[/-]\d+$/.test(text);
}

/** The forms of existing clients, in that of the contract; seconds are dropped (rulings R4.2). */
function inForm(text: string): string {
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d:\d\d)(?::[0-5]\d)?)?$/.exec(text);
  if (iso !== null) return `${iso[2]}/${iso[3]}/${iso[1]} ${iso[4] ?? "00:00"}`;
  if (isDateAlone(text)) return `${text} 00:00`;
  return text.replace(/( \d\d:\d\d):[0-5]\d(?=$| )/, "$1");
}

/** `MM/DD/YYYY HH:MM`, optionally followed by a blank and AM or PM (service.md 4.6), or another form of rulings R4.2. */
export function readStartDate(text: string, faulty: Faulty): number | undefined {
  const form = faulty("K74") ? text : inForm(text);
  const match = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d):(\d\d)(?: ([AaPp][Mm]))?$/.exec(form);
  if (match === null) return undefined;
  const [, month = "", day = "", year = "", digits = "", minute = "", half] = match;
  let hour = hourOf(digits, half);
  if (faulty("M34") && half !== undefined) hour = Number(digits);
  if (faulty("M37") && half?.toUpperCase() === "AM" && digits === "12") hour = 12;
  if (Number.isNaN(hour)) return undefined;
  const wall = { year: Number(year), month: Number(month), day: Number(day), hour, minute: Number(minute) };
  if (faulty("M47") && wall.month === 2 && wall.day === 30)
    return wallOf({ ...wall, month: 3, day: 2, second: 0 });
  return wallOf({ ...wall, second: 0 });
}

/** One of the forms of `upcoming`, except `now` (service.md 4.5, rulings R3.6). */
export function readUpcoming(text: string, faulty: Faulty): number | undefined {
  const dashed = /^(\d+)-(\d\d)-(\d+)(?: (\d\d):(\d\d):(\d\d))?$/.exec(text);
  if (dashed !== null) {
    const [, first = "", second = "", third = "", hour = "0", minute = "0", seconds = "0"] = dashed;
    const clock = { hour: Number(hour), minute: Number(minute), second: Number(seconds) };
    if (first.length === 4 && third.length === 2) return onDay([first, second, third], clock);
    if (first.length !== 2 || third.length !== 4) return undefined;
    if (faulty("K7") && Number(first) <= 12) return onDay([third, first, second], clock);
    return onDay([third, second, first], clock);
  }
  const slashed = /^(\d+)\/(\d\d)\/(\d+)(?: (\d\d):(\d\d) ?([AaPp][Mm]))?$/.exec(text);
  if (slashed === null) return undefined;
  const [, first = "", second = "", third = "", hour, minute = "0", half] = slashed;
  const read = hourOf(hour ?? "0", faulty("K8") && Number(hour) !== 0 ? "AM" : half);
  if (Number.isNaN(read)) return undefined;
  const clock = { hour: read, minute: Number(minute), second: 0 };
  if (first.length === 4 && third.length === 2) return onDay([first, second, third], clock);
  return first.length === 2 && third.length === 4 ? onDay([third, first, second], clock) : undefined;
}

function onDay(
  [year, month, day]: readonly [string, string, string],
  clock: Pick<Digits, "hour" | "minute" | "second">,
): number | undefined {
  return wallOf({ year: Number(year), month: Number(month), day: Number(day), ...clock });
}

/** Date, time and half of the day, as answers show them (service.md 2.4). */
export function shown(wall: number): { readonly date: string; readonly time: string; readonly half: string } {
  const [day = "", time = ""] = new Date(wall * 1000).toISOString().split("T");
  const [year, month, dayOfMonth] = day.split("-");
  return {
    date: `${month}/${dayOfMonth}/${year}`,
    time: time.slice(0, 8),
    half: time.slice(0, 2) < "12" ? "AM" : "PM",
  };
}

/** The same time on the 12-hour clock, for a fault. */
export function onTwelveHours(time: string): string {
  const hour = Number(time.slice(0, 2)) % 12;
  return `${String(hour === 0 ? 12 : hour).padStart(2, "0")}${time.slice(2)}`;
}

/** Whether a wall clock lies in a month given by its digits (rulings R3.5). */
export function inMonth(
  wall: number,
  { month, year }: { readonly month: string; readonly year: string },
): boolean {
  const { date } = shown(wall);
  return date.slice(0, 2) === month && (year === "" || date.slice(6) === year);
}
