import type { Day } from "../dates/days.js";
import { dayOfWeekByKey } from "./keys.js";

/**
 * Moves the focus in a week by a key: up and down among the stops of a day, to the sides among days. Returns the day to go to where that is
 * not shown or has no stop, "" when the focus has moved, and undefined when the key leads nowhere.
 */
export function goByKey(key: string, week: HTMLElement, chosen: Day, firstWeekday: number): Day | undefined {
  const at = document.activeElement;
  const day = at?.closest<HTMLElement>("[data-day]")?.dataset["day"] ?? chosen;
  const next = dayOfWeekByKey(key, day, firstWeekday);
  const stops = stopsOf(week, next ?? day);
  if (key === "ArrowDown" || key === "ArrowUp") {
    const index = stops.findIndex((stop) => stop === at);
    const stop = index === -1 ? undefined : stops[index + (key === "ArrowDown" ? 1 : -1)];
    stop?.focus();
    return stop === undefined ? undefined : "";
  }
  if (next === undefined || at?.matches("[data-event]") !== true || !key.startsWith("Arrow")) return next;
  const nearest = nearestTo(at, stops);
  nearest?.focus();
  return nearest === undefined ? next : "";
}

/** What can have the focus on a day, in its order. */
function stopsOf(week: HTMLElement, day: Day): readonly HTMLElement[] {
  return [...week.querySelectorAll<HTMLElement>(`[data-day="${day}"] [data-stop]`)];
}

/** The event that is as far down as another. */
function nearestTo(at: Element, stops: readonly HTMLElement[]): HTMLElement | undefined {
  const { top } = at.getBoundingClientRect();
  const distance = (stop: HTMLElement): number => Math.abs(stop.getBoundingClientRect().top - top);
  return stops
    .filter((stop) => stop.matches("[data-event]"))
    .toSorted((a, b) => distance(a) - distance(b))[0];
}
