import type { Payload } from "@kalends/spec";
import type { EventRow } from "../db/rows.js";
import { PrintedList } from "../http/json.js";
import { formatInstant } from "../time/instants.js";
import type { ChangedEvent } from "./change-queries.js";
import type { Sized } from "./queries.js";
import { event } from "./serialize.js";

// A page may have 100 events of the longest texts: 26 MB. They are read and printed in slices, so that their rows are not in memory together.

/** Bytes of long texts that are read at a time. */
const sliceBytes = 1_000_000;

/** Divides items into slices, in their order. */
export function slicesOf<Item extends Sized>(items: readonly Item[]): readonly (readonly Item[])[] {
  const slices: Item[][] = [];
  let left = 0;
  for (const item of items) {
    left -= item.size;
    const last = slices.at(-1);
    if (last !== undefined && left >= 0) last.push(item);
    else {
      slices.push([item]);
      left = sliceBytes - item.size;
    }
  }
  return slices;
}

/** Changes as the list returns them. What was deleted or moved away since is left out: its deletion comes later in their order. */
export function changesOf(
  slice: readonly ChangedEvent[],
  events: readonly EventRow[],
  calendarId: number,
): Payload<"eventsChanges">["changes"] {
  const known = new Map(events.map((row) => [row.id, row]));
  return slice.flatMap(({ id, deletedAt }): Payload<"eventsChanges">["changes"] => {
    const event_id = String(id);
    if (deletedAt !== null) return [{ event_id, change: "deleted", date_deleted: formatInstant(deletedAt) }];
    const row = known.get(id);
    return row?.calendar_id !== calendarId ? [] : [{ event_id, change: "saved", event: event(row) }];
  });
}

export const idsOf = (items: readonly { readonly id: number }[]): readonly number[] =>
  items.map(({ id }) => id);

export const printed = (item: object): Buffer => Buffer.from(JSON.stringify(item));

/** The items of a list with commas between them. */
export function joined<Items extends readonly unknown[]>(items: readonly Buffer[]): PrintedList<Items> {
  const comma = Buffer.from(",");
  return new PrintedList(...items.flatMap((item, index) => (index === 0 ? [item] : [comma, item])));
}
