import { type RunItem, untilFailure } from "../background/units.js";
import type { Database } from "../db/connect.js";
import { findDraftPlace, findDueDrafts } from "../deletions/draft-queries.js";
import type { Member } from "../db/batch.js";
import { lockDrafts, publish } from "./drafts.js";

interface Options {
  readonly isStopping?: () => boolean;
  readonly runItem?: RunItem;
  /** Drafts of a turn, and of those that share a transaction; the accounts have equal parts of a turn. */
  readonly turn?: { readonly size: number; readonly together: number };
}

/** Drafts that cannot be published, in a run: they are parameters of its queries. */
const mostTried = 5_000;

/**
 * Publishes the drafts whose time has come (extensions X8.5), until none is left that can be: each turn has the next ones of every account, so
 * that many of one account keep no other waiting. Safe on several servers at once: a draft is read again when its calendar is locked. Returns
 * how many this one has published.
 * @param clock the time in Unix seconds
 */
export async function publishDueDrafts(
  db: Database,
  clock: () => number,
  { isStopping = () => false, runItem = untilFailure, turn = { size: 200, together: 20 } }: Options = {},
): Promise<number> {
  let count = 0;
  const tried = new Set<number>(); // in this run: what cannot be published stays due
  const publishOne = (id: number): Promise<boolean> =>
    runItem("event", id, async () => {
      if (await db.groupTransaction((trx) => publishDue(trx, id, clock()))) count++;
    });
  while (!isStopping() && tried.size < mostTried) {
    const due = await findDueDrafts(db.read, clock(), { limit: turn.size, except: [...tried] });
    if (due.length === 0) break;
    for (let from = 0; from < due.length && !isStopping(); from += turn.together) {
      const some = due.slice(from, from + turn.together);
      const done = await Promise.all(some.map(publishOne));
      for (const [index, id] of some.entries()) if (done[index] !== true) tried.add(id);
    }
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
