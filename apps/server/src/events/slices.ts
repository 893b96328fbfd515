import { setTimeout as rest } from "node:timers/promises";
import type { Payload } from "@kalends/spec";
import { PrintedList } from "../http/json.js";
import { formatInstant } from "../time/instants.js";
import type { ChangedEvent } from "./change-queries.js";
import type { DescribedEvent } from "./find-queries.js";
import type { Sized } from "./queries.js";
import { event } from "./serialize.js";

// A page may have 100 events of the longest texts: 26 MB. They are read and printed in slices, between which others have their turn.

/** Bytes of long texts that are read at a time: to take them over keeps the event loop for some milliseconds. */
const sliceBytes = 1_000_000;

/**
 * Divides items into slices, in their order, whose texts are few enough to be read and printed at once. Between two it rests for as
 * long as the one before has taken: pages of the longest texts take half of a processor, and others the rest.
 */
export async function* slicesOf<Item extends Sized>(items: readonly Item[]): AsyncIterable<readonly Item[]> {
  let took = 0;
  for (const slice of divide(items)) {
    if (took > 0) await rest(took);
    const began = performance.now();
    yield slice;
    took = performance.now() - began;
  }
}

function divide<Item extends Sized>(items: readonly Item[]): readonly (readonly Item[])[] {
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

/** Changes as the list returns them. What was deleted since is left out: its deletion comes later in the order of the changes. */
export function printedChanges(
  slice: readonly ChangedEvent[],
  events: readonly DescribedEvent[],
): readonly Buffer[] {
  const known = new Map(events.map((described) => [described.event.id, described]));
  return slice.flatMap(({ id, deletedAt }) => {
    const event_id = String(id);
    if (deletedAt !== null) {
      const deleted: Change = { event_id, change: "deleted", date_deleted: formatInstant(deletedAt) };
      return [Buffer.from(JSON.stringify(deleted))];
    }
    const found = known.get(id);
    if (found === undefined) return [];
    const saved: Change = { event_id, change: "saved", event: event(found.event) };
    return [printed(saved, found)];
  });
}

export const idsOf = (items: readonly { readonly id: number }[]): readonly number[] =>
  items.map(({ id }) => id);

const noDescription = '"description":""';

/** Prints an item of a list that has an event without its description, with it. What comes before it has no such name. */
export function printed(item: object, { description }: DescribedEvent): Buffer {
  const text = JSON.stringify(item);
  const at = text.indexOf(noDescription) + noDescription.length;
  const printedText = Buffer.isBuffer(description) ? description : Buffer.from(description);
  return Buffer.concat([Buffer.from(text.slice(0, at - 2)), printedText, Buffer.from(text.slice(at))]);
}

/** The items of a list with commas between them. */
export function joined<Items extends readonly unknown[]>(items: readonly Buffer[]): PrintedList<Items> {
  const comma = Buffer.from(",");
  return new PrintedList(...items.flatMap((item, index) => (index === 0 ? [item] : [comma, item])));
}

type Change = Payload<"listEventChanges">["changes"][number];
