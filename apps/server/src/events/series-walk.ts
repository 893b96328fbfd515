import { dayIndex, daySeconds } from "../time/formats.js";
import type { Rule } from "./recurrence-rule.js";

/*
 * Walks through the wall clocks that a rule names (RFC 5545 3.3.10), one period of FREQ and INTERVAL after the other: the days of
 * the period that every BY part allows, times the hours and minutes, of which BYSETPOS takes some. A day is a number here, the
 * days since 1970-01-01; a wall clock is the Unix seconds of the same digits in UTC.
 */

/** A rule is followed for this long, so that one that names no date ends too. */
export const mostYears = 100;

/**
 * Yields the wall clocks of a rule from `start` on, in order, by period; also of periods that name nothing, so that long work may stop
 * between two. `start` itself is among them only when the rule names it. @param latest where `mostYears` begin when it is later
 */
export function* walkPeriods(rule: Rule, start: number, latest = start): Generator<Iterable<number>> {
  const first = dayIndex(start);
  const isNamed = dayFilter(rule, first);
  const times = timesOf(rule, start - first * daySeconds);
  const end = addYears(dayIndex(Math.max(start, latest)), mostYears);
  for (let index = 0; ; index++) {
    const [from, to] = periodAt(rule, first, index);
    if (from > end) return;
    const days: DayFacts[] = [];
    // BYSETPOS counts the days of the first period that come before the first event too.
    for (let day = rule.positions.length === 0 ? Math.max(from, first) : from; day < to; day++) {
      const facts = factsOf(day);
      if (isNamed(facts)) days.push(facts);
    }
    yield clocksOf(rule, days, times, start);
  }
}

function* clocksOf(
  rule: Rule,
  days: readonly DayFacts[],
  times: readonly number[],
  start: number,
): Generator<number> {
  if (days.length === 0) return;
  for (const place of positionsOf(rule, days.length * times.length)) {
    const day = days[Math.floor(place / times.length)];
    const local = (day?.day ?? NaN) * daySeconds + (times[place % times.length] ?? NaN);
    if (local >= start) yield local;
  }
}

/** The days of a period: its first and the one after its last. */
function periodAt(
  { freq, interval, weekStart }: Rule,
  first: number,
  index: number,
): readonly [number, number] {
  const step = index * interval;
  if (freq === "DAILY") return [first + step, first + step + 1];
  if (freq === "WEEKLY") {
    const from = weekOf(first, weekStart) + 7 * step;
    return [from, from + 7];
  }
  const { year, month } = factsOf(first);
  if (freq === "MONTHLY") return [dayOf(year, month + step), dayOf(year, month + step + 1)];
  return [dayOf(year + step, 1), dayOf(year + step + 1, 1)];
}

/** Yields the places of a period's wall clocks that BYSETPOS takes, in order; all of them without it. */
function* positionsOf({ positions }: Rule, total: number): Generator<number> {
  if (positions.length === 0) for (let place = 0; place < total; place++) yield place;
  const places = positions.map((position) => (position > 0 ? position - 1 : total + position));
  const sorted = places.filter((place) => place >= 0 && place < total).toSorted((one, other) => one - other);
  yield* new Set(sorted);
}

/** The seconds of the day, in order. What the rule does not say is the first event's. */
function timesOf({ hours, minutes }: Rule, timeOfDay: number): readonly number[] {
  const hour = Math.floor(timeOfDay / 3600);
  const minute = Math.floor(timeOfDay / 60) % 60;
  return (hours.length === 0 ? [hour] : hours).flatMap((each) =>
    (minutes.length === 0 ? [minute] : minutes).map((other) => each * 3600 + other * 60),
  );
}

