import type { LockedCalendar } from "../calendars/lock-queries.js";
import { bytesOfEvent } from "../calendars/stored-bytes.js";
import type { Transaction } from "../db/transaction.js";
import { requireSize } from "../db/refusals.js";
import { initial } from "../db/columns.js";
import type { EventRow } from "../db/rows.js";
import type { EventDates } from "./dates.js";
import type { EventChange, NewEvent } from "./revisions.js";
import type { LockedEvent } from "./queries.js";
import { deleteEvent, storeEventChange, storeMovedEvent, storeNewEvent } from "./write.js";

// Writes of many events. What is too much for one request is refused before it is made.

/** New events that have all but their times in common. */
interface Alike<Item> {
  readonly template: Omit<NewEvent, keyof EventDates>;
  readonly items: readonly Item[];
  /** What an event has of its own. */
  readonly fieldsOf: (item: Item) => EventDates & Pick<NewEvent, "series_place">;
}

/** Stores new events of a locked calendar, and announces each. Returns them in the order of the items. */
export async function addMany<Item>(
  trx: Transaction,
  calendar: LockedCalendar,
  { template, items, fieldsOf }: Alike<Item>,
  now: number,
): Promise<readonly EventRow[]> {
  requireSize(items.length * (1 + calendar.webhooks) * bytesOfEvent({ ...initial, ...template }));
  return inOrder(trx, items, (item) => storeNewEvent(trx, calendar, { ...template, ...fieldsOf(item) }, now));
}

/** Changes events of a locked calendar, and announces each. `store` may check what a change is, before it stores it. */
export async function changeEvents(
  trx: Transaction,
  calendar: LockedCalendar,
  changes: readonly (readonly [event: EventRow, change: EventChange])[],
  now: number,
  store = (found: LockedEvent, change: EventChange) => storeEventChange(trx, found, change, now),
): Promise<readonly (readonly [before: EventRow, after: EventRow])[]> {
  const bytes = changes.reduce((sum, [event, change]) => sum + bytesOfEvent({ ...event, ...change }), 0);
  requireSize((1 + calendar.webhooks) * bytes);
  return inOrder(
    trx,
    changes,
    async ([event, change]) => [event, await store({ event, calendar }, change)] as const,
  );
}

/** Changes events of locked calendars and moves them to another one, and announces each to both. */
export async function moveEvents(
  trx: Transaction,
  target: LockedCalendar,
  moves: readonly (LockedEvent & { readonly change: EventChange })[],
  now: number,
): Promise<void> {
  const bytes = moves.reduce((sum, { event, change }) => sum + bytesOfEvent({ ...event, ...change }), 0);
  requireSize((2 + 2 * target.webhooks) * bytes);
  await inOrder(trx, moves, (move) => storeMovedEvent(trx, move, target, move.change, now));
}

/** Deletes events of a locked calendar, and announces each. */
export async function removeEvents(
  trx: Transaction,
  calendar: LockedCalendar,
  events: readonly EventRow[],
  now: number,
): Promise<void> {
  requireSize(calendar.webhooks * events.reduce((sum, event) => sum + bytesOfEvent(event), 0));
  await inOrder(trx, events, (event) => deleteEvent(trx, { event, calendar }, now));
}

/** Most items whose statements may be on their way: on PostgreSQL, each must be answered soon after it was sent. */
const mostUnanswered = 50;

/** Runs `work` for one item after the other. */
export async function inOrder<Item, Result>(
  trx: Transaction,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(await work(item));
    if (results.length % mostUnanswered === 0) await trx.query("select 1", []);
  }
  return results;
}
