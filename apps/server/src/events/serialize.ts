import type { Payload } from "@kalends/spec";
import { namesOf } from "../calendars/category-names.js";
import type { EventRow } from "../db/rows.js";
import { shownData } from "../calendars/custom-data-stored.js";
import { formatDate, formatMeridiem, formatTime, formatWallClock } from "../time/formats.js";
import { formatInstant, instantOrNone } from "../time/instants.js";
import { toLocal } from "../time/zones.js";

/** An event as the list returns it (contract 2.4). */
export function listedEvent(row: EventRow): Payload<"listEvents">["events"][number] {
  return {
    id: String(row.id),
    ...shared(row),
    date_start_unix: row.start_at,
    date_end_unix: row.end_at,
    color: row.color_id, // the list says color, create and save say color_id (contract 2.4)
  };
}

/** An event as create and save return it (contract 2.4). */
export function savedEvent(row: EventRow): Payload<"saveEvent">["event"] {
  return {
    id: row.id, // an integer here, a string in the list (contract 2.4)
    calendar: String(row.calendar_id),
    ...shared(row),
    color_id: row.color_id,
  };
}

/** Where the previews of drafts are (extensions X8.5): the key of their calendar, and the address of the server. */
export interface PreviewAt {
  readonly uniquekey: string;
  readonly base: string;
}

function previewUrl({ uid, preview_key }: EventRow, { uniquekey, base }: PreviewAt): string {
  return preview_key === null
    ? ""
    : `${base}/c/${uniquekey}/e/${encodeURIComponent(uid)}?draft=${preview_key}`;
}

/** An event as the extensions return it, everywhere (extensions X1.3). */
export function event(row: EventRow, previews?: PreviewAt): Payload<"eventsDetails">["event"] {
  return {
    id: String(row.id),
    calendar_id: String(row.calendar_id),
    uid: row.uid,
    series_id: row.series_id === 0 ? "" : String(row.series_id),
    sync_id: typeof row.synced_by === "number" ? String(row.synced_by) : "",
    status: row.status,
    published: row.state === "published",
    publish_at: instantOrNone(row.publish_at),
    preview_url: previews === undefined ? "" : previewUrl(row, previews),
    categories: [...namesOf(row.categories)],
    title: row.title,
    description: row.description,
    location: row.location,
    organizer: row.organizer,
    organizer_email: row.organizer_email,
    url: row.url,
    picture_id: row.picture_id,
    picture_alt: row.picture_alt,
    start_date: formatWallClock(row.start_local),
    end_date: formatWallClock(row.end_local),
    timezone: row.timezone,
    start_at: formatInstant(row.start_at, row.start_local),
    end_at: formatInstant(row.end_at, row.end_local),
    all_day_event: row.all_day === 1,
    color_id: row.color_id,
    reminder: row.reminder,
    custom_data: shownData(row.custom_data),
    date_create: formatInstant(row.created_at),
    date_modified: formatInstant(row.modified_at),
    updated_times: row.updated_times,
  };
}

/** The same in a list; with its times on the wall clock of its calendar where the zones of these are given (extensions X8.1). */
export function foundEvent(
  row: EventRow,
  zones: ReadonlyMap<number, string> | undefined,
  previews: PreviewAt,
): Payload<"eventsList">["events"][number] {
  const zone = zones?.get(row.calendar_id);
  if (zone === undefined) return event(row, previews);
  const isAllDay = row.all_day === 1; // the same dates in every zone
  const start = isAllDay ? row.start_local : toLocal(row.start_at, zone);
  const end = isAllDay ? row.end_local : toLocal(row.end_at, zone);
  return {
    ...event(row, previews),
    shown_start: formatWallClock(start),
    shown_end: formatWallClock(Math.max(start, end)), // the clock may go back between the two
  };
}

function shared(row: EventRow) {
  return {
    title: row.title,
    description: row.description,
    location: row.location,
    organizer: row.organizer,
    organizer_email: row.organizer_email,
    date_start: formatDate(row.start_local),
    date_start_time: formatTime(row.start_local),
    date_start_ampm: formatMeridiem(row.start_local),
    date_end: formatDate(row.end_local),
    date_end_time: formatTime(row.end_local),
    date_end_ampm: formatMeridiem(row.end_local),
    all_day_event: row.all_day === 1 ? ("true" as const) : ("false" as const),
    date_format: "MM/DD/YYYY", // the only format of the contract (contract 2.4)
    timezone: row.timezone,
    reminder: row.reminder,
    date_create: row.created_at,
    date_modified: row.modified_at,
    updated_times: String(row.updated_times), // a counter, sent as a string (contract 2.4)
  };
}
