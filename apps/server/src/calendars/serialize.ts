import type { Payload } from "@kalends/spec";
import { shownData } from "./custom-data-stored.js";
import type { ShownCalendar } from "../db/columns.js";
import type { CalendarRow } from "../db/rows.js";
import { formatInstant } from "../time/instants.js";
import { omittedFrom } from "./feed-omits.js";

/** A calendar as list and create return it (contract 2.3). */
export function calendar(row: ShownCalendar): Payload<"createCalendar">["calendar"] {
  return { ...savedCalendar(row), timezone: row.timezone }; // save leaves timezone out (contract 2.3)
}

/** A calendar as save returns it: without `timezone` (contract 2.3). */
export function savedCalendar(row: ShownCalendar): Payload<"saveCalendar">["calendar"] {
  return {
    id: String(row.id),
    uniquekey: row.uniquekey,
    calendarname: row.calendarname,
    title: row.title,
    description: row.description,
    followers_active: String(row.followers_active), // counters are strings in calendar objects (contract 2)
    followers_total: String(row.followers_total),
    events_total: String(row.events_total),
    palette_id: row.palette_id,
    date_create: row.created_at,
    date_modified: row.modified_at,
  };
}

/** A calendar as the extensions return it, everywhere (extensions X1.3). */
export function calendarDetails(row: CalendarRow): Payload<"calendarsDetails">["calendar"] {
  return {
    id: String(row.id),
    uniquekey: row.uniquekey,
    calendarname: row.calendarname,
    title: row.title,
    description: row.description,
    timezone: row.timezone,
    palette_id: row.palette_id,
    accent: row.accent,
    picture_id: row.picture_id,
    picture_alt: row.picture_alt,
    listed: row.listed === 1,
    custom_data: shownData(row.custom_data),
    followers_active: row.followers_active,
    followers_total: row.followers_total,
    events_total: row.events_total,
    feed_omits: omittedFrom(row),
    date_create: formatInstant(row.created_at),
    date_modified: formatInstant(row.modified_at),
  };
}