/** Returns a function that tells whether all parts name a day. What the rule does not say is taken from the first event. */
function dayFilter(rule: Rule, first: number): (day: DayFacts) => boolean {
  const { freq, months, weeks, yearDays, monthDays, weekdays, weekStart } = completed(rule, factsOf(first));
  const isNthOfYear = freq === "YEARLY" && rule.months.length === 0;
  return (day) =>
    (months.length === 0 || months.includes(day.month)) &&
    hasPlace(monthDays, day.monthDay, day.monthLength) &&
    hasPlace(yearDays, day.yearDay, day.yearLength) &&
    (weekdays.length === 0 ||
      weekdays.some(
        ({ weekday, nth }) =>
          weekday === day.weekday &&
          (nth === 0 ||
            nth ===
              (isNthOfYear
                ? nthOf(nth, day.yearDay, day.yearLength)
                : nthOf(nth, day.monthDay, day.monthLength))),
      )) &&
    (weeks.length === 0 || isInWeek(weeks, day.day, weekStart));
}

function completed(rule: Rule, { month, monthDay, weekday }: DayFacts): Rule {
  const { freq, weekdays, monthDays, yearDays, weeks } = rule;
  if (weekdays.length + monthDays.length + yearDays.length > 0) return rule;
  if (freq === "WEEKLY" || weeks.length > 0) return { ...rule, weekdays: [{ weekday, nth: 0 }] };
  if (freq === "MONTHLY") return { ...rule, monthDays: [monthDay] };
  if (freq === "DAILY") return rule;
  return { ...rule, months: rule.months.length > 0 ? rule.months : [month], monthDays: [monthDay] };
}

/** Whether a list names a place of so many; negative numbers count from the end. */
function hasPlace(list: readonly number[], place: number, total: number): boolean {
  return list.length === 0 || list.includes(place) || list.includes(place - total - 1);
}

/** The place of a day among those of its weekday, in a month or year; counted from the end when `nth` is. */
function nthOf(nth: number, place: number, total: number): number {
  return nth > 0 ? Math.ceil(place / 7) : -Math.ceil((total - place + 1) / 7);
}

/** Week 1 is the first with at least four days in the year (RFC 5545 3.3.10), so a week belongs to the year of its fourth day. */
function isInWeek(weeks: readonly number[], day: number, weekStart: number): boolean {
  const fourth = factsOf(weekOf(day, weekStart) + 3);
  const lastFourth = factsOf(weekOf(dayOf(fourth.year, 12) + 27, weekStart) + 3); // December 28 is in the last week of each year
  return hasPlace(weeks, Math.ceil(fourth.yearDay / 7), Math.ceil(lastFourth.yearDay / 7));
}

interface DayFacts {
  readonly day: number;
  readonly year: number;
  readonly month: number;
  readonly monthDay: number;
  readonly monthLength: number;
  readonly yearDay: number;
  readonly yearLength: number;
  /** 0 is Monday. */
  readonly weekday: number;
}

function factsOf(day: number): DayFacts {
  const date = new Date(day * daySeconds * 1000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
  const monthDay = date.getUTCDate();
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const leapDay = isLeap ? 1 : 0;
  return {
    day,
    year,
    month,
    monthDay,
    monthLength: month === 2 ? 28 + leapDay : 30 + ((month + (month > 7 ? 1 : 0)) % 2),
    yearDay: (daysBefore[month - 1] ?? NaN) + monthDay + (month > 2 ? leapDay : 0),
    yearLength: 365 + leapDay,
    weekday: (date.getUTCDay() + 6) % 7,
  };
}

const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/** The first day of a month; months beyond 12 are those of later years. */
function dayOf(year: number, month: number): number {
  return Date.UTC(year, month - 1) / 1000 / daySeconds;
}

/** The first day of the week of a day. */
function weekOf(day: number, weekStart: number): number {
  return day - ((((day + 3 - weekStart) % 7) + 7) % 7); // 1970-01-01 was a Thursday
}

function addYears(day: number, years: number): number {
  const { year, yearDay } = factsOf(day);
  return dayOf(year + years, 1) + yearDay - 1;
}
