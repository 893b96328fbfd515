import type { Logger } from "pino";
import { noteFailure, overItems } from "../background/failures.js";
import { forgetJob, forgetLeftJobs, takeJob } from "../background/job-queries.js";
import { AccountFull, WriteTooLarge } from "../db/refusals.js";
import type { Database } from "../db/open-database.js";
import type { Transaction } from "../db/transaction.js";
import { storeChange } from "./drafts.js";
import { publishedNow } from "./fields.js";
import { draftJob, type DueDraft, findDueDrafts, lockEvent } from "./queries.js";
import { storeEventChange } from "./write.js";

interface Options {
  /** Where it says which drafts cannot be published. */
  readonly log?: Logger;
  readonly isStopping?: () => boolean;
  /** Drafts of a turn, and of those that share a transaction; the accounts have equal parts of a turn. */
  readonly turn?: { readonly size: number; readonly together: number };
}

/** What an account has stored does not let a draft be published; trying again would not either. */
class Refused extends Error {}

/**
 * Publishes the drafts whose time has come (extensions X8.5), until none is left that can be: each turn has the next ones of every account, so
 * that many of one account keep no other waiting. Each attempt is counted before it is made, as those of jobs are, and a draft that was tried before
 * is published alone: it may have ended the process. One that is refused is logged and loses its time. Returns how many this one has published.
 * @param clock the time in Unix seconds
 */
export async function publishDueDrafts(
  db: Database,
  clock: () => number,
  { log, isStopping = () => false, turn = { size: 200, together: 20 } }: Options = {},
): Promise<number> {
  const publishOne = async (draft: DueDraft): Promise<number> => {
    try {
      if ((await db.transaction((trx) => takeJob(trx, draftJob(draft.id), clock()))) === undefined) return 0;
      return (await db.transaction((trx) => publishDue(trx, draft, clock()))) ? 1 : 0;
    } catch (error) {
      if (![Refused, WriteTooLarge, AccountFull].some((kind) => error instanceof kind)) throw error;
      await db.transaction((trx) => clearTime(trx, draft, clock()));
      if (log !== undefined)
        noteFailure({ log, kind: "job", id: draftJob(draft.id) }, error, "draft not published");
      return 0;
    }
  };
  return overItems(async (doItem) => {
    let count = 0;
    const countOne = (draft: DueDraft) =>
      doItem(draft.id, async () => {
        const published = await publishOne(draft);
        count += published;
      });
    while (!isStopping()) {
      const due = await findDueDrafts(db.read, clock(), turn.size);
      if (due.length === 0) break;
      for (let group: DueDraft[]; due.length > 0 && !isStopping(); await Promise.all(group.map(countOne))) {
        const fresh = due.slice(0, turn.together).filter(({ attempts }) => attempts === 0);
        group = due.splice(0, Math.max(1, fresh.length)); // those that were not tried come first
      }
    }
    await db.transaction((trx) => forgetLeftJobs(trx, "draft ", clock()));
    return count;
  });
}

export async function isDraftDue({ read }: Pick<Database, "read">, now: number): Promise<boolean> {
  return (await findDueDrafts(read, now, 1)).length > 0;
}

async function publishDue(trx: Transaction, draft: DueDraft, now: number): Promise<boolean> {
  await forgetJob(trx, draftJob(draft.id));
  const found = await lockDue(trx, draft, now);
  if (found === undefined) return false;
  const error = (code: string): Error => new Refused(`a draft cannot be published: ${code}`);
  await storeChange(trx, found, publishedNow, { now, error });
  return true;
}

async function clearTime(trx: Transaction, draft: DueDraft, now: number): Promise<void> {
  await forgetJob(trx, draftJob(draft.id));
  const found = await lockDue(trx, draft, now);
  if (found !== undefined) await storeEventChange(trx, found, { publish_at: null }, now);
}

/** Locks a draft whose time has come; undefined where it has none any more. */
async function lockDue(trx: Transaction, { id, account_id: accountId }: DueDraft, now: number) {
  const found = await lockEvent(trx, { accountId }, id);
  const { publish_at = null } = found?.event ?? {};
  return publish_at !== null && publish_at <= now ? found : undefined;
}
