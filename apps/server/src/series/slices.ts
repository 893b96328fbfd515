import { pace } from "../time/pace.js";

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
