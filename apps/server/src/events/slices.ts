import { setTimeout as rest } from "node:timers/promises";

// A page may have 100 events of the longest texts: 26 MB. They are read and printed in slices, between which others have their turn.

/** What has long texts, and their bytes. */
export interface Sized {
  readonly size: number;
}

/** SQL: the bytes of an event's long texts, which are not read for it. */
export const sizeSql = "octet_length(description) + octet_length(custom_data)";

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
