import type { LockedCalendar } from "../calendars/lock-queries.js";
import { bytesOfEvent } from "../calendars/stored-bytes.js";
import { rowsFoundBy, rowsReplaced } from "../custom-data/stored.js";
import { type Member, requireRoom } from "../db/batch.js";
import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { announceEvent } from "../events/announce.js";
import * as queries from "../events/queries.js";
import type { EventChange } from "../events/revisions.js";
import { storeEventChange, storeNewEvent } from "../events/write.js";
import { pace } from "../time/pace.js";
import { datesOf, type WallTimes } from "./expand.js";
import { readTemplate } from "./template.js";

// Each function makes the calls of a slice at once, so that a series of 366 short events takes few statements (db/batch.ts). What is
// too much for one request is refused before it is made.

/** Stores the events of a series at these places, and announces each. Returns them in the order of the places. */
export async function addEvents(
  trx: Member,
  calendar: LockedCalendar,
  series: SeriesRow,
  places: readonly number[],
  now: number,
): Promise<readonly EventRow[]> {
  const template = readTemplate(series);
  const bytes = bytesOfEvent(template);
  requireRoom(trx, places.length * (1 + calendar.webhooks + rowsFoundBy(template)), places.length * bytes);
  return inSlices(
    places,
    () => bytes,
    (place) => {
      const event = {
        ...template,
        timezone: series.timezone,
        all_day: series.all_day,
        ...datesOf(wallTimes(series, place)),
        series_id: series.id,
        series_place: place,
      };
      return storeNewEvent(trx, calendar, event, now);
    },
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
  const bytesOf = ([event, change]: (typeof changes)[number]) => bytesOfEvent({ ...event, ...change });
  const bytes = changes.reduce((sum, each) => sum + bytesOf(each), 0);
  const rows = changes.reduce(
    (sum, [event, change]) => sum + rowsReplaced({ ...event, ...change }, event),
    0,
  );
  requireRoom(trx, changes.length * (1 + calendar.webhooks) + rows, bytes);
  await inSlices(changes, bytesOf, ([event, change]) =>
    storeEventChange(trx, { event, calendar }, change, now),
  );
}

/** Deletes events of a locked calendar, and announces each. */
export async function removeEvents(
  trx: Member,
  calendar: LockedCalendar,
  events: readonly EventRow[],
  now: number,
): Promise<void> {
  const rows = events.reduce((sum, event) => sum + rowsFoundBy(event) / 2, 0);
  requireRoom(trx, events.length * (2 + calendar.webhooks) + rows, 0);
  await inSlices(events, bytesOfEvent, (event) => queries.deleteEvent(trx, { event, calendar }, now));
  await inSlices(events, bytesOfEvent, (event) => announceEvent(trx, calendar, "event.deleted", event, now));
}

/** Bytes of events that are stored side by side, so in one statement each: more would hold up the event loop to print. */
const sliceBytes = 1024 * 1024;

/** Runs `work` for each item, side by side for as many as a slice has. Returns the results in the order of the items. */
async function inSlices<Item, Result>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const slice of slicesOf(items, bytesOf)) {
    results.push(...(await Promise.all(slice.map(work))));
    await pace.rest();
  }
  return results;
}

function slicesOf<Item>(items: readonly Item[], bytesOf: (item: Item) => number): readonly Item[][] {
  let slice: Item[] = [];
  const slices: Item[][] = [];
  let bytes = Infinity;
  for (const item of items) {
    bytes += bytesOf(item);
    if (bytes > sliceBytes) {
      slices.push((slice = []));
      bytes = bytesOf(item);
    }
    slice.push(item);
  }
  return slices;
}
