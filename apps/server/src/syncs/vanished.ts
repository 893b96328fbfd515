import { announceEvent } from "../events/announce.js";
import { deleteEvent } from "../events/queries.js";
import { futureEventsOfSync } from "../imports/queries.js";
import type { Stored } from "../imports/run.js";

/** Events that are deleted at a time. */
const sliceSize = 200;

/**
 * Deletes the future events that a sync has made and that its file has no more, in the transaction of the import. Those of a UID that
 * could not be imported stay, and all when the file has no event: it is more often broken than meant. Returns how many went.
 */
export async function deleteVanished(
  { outcomes, trx, member, calendar }: Stored,
  syncId: number,
  now: number,
): Promise<number> {
  if (outcomes.length === 0) return 0;
  const there = new Set(outcomes.map(({ uid, recurrenceId }) => `${recurrenceId} ${uid}`));
  const skipped = new Set(outcomes.filter(({ result }) => result === "skipped").map(({ uid }) => uid));
  const rows = await futureEventsOfSync(trx, syncId, now);
  const vanished = rows.filter(
    ({ import_uid, import_recurrence_id }) =>
      !there.has(`${import_recurrence_id} ${import_uid}`) && !skipped.has(import_uid),
  );
  for (let start = 0; start < vanished.length; start += sliceSize) {
    const deleting = vanished.slice(start, start + sliceSize).map(async (event) => {
      await deleteEvent(member, { event, calendar }, now);
      await announceEvent(member, calendar, "event.deleted", event, now);
    });
    await Promise.all(deleting);
  }
  return vanished.length;
}
