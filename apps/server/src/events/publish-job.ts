import { type RunItem, untilFailure } from "../background/units.js";
import type { Database } from "../db/connect.js";
import { memberTransaction } from "../db/member.js";
import { findDraftPlace, findDueDrafts } from "../deletions/draft-queries.js";
import type { Member } from "../db/batch.js";
import { lockDrafts, publish } from "./drafts.js";

const batchSize = 100;

/**
 * Publishes the drafts whose time has come (extensions X8.5), each in a transaction of its own. Safe on several servers at once: a draft is
 * read again when its calendar is locked. Returns how many this one has published.
 */
export async function publishDueDrafts(
  db: Database,
  now: number,
  isStopping: () => boolean = () => false,
  runItem: RunItem = untilFailure,
): Promise<number> {
  let count = 0;
  for (let after = { publish_at: 0, id: 0 }; !isStopping();) {
    const due = await findDueDrafts(db.read, now, after, batchSize);
    for (const { id } of isStopping() ? [] : due)
      await runItem("event", id, async () => {
        if (await memberTransaction(db, (trx) => publishDue(trx, id, now))) count++;
      });
    const last = due.at(-1);
    if (last === undefined || due.length < batchSize) return count;
    after = last;
  }
  return count;
}

async function publishDue(trx: Member, id: number, now: number): Promise<boolean> {
  const place = await findDraftPlace(trx, { id });
  const drafts = await lockDrafts(trx, undefined, place === undefined ? [] : [place]);
  const found = drafts.get(id);
  const { draft } = found ?? {};
  if (found === undefined || draft === undefined || draft.publish_at === null || draft.publish_at > now)
    return false;
  // What cannot be published stays a draft; the failure is logged and counted.
  const error = (code: string): Error => new Error(`a draft cannot be published: ${code}`);
  await publish(trx, { ...found, draft }, { change: {}, now, error });
  return true;
}
