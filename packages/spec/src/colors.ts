// The colour that an event is shown in. The console and followers' pages decide it here, so that they agree. A browser loads no schema with it.
import { contrast, mixed, surfaces } from "./accent.js";

/** What of an event decides its colour. */
export interface ColoredEvent {
  readonly color_id: string;
  readonly categories: readonly string[];
}

/** The least contrast of what is no text (WCAG 2.2, 1.4.11). */
export const leastMarkContrast = 3;

/**
 * Returns the `color_id` that an event is shown in: its own, else that of the first of its categories in the order of the calendar; ""
 * without both. @param categories those of the calendar, sorted @param count colours of its palette
 */
export function shownColorId(event: ColoredEvent, categories: readonly string[], count: number): string {
  if (Number(event.color_id) > 0 && Number(event.color_id) <= count) return event.color_id;
  const position = categories.findIndex((name) => event.categories.includes(name));
  return position === -1 || count === 0 ? "" : colorIdAt(position, count);
}

/** Returns the `color_id` of a position, from 0: every second colour first, since two neighbours may be a dark and a light one of a hue. */
export function colorIdAt(position: number, count: number): string {
  const turn = position % count;
  const half = Math.ceil(count / 2);
  return String(turn < half ? 2 * turn + 1 : 2 * (turn - half) + 2);
}

const known = new Map<string, Readonly<Record<"light" | "dark", string>>>();

/** Returns a colour `#rrggbb` as light and dark pages show it: darker or lighter where it would not stand out from a surface. */
export function markColors(color: string): Readonly<Record<"light" | "dark", string>> {
  const found = known.get(color) ?? { light: markOn("light", color), dark: markOn("dark", color) };
  known.set(color, found);
  return found;
}

function markOn(scheme: keyof typeof surfaces, color: string): string {
  const { extreme, ink } = surfaces[scheme];
  for (let step = 0; step < 100; step++) {
    const mark = mixed(color, ink, step / 100);
    if (contrast(mark, extreme) >= leastMarkContrast) return mark;
  }
  return ink;
}
