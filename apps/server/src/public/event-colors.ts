import { shownColorId } from "@kalends/spec";
import { paletteSize } from "../calendars/palettes.js";
import type { Db } from "../db/database.js";
import type { CalendarRow, EventRow } from "../db/rows.js";
import { listEventCategories } from "./public-queries.js";

/** What decides the colours of events: the palettes of their calendars, and the categories of each, sorted. */
export interface ColorsOf {
  readonly calendars: readonly Pick<CalendarRow, "id" | "palette_id">[];
  readonly categories: ReadonlyMap<number, readonly string[]>;
}

/** Returns events with the colour that they are shown in: without one of their own, that of their category, as in the console. */
export async function withColors<Row extends Pick<EventRow, "id" | "calendar_id" | "color_id">>(
  db: Db,
  { calendars, categories }: ColorsOf,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const sizes = new Map(calendars.map(({ id, palette_id }) => [id, paletteSize(palette_id)]));
  const sizeOf = ({ calendar_id }: Row): number => sizes.get(calendar_id) ?? 0;
  const colorOf = (row: Row, names: readonly string[] = []): string =>
    shownColorId(
      { color_id: row.color_id, categories: names },
      categories.get(row.calendar_id) ?? [],
      sizeOf(row),
    );
  const open = rows.filter((row) => categories.has(row.calendar_id) && colorOf(row) === "");
  if (open.length === 0) return rows;
  const ofEvents = new Map<number, string[]>();
  for (const { event_id, name } of await listEventCategories(db, [...new Set(open.map(({ id }) => id))]))
    ofEvents.set(event_id, [...(ofEvents.get(event_id) ?? []), name]);
  return rows.map((row) => ({ ...row, color_id: colorOf(row, ofEvents.get(row.id)) }));
}
