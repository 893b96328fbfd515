import type { Transaction } from "../db/transaction.js";
import { templateColumns } from "../db/columns.js";
import type { EventRow, HistoryRow } from "../db/rows.js";
import { type Difference, differencesOf, published, unpublished } from "../calendars/differences.js";
import { record } from "../calendars/entry-queries.js";

/** What the history shows of an event; instants go with the wall clock that they are of. */
const recorded = [
  "calendar_id",
  ...templateColumns,
  "timezone",
  "start_local",
  "end_local",
  "start_at",
  "end_at",
  "all_day",
] as const;

/** Returns how an event is published, as one number. */
function publicationNumber({ preview_key, publish_at }: EventRow): number {
  return preview_key === null ? published : (publish_at ?? unpublished);
}

export function changesOf(before: EventRow, after: EventRow): Readonly<Record<string, Difference>> {
  const changes = differencesOf(recorded, before, after);
  const [was, is] = [publicationNumber(before), publicationNumber(after)];
  return was === is ? changes : { ...changes, publication: [was, is] };
}

/** Adds what a write does to an event to the history of its calendar (extensions X9.4). */
export function recordEvent(
  trx: Transaction,
  action: HistoryRow["action"],
  [before, after]: readonly [before: EventRow, after: EventRow],
  now: number,
): void {
  const { account_id, calendar_id, id: event_id } = after;
  const changes = before === after ? {} : changesOf(before, after);
  record(trx, { account_id, calendar_id, event_id, action, changes, now });
}
