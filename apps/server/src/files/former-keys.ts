import type { Transaction } from "../db/transaction.js";
import { type FileKey, hasUidsOfSync, keysOfSync } from "./import-queries.js";
import type { Instance } from "./instances.js";

// Some sources make new UIDs with each response. Their events are known again by their times, titles and places.

/** What events of a file were known as before; none where the UIDs of the file stay. */
export type FormerKeys = ReadonlyMap<Instance, FileKey>;

/**
 * Returns what finds the former keys of some events of a file. Each is found once, so that of equal events there stay as many as there are.
 * @param uids all of the file: when the sync knows one of them, its source does not make new ones
 */
export async function formerKeys(
  reading: Pick<Transaction, "query" | "dialect">,
  syncId: number | null,
  uids: readonly string[],
): Promise<(instances: readonly Instance[]) => FormerKeys> {
  const known = new Map<string, FileKey[]>();
  if (syncId !== null && !(await hasUidsOfSync(reading, syncId, uids)))
    for (const { uid, recurrence_id, ...event } of await keysOfSync(reading, syncId)) {
      const key = contentKey(event);
      const former = { uid, recurrenceId: recurrence_id };
      if (known.get(key)?.push(former) === undefined) known.set(key, [former]);
    }
  return (instances) =>
    new Map(
      instances.flatMap((instance): readonly [Instance, FileKey][] => {
        const former = known.get(contentKey({ ...instance.dates, ...instance.texts }))?.shift();
        return former === undefined ? [] : [[instance, former]];
      }),
    );
}

interface Content {
  readonly start_at: number;
  readonly end_at: number;
  readonly title: string;
  readonly location: string;
}

function contentKey({ start_at, end_at, title, location }: Content): string {
  return JSON.stringify([start_at, end_at, title, location]);
}
