import { addMonths, type Day, firstDay, type Month, monthOf } from "../dates/days.js";

// What a list shows is read in parts: each is from one of some months, its bounds, to the next one, which is not in it.

/** Months that are read together. */
const monthsAtOnce = 3;

export function boundsFrom(month: Month): readonly Month[] {
  return [month, addMonths(month, monthsAtOnce)];
}

/** The bounds with a part that has this day, and the months around it. */
export function extended(bounds: readonly Month[], day: Day): readonly Month[] {
  const [first = monthOf(day), end = monthOf(day)] = [bounds[0], bounds.at(-1)];
  const month = monthOf(day);
  if (month >= end) return [...bounds, addMonths(month, monthsAtOnce)];
  const from = addMonths(month, 1 - monthsAtOnce);
  return month < first ? [from < monthOf(firstDay) ? monthOf(firstDay) : from, ...bounds] : bounds;
}
