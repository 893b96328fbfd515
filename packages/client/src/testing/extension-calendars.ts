import { calendarFields, calendarOf, nextSave, ownCalendars } from "./calendars.js";
import { hasCustomData, storedCustomData } from "./custom-data.js";
import { calendarShape } from "./extension-form.js";
import { paged } from "./paging.js";
import type { Calendar, Call } from "./state.js";

/** extensions.md X2.4 */
export function findCalendars(call: Call): object {
  const found = ownCalendars(call).filter(({ customData }) => hasCustomData(customData, call));
  const { page, paging } = paged(found, call);
  return { calendars: page.map((calendar) => calendarShape(calendar, call)), paging };
}

/** extensions.md X2.3 */
export function getCalendar(call: Call): object {
  return { calendar: calendarShape(calendarOf(call), call) };
}

/** extensions.md X2.3: what is not sent stays, what is empty gets its default. */
export function updateCalendar(call: Call): object {
  const { params, faulty, state, now } = call;
  const before = calendarOf(call);
  const kept = {
    title: before.title,
    calendarname: before.calendarname,
    ...(faulty("X22") ? {} : { timezone: before.timezone }),
    palette_id: before.paletteId,
    description: before.description,
  };
  const merged: Record<string, string> = { ...kept, ...params };
  for (const name of ["calendarname", "timezone", "palette_id"]) if (merged[name] === "") delete merged[name];
  const calendar: Calendar = {
    ...before,
    ...calendarFields({ ...call, params: merged }, ""),
    customData:
      params["custom_data"] === undefined ? before.customData : storedCustomData(params["custom_data"]),
    modified: now,
    saveNumber: nextSave(call),
  };
  state.calendars.set(calendar.id, calendar);
  return { calendar: calendarShape(calendar, call) };
}
