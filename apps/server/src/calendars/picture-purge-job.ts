import type { Database } from "../db/database.js";
import { markUnused, picturesAfter, removeUnused, unusedPictures } from "./picture-queries.js";

/** Most pictures of one transaction: few enough that other writers hardly wait. */
const [markedAtOnce, removedAtOnce] = [200, 20];

/** Removes the pictures that nothing has referred to for a day (extensions X11.2). Safe on several servers at once. */
export async function purgePictures(
  db: Database,
  now: number,
  isStopping: () => boolean = () => false,
): Promise<void> {
  for (let last = ""; !isStopping();) {
    const hashes = await picturesAfter(db.read, last, markedAtOnce);
    const end = hashes.at(-1);
    if (end === undefined) break;
    last = end;
    await db.transaction((trx) => markUnused(trx, hashes, now));
  }
  while (!isStopping()) {
    const unused = await unusedPictures(db.read, now, removedAtOnce);
    if (unused.length === 0) return;
    await db.transaction((trx) => removeUnused(trx, unused, now));
  }
}
