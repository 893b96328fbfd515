import type { Day, FeedCalendar, FeedEvent } from "@kalends/ical";
import type { DescribedCalendar } from "../calendars/public-queries.js";
import { paletteColors } from "../calendars/palettes.js";
import { namesOf } from "../calendars/category-names.js";
import type { CalendarRow } from "../db/rows.js";
import { lastLocal } from "../events/dates.js";
import { shownPicture } from "./views/shown-picture.js";
import { paths } from "./public-paths.js";
import type { ShownEventRow } from "./public-queries.js";

export interface FeedSettings {
  /** When undefined, feeds do not link to their pages. */
  readonly publicUrl: string | undefined;
  /** Refresh interval: a minimum for the apps that respect it (RFC 7986 5.7). */
  readonly refreshMinutes: number;
}

/** Names the program that wrote a file (RFC 5545 3.7.3). */
export const prodId = "-//Kalends//Kalends 1.0//EN";

export function feedCalendar(
  row: DescribedCalendar,
  { publicUrl, refreshMinutes }: FeedSettings,
): FeedCalendar {
  return {
    prodId,
    name: row.calendarname,
    description: row.description,
    timezone: row.timezone,
    modifiedAt: row.feed_modified_at,
    refreshSeconds: refreshMinutes * 60,
    color: paletteColors(row.palette_id)[0] ?? "",
    url: publicUrl === undefined ? undefined : publicUrl + paths.page(row.uniquekey),
  };
}

export function feedEvent(
  row: Omit<ShownEventRow, "id" | "calendar_id">,
  {
    uniquekey,
    palette_id,
    palette_changed_at,
  }: Pick<CalendarRow, "uniquekey" | "palette_id" | "palette_changed_at">,
  { publicUrl }: Pick<FeedSettings, "publicUrl">,
): FeedEvent {
  const color = paletteColors(palette_id)[Number(row.color_id) - 1] ?? "";
  return {
    uid: row.uid,
    createdAt: row.created_at,
    // A new palette gives every event with a color another one.
    modifiedAt: Math.max(row.modified_at, row.moved_at, color === "" ? 0 : palette_changed_at),
    sequence: row.updated_times + row.moves,
    when:
      row.all_day === 1
        ? { firstDay: dayOf(row.start_local), lastDay: dayOf(lastLocal(row)) } // both inclusive (rulings R4.4)
        : { startAt: row.start_at, endAt: row.end_at },
    status: row.status,
    categories: namesOf(row.categories),
    title: row.title,
    description: row.description,
    location: row.location,
    // The page links to where more is said (extensions X7.1, X11.4).
    url: publicUrl === undefined ? row.url || undefined : publicUrl + paths.event(uniquekey, row.uid),
    image: publicUrl === undefined ? undefined : shownPicture(publicUrl, row)?.preview,
    organizer: row.organizer,
    organizerEmail: row.organizer_email,
    color,
    reminderMinutes: row.reminder === "" ? undefined : Number(row.reminder),
  };
}

function dayOf(local: number): Day {
  const date = new Date(local * 1000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}
