import type { EventRow } from "../db/rows.js";
import { lastLocal } from "../events/dates.js";
import type { EventChange, Template } from "../events/revisions.js";
import { dayIndex } from "../time/formats.js";
import { datesInZone, isWithinYears } from "./dates.js";
import type { Texts } from "./read-event.js";
import type { Instance } from "./instances.js";
import { linesText, lineText } from "./text.js";

/**
 * Returns what an import changes of an event; undefined when nothing. What the file does not say stays: the zone of a time in UTC, the
 * colour, the categories, the time of day of whole days. So does what a file cannot say otherwise, such as a text of blanks.
 */
export function changeOf(row: EventRow, instance: Instance): EventChange | undefined {
  const change = { ...textsChange(row, instance.texts), ...datesChange(row, instance) };
  return Object.keys(change).length === 0 ? undefined : change;
}

/** Returns what the texts of a file change of those that are stored. */
export function textsChange(row: Template, texts: Texts): Partial<Template> {
  return {
    ...(lineText(row.title).text === texts.title ? {} : { title: texts.title }),
    ...(linesText(row.description).text === texts.description ? {} : { description: texts.description }),
    ...(lineText(row.location).text === texts.location ? {} : { location: texts.location }),
    ...(lineText(row.organizer).text === texts.organizer ? {} : { organizer: texts.organizer }),
    ...(row.organizer_email === texts.organizer_email ? {} : { organizer_email: texts.organizer_email }),
    ...(row.status === texts.status ? {} : { status: texts.status }),
    ...(texts.reminder === undefined || row.reminder === texts.reminder ? {} : { reminder: texts.reminder }),
    ...(texts.color_id === undefined || row.color_id === texts.color_id ? {} : { color_id: texts.color_id }),
    ...(texts.categories === undefined || row.categories === texts.categories
      ? {}
      : { categories: texts.categories }),
    ...(texts.custom_data === undefined || row.custom_data === texts.custom_data
      ? {}
      : { custom_data: texts.custom_data }),
  };
}

function datesChange(row: EventRow, instance: Instance): EventChange {
  const { isAllDay, zone, namesZone, dates } = instance;
  const timezone = namesZone ? zone : row.timezone;
  const all_day = isAllDay ? 1 : 0;
  if (row.timezone === timezone && row.all_day === all_day && isSameTime(row, instance)) return {};
  const moved = datesInZone(dates, timezone, isAllDay);
  // The wall clock of the event's own zone may be past the years where that of the calendar is not.
  return isWithinYears(moved) ? { timezone, all_day, ...moved } : { timezone: zone, all_day, ...dates };
}

function isSameTime(row: EventRow, { dates, namesClocks }: Instance): boolean {
  if (row.all_day === 0) return row.start_at === dates.start_at && row.end_at === dates.end_at;
  if (namesClocks) return row.start_local === dates.start_local && row.end_local === dates.end_local;
  return (
    dayIndex(row.start_local) === dayIndex(dates.start_local) &&
    dayIndex(lastLocal(row)) === dayIndex(lastLocal(dates))
  );
}
