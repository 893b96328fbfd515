import type { CalendarDetails, FoundEvent, Palette } from "@kalends/client/extensions";
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

/** The next event of a calendar, which may have begun. */
export function useNextEvent(calendarId: string): Loaded<FoundEvent | null> {
  return useLoaded(["next", calendarId], async () => {
    const query = { calendar_id: calendarId, order_by: "date-asc", wall: "calendar" } as const;
    const from = new Date().toISOString().slice(0, 19);
    const [next] = await api.events.list({ ...query, from: `${from}Z` }).toArray({ limit: 1 });
    return next ?? null;
  });
}

/** The colour of an event, of those that its calendar's palette has. */
export function colorOf(palettes: readonly Palette[], paletteId: string, colorId: string): string {
  const palette = palettes.find(({ id }) => id === paletteId);
  return palette?.colors[Number(colorId) - 1] ?? "";
}
