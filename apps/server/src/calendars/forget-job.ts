import type { Knex } from "knex";
import type { DoItem } from "../background/failures.js";
import type { Database, Db } from "../db/database.js";
import { forgetAnswersOfEvents } from "../db/kept-answers.js";
import type { HistoryRow } from "../db/rows.js";
import { oldestEntries, type Forgotten } from "./entry-queries.js";
import { forgetNews } from "../webhooks/mail-queries.js";

const batchSize = 500;

/**
 * Removes the texts of events that were removed for good from the history and from stored responses; an event has any number of
 * entries, in every calendar that it was in. Safe on several servers at once.
 */
export async function forgetRemoved(db: Database, isStopping: () => boolean, doItem: DoItem): Promise<void> {
  for (let after = 0; !isStopping();) {
    const next = db.read<Forgotten>("forgotten_events").where("account_id", ">", after);
    const [row] = await next.orderBy("account_id").limit(1).select("account_id");
    if (row === undefined) return;
    after = row.account_id;
    await doItem(after, async () => {
      while (await forgetSome(db, after, isStopping));
    });
  }
}

/** Reports whether such texts may exist. */
export async function hasForgotten(db: Db): Promise<boolean> {
  return (await db<Forgotten>("forgotten_events").first("event_id")) !== undefined;
}

/** Returns false when none were left, or it stopped before the end. */
async function forgetSome(db: Database, account_id: number, isStopping: () => boolean): Promise<boolean> {
  const those = db.read<Forgotten>("forgotten_events").where({ account_id });
  const ids: number[] = await those.orderBy("event_id").limit(batchSize).pluck("event_id");
  // An event that has moved to another calendar still exists.
  const kept = new Set<number>(await db.read("events").whereIn("id", ids).pluck("id"));
  const gone = ids.filter((id) => !kept.has(id));
  for (let after = 0; gone.length > 0;) {
    if (isStopping()) return false;
    const ofThem = (entries: Knex.QueryBuilder<HistoryRow>) =>
      entries
        .where({ account_id })
        .whereIn("event_id", gone)
        .where((texts) => void texts.whereNot("changes", "{}").orWhereNot("note", ""))
        .where("id", ">", after);
    const some = (await oldestEntries(db.read, ofThem)).map(({ id }) => id);
    const last = some.at(-1);
    if (last === undefined) break;
    await db.transaction((trx) =>
      trx<HistoryRow>("history").whereIn("id", some).update({ changes: "{}", note: "" }),
    );
    after = last;
  }
  if (ids.length > 0)
    await db.transaction(async (trx) => {
      if (gone.length > 0) {
        await forgetAnswersOfEvents(trx, account_id, gone);
        await forgetNews(trx, account_id, gone);
      }
      await trx<Forgotten>("forgotten_events").whereIn("event_id", ids).delete();
    });
  return ids.length === batchSize;
}
