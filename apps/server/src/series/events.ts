import type { LockedCalendar } from "../calendars/locks.js";
import type { Member } from "../db/batch.js";
import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { announceEvent } from "../events/announce.js";
import * as queries from "../events/queries.js";
import type { EventChange } from "../events/revisions.js";
import { storeEventChange, storeNewEvent } from "../events/write.js";
import { datesOf, type WallTimes } from "./expand.js";
import { readTemplate } from "./template.js";

// Each function makes all its calls at once, so that a series of 366 takes as many statements as one event (db/batch.ts).

/** Stores the events of a series at these places, and announces each. Returns them in the order of the places. */
export async function addEvents(
  trx: Member,
  calendar: LockedCalendar,
  series: SeriesRow,
  places: readonly number[],
  now: number,
): Promise<readonly EventRow[]> {
  const template = readTemplate(series);
  return Promise.all(
    places.map((place) => {
      const event = {
        ...template,
        timezone: series.timezone,
        all_day: series.all_day,
        ...datesOf(wallTimes(series, place)),
        series_id: series.id,
        series_place: place,
      };
      return storeNewEvent(trx, calendar, event, now);
    }),
  );
}

/** The times of the event at a place, unless it was changed by itself. */
export function wallTimes({ shift, length, all_day, timezone }: SeriesRow, place: number): WallTimes {
  return { start: place + shift, length, allDay: all_day === 1, timezone };
}

/** Changes events of a locked calendar, and announces each. */
export async function changeEvents(
  trx: Member,
  calendar: LockedCalendar,
  changes: readonly (readonly [event: EventRow, change: EventChange])[],
  now: number,
): Promise<void> {
  await Promise.all(
    changes.map(([event, change]) => storeEventChange(trx, { event, calendar }, change, now)),
  );
}

/** Deletes events of a locked calendar, and announces each. */
export async function removeEvents(
  trx: Member,
  calendar: LockedCalendar,
  events: readonly EventRow[],
  now: number,
): Promise<void> {
  await Promise.all(events.map((event) => queries.deleteEvent(trx, { event, calendar }, now)));
  await Promise.all(events.map((event) => announceEvent(trx, calendar, "event.deleted", event, now)));
}
