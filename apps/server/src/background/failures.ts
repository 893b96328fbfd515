import type { Logger } from "pino";
import { storageFailure } from "../db/failures.js";
import { describeFailure } from "./failure-log.js";

/** Values of the label `kind` in `/metrics`. */
export const kinds = ["job", "mail", "sync", "webhook"] as const;

export type Kind = (typeof kinds)[number];

interface Work {
  readonly log: Logger;
  readonly kind: Kind;
  /** The id of a sync or a webhook, or the name of a job. */
  readonly id: number | string;
}

const failures = new Map<Kind, number>();

export function failuresOf(kind: Kind): number {
  return failures.get(kind) ?? 0;
}

/**
 * Logs and counts a failure of background work; a job over many items reports each item that failed. The log has no URL and no
 * personal data.
 */
export function noteFailure(
  { log, kind, id }: Work,
  thrown: unknown,
  message = "background work failed, will be retried",
): void {
  const failed = thrown instanceof ItemsFailed ? thrown.failed : [{ item: undefined, error: thrown }];
  for (const { item, error } of failed) {
    failures.set(kind, failuresOf(kind) + 1);
    const code = storageFailure(error);
    // A storage failure is logged elsewhere too; any other failure is a defect.
    const level = code === undefined ? "error" : "warn";
    log[level]({ kind, id, item, code, err: describeFailure(error) }, message);
  }
}

interface FailedItem {
  readonly item: number;
  readonly error: unknown;
}

class ItemsFailed extends Error {
  override readonly name = "ItemsFailed";
  readonly failed: readonly FailedItem[];

  constructor(failed: readonly FailedItem[]) {
    const cause = failed[0]?.error;
    super(cause instanceof Error ? cause.message : "", { cause });
    this.failed = failed;
  }
}

export type DoItem = (item: number, work: () => Promise<unknown>) => Promise<void>;

/** Runs a job over many items; an item that fails does not stop the others. @throws ItemsFailed after the last item */
export async function overItems<T>(job: (doItem: DoItem) => Promise<T>): Promise<T> {
  const failed: FailedItem[] = [];
  const result = await job(async (item, work) => {
    try {
      await work();
    } catch (error) {
      failed.push({ item, error });
    }
  });
  if (failed.length > 0) throw new ItemsFailed(failed);
  return result;
}
