import type { Day } from "./types.js";

const secondsOfDay = 86_400;

/** 0000-01-01 and 9999-12-31 as days since 1970-01-01: a date has four digits for its year (RFC 5545 3.3.4). */
const firstDayOfAll = -719_528;
const lastDayOfAll = 2_932_896;

/**
 * A date-time in UTC, such as 20261201T090000Z (RFC 5545 3.3.5), of Unix seconds.
 * Times outside the years 0000 to 9999 become the first or last second that can be written.
 */
export function dateTime(unixSeconds: number): string {
  const seconds = within(unixSeconds, firstDayOfAll * secondsOfDay, (lastDayOfAll + 1) * secondsOfDay - 1);
  const day = Math.floor(seconds / secondsOfDay);
  const inDay = Math.floor(seconds - day * secondsOfDay);
  const minutes = Math.floor(inDay / 60);
  // The 1 in front keeps the leading zeros.
  const clock = 1_000_000 + Math.floor(minutes / 60) * 10_000 + (minutes % 60) * 100 + (inDay % 60);
  return `${date(day)}T${String(clock).slice(1)}Z`;
}

/** A date, such as 20261201 (RFC 5545 3.3.4), of days since 1970-01-01; kept within the years 0000 to 9999. */
export function date(days: number): string {
  const { year, month, day } = civil(within(Math.floor(days), firstDayOfAll, lastDayOfAll));
  return String(year * 10_000 + month * 100 + day).padStart(8, "0");
}

/** Days since 1970-01-01 in the Gregorian calendar. */
export function daysSince1970({ year, month, day }: Day): number {
  // The year begins in March, so that the leap day is its last.
  const marchYear = month > 2 ? year : year - 1;
  const monthsSinceMarch = month > 2 ? month - 3 : month + 9;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + daysBefore(monthsSinceMarch) + day - 1 + march1OfYear0;
}

/** A duration, such as PT1H (RFC 5545 3.3.6), of whole seconds. */
export function duration(seconds: number): string {
  if (seconds % 3600 === 0) return `PT${seconds / 3600}H`;
  return seconds % 60 === 0 ? `PT${seconds / 60}M` : `PT${seconds}S`;
}

const march1OfYear0 = -719_468;
const daysOf4Years = 1461;
const daysOf100Years = 36_524;
const daysOf400Years = 146_097;

/** Returns the date of a day number. Leap days before it are counted by periods of 4, 100 and 400 years. */
function civil(days: number): Day {
  const sinceMarch = days - march1OfYear0;
  const era = Math.floor(sinceMarch / daysOf400Years);
  const inEra = sinceMarch - era * daysOf400Years;
  const leapDays =
    Math.floor(inEra / (daysOf4Years - 1)) -
    Math.floor(inEra / daysOf100Years) +
    Math.floor(inEra / (daysOf400Years - 1));
  const yearOfEra = Math.floor((inEra - leapDays) / 365);
  const inYear = inEra - yearOfEra * 365 - Math.floor(yearOfEra / 4) + Math.floor(yearOfEra / 100);
  const monthsSinceMarch = Math.floor((5 * inYear + 2) / 153);
  const month = monthsSinceMarch < 10 ? monthsSinceMarch + 3 : monthsSinceMarch - 9;
  const year = era * 400 + yearOfEra + (month > 2 ? 0 : 1);
  return { year, month, day: inYear - daysBefore(monthsSinceMarch) + 1 };
}

/** March to July and August to December have 153 days each: 31, 30, 31, 30, 31. */
function daysBefore(monthsSinceMarch: number): number {
  return Math.floor((153 * monthsSinceMarch + 2) / 5);
}

function within(value: number, least: number, most: number): number {
  if (value > most) return most;
  return value >= least ? value : least; // NaN too
}
