import { addDays, addMonths, type Day, inMonth, monthOf, weekAround } from "../dates/days.js";

/** The day that a key leads to in a month grid; undefined when it leads nowhere (WAI-ARIA: grid). */
export function dayByKey(key: string, day: Day, firstWeekday: number): Day | undefined {
  const [weekStart, weekEnd] = weekAround(day, firstWeekday);
  const days = new Map([
    ["ArrowLeft", -1],
    ["ArrowRight", 1],
    ["ArrowUp", -7],
    ["ArrowDown", 7],
  ]);
  const step = days.get(key);
  if (step !== undefined) return addDays(day, step);
  if (key === "Home") return weekStart;
  if (key === "End") return weekEnd;
  if (key === "PageUp") return inMonth(day, addMonths(monthOf(day), -1));
  if (key === "PageDown") return inMonth(day, addMonths(monthOf(day), 1));
  return undefined;
}

/** The day that a key leads to in a week; undefined when it leads nowhere. */
export function dayOfWeekByKey(key: string, day: Day, firstWeekday: number): Day | undefined {
  if (key === "ArrowUp" || key === "ArrowDown") return undefined;
  if (key === "PageUp") return addDays(day, -7);
  if (key === "PageDown") return addDays(day, 7);
  return dayByKey(key, day, firstWeekday);
}
