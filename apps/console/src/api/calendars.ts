import type { CalendarDetails, FoundEvent, Palette } from "@kalends/client/extensions";
import { markColors, shownColorId } from "@kalends/spec/colors";
import { api } from "./client.js";
import { type Loaded, useLoaded } from "./loading.js";

export function useCalendars(): Loaded<readonly CalendarDetails[]> {
  return useLoaded(["calendars"], () => api.calendars.list().toArray());
}

export function useCalendar(id: string): Loaded<CalendarDetails> {
  return useLoaded(["calendar", id], () => api.calendars.get(id));
}

export function usePalettes(): readonly Palette[] {
  return useLoaded(["palettes"], () => api.calendars.palettes()).value ?? [];
}

export function useZones(): readonly string[] {
  const zones = useLoaded(["zones"], () => api.calendars.timeZones()).value ?? [];
  return zones.map(({ label }) => label);
}

/** Events among which the next one that is not cancelled is looked for. */
const mostCancelled = 20;

/** The next event of a calendar that takes place, which may have begun. */
export function useNextEvent(calendarId: string): Loaded<FoundEvent | null> {
  return useLoaded(["next", calendarId], async () => {
    const query = { calendar_id: calendarId, order_by: "date-asc", wall: "calendar" } as const;
    const from = new Date().toISOString().slice(0, 19);
    const found = await api.events.list({ ...query, from: `${from}Z` }).toArray({ limit: mostCancelled });
    return found.find(({ status }) => status !== "cancelled") ?? null;
  });
}

/** A colour of a palette, of which markColors() knows the two that stand out, as a value of `--color` (tokens.css); "" stays "". */
export function markOf(color: string): string {
  if (color === "") return "";
  const { light, dark } = markColors(color);
  return `var(--on-light, ${light}) var(--on-dark, ${dark})`;
}

type Colored = Pick<FoundEvent, "calendar_id" | "color_id" | "categories">;

/**
 * Returns the colour of each event of these calendars, as followers' pages have it: a value of `--color`, or "" for none.
 * @param events where they are given, no more categories are read than they need
 */
export function useEventColors(
  calendars: readonly Pick<CalendarDetails, "id" | "palette_id">[],
  events?: readonly Colored[],
): (event: Colored) => string {
  const palettes = usePalettes();
  const byCategory = events?.filter(({ color_id, categories }) => color_id === "" && categories.length > 0);
  const needed = byCategory && new Set(byCategory.map(({ calendar_id }) => calendar_id));
  const ids = calendars.map(({ id }) => id).filter((id) => needed?.has(id) ?? true);
  const { value: categories } = useLoaded(["categories of", ids.join()], () => readCategories(ids));
  return (event) => {
    const calendar = calendars.find(({ id }) => id === event.calendar_id);
    const colors = palettes.find(({ id }) => id === calendar?.palette_id)?.colors ?? [];
    const shown = shownColorId(event, categories?.get(event.calendar_id) ?? [], colors.length);
    return markOf(colors[Number(shown) - 1] ?? "");
  };
}

/** Calendars that are asked for at once: the server refuses an account that has too many lists waiting. */
const askedAtOnce = 4;

async function readCategories(ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (let at = 0; at < ids.length; at += askedAtOnce) {
    const part = ids.slice(at, at + askedAtOnce);
    const lists = await Promise.all(part.map((id) => api.categories.list(id)));
    for (const [index, id] of part.entries())
      found.set(
        id,
        (lists[index] ?? []).map(({ name }) => name),
      );
  }
  return found;
}
