import type { LockedCalendar } from "../calendars/lock-queries.js";
import { bytesOfEvent } from "../calendars/stored-bytes.js";
import { rowsFoundBy, rowsReplaced } from "../custom-data/stored.js";
import { type Member, requireRoom } from "../db/batch.js";
import { initial } from "../db/columns.js";
import type { EventRow } from "../db/rows.js";
import { pace } from "../time/pace.js";
import type { EventDates } from "./dates.js";
import type { EventChange, NewEvent } from "./revisions.js";
import type { LockedEvent } from "./queries.js";
import { deleteEvent, storeEventChange, storeMovedEvent, storeNewEvent } from "./write.js";

// Writes of many events. Each function makes the calls of a slice at once, so that hundreds of short events take few statements
// (db/batch.ts). What is too much for one request is refused before it is made.

/** New events that have all but their times in common. */
interface Alike<Item> {
  readonly template: Omit<NewEvent, keyof EventDates>;
  readonly items: readonly Item[];
  /** What an event has of its own. */
  readonly fieldsOf: (item: Item) => EventDates & Pick<NewEvent, "series_place">;
}

/** Stores new events of a locked calendar, and announces each. Returns them in the order of the items. */
export function addMany<Item>(
  trx: Member,
  calendar: LockedCalendar,
  { template, items, fieldsOf }: Alike<Item>,
  now: number,
): Promise<readonly EventRow[]> {
  const found = { ...initial, ...template };
  const bytes = bytesOfEvent(found);
  requireRoom(trx, items.length * (1 + calendar.webhooks + rowsFoundBy(found)), items.length * bytes);
  return inSlices(
    items,
    () => bytes,
    (item) => storeNewEvent(trx, calendar, { ...template, ...fieldsOf(item) }, now),
  );
}

/** Changes events of a locked calendar, and announces each. `store` may check what a change is, before it stores it. */
export async function changeEvents(
  trx: Member,
  calendar: LockedCalendar,
  changes: readonly (readonly [event: EventRow, change: EventChange])[],
  now: number,
  store = (found: LockedEvent, change: EventChange) => storeEventChange(trx, found, change, now),
): Promise<readonly (readonly [before: EventRow, after: EventRow])[]> {
  const bytesOf = ([event, change]: (typeof changes)[number]) => bytesOfEvent({ ...event, ...change });
  const bytes = changes.reduce((sum, each) => sum + bytesOf(each), 0);
  const rows = changes.reduce(
    (sum, [event, change]) => sum + rowsReplaced({ ...event, ...change }, event),
    0,
  );
  requireRoom(trx, changes.length * (1 + calendar.webhooks) + rows, bytes);
  return inSlices(
    changes,
    bytesOf,
    async ([event, change]) => [event, await store({ event, calendar }, change)] as const,
  );
}

/** Changes events of locked calendars and moves them to another one, and announces each to both. */
export async function moveEvents(
  trx: Member,
  target: LockedCalendar,
  moves: readonly (LockedEvent & { readonly change: EventChange })[],
  now: number,
): Promise<void> {
  const bytesOf = ({ event, change }: (typeof moves)[number]) => bytesOfEvent({ ...event, ...change });
  const bytes = moves.reduce((sum, move) => sum + bytesOf(move), 0);
  const found = moves.reduce((sum, { event, change }) => sum + 1.5 * rowsFoundBy({ ...event, ...change }), 0);
  requireRoom(trx, moves.length * (5 + 2 * target.webhooks) + found, bytes);
  await inSlices(moves, bytesOf, (move) => storeMovedEvent(trx, move, target, move.change, now));
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
  await inSlices(events, bytesOfEvent, (event) => deleteEvent(trx, { event, calendar }, now));
}

/** Bytes of events that are stored side by side, so in one statement each: more would hold up the event loop to print. */
const sliceBytes = 1024 * 1024;

/** Runs `work` for each item, side by side for as many as a slice has. Returns the results in the order of the items. */
export async function inSlices<Item, Result>(
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
