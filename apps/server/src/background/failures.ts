import type { Logger } from "pino";
import { storageFailure } from "../db/failures.js";
import { describeFailure } from "./failure-log.js";

/** The kinds of background work, as `/metrics` names them. */
export const kinds = ["job", "sync", "webhook"] as const;

export type Kind = (typeof kinds)[number];

interface Work {
  readonly log: Logger;
  readonly kind: Kind;
  /** What the work is about; a job has a name. */
  readonly id: number | string;
}

const failures = new Map<Kind, number>();

export function failuresOf(kind: Kind): number {
  return failures.get(kind) ?? 0;
}

/** Logs and counts a failure of background work, for a job over many items each of theirs. The log has no URL and no person. */
export function noteFailure(
  { log, kind, id }: Work,
  thrown: unknown,
  message = "background work failed, will be retried",
): void {
  const failed = thrown instanceof ItemsFailed ? thrown.failed : [{ item: undefined, error: thrown }];
  for (const { item, error } of failed) {
    failures.set(kind, failuresOf(kind) + 1);
    const code = storageFailure(error);
    // A database that is away is reported elsewhere too; anything else is a defect.
    const level = code === undefined ? "error" : "warn";
    log[level]({ kind, id, item, code, err: describeFailure(error) }, message);
  }
}

interface FailedItem {
  readonly item: number;
  readonly error: unknown;
}

/** Some items of a job failed; the others are done. */
class ItemsFailed extends Error {
  override readonly name = "ItemsFailed";
  readonly failed: readonly FailedItem[];

  constructor(failed: readonly FailedItem[]) {
    const cause = failed[0]?.error;
    super(cause instanceof Error ? cause.message : "", { cause });
    this.failed = failed;
  }
}

/** Does the work of one item of a job, such as a calendar. */
export type DoItem = (item: number, work: () => Promise<unknown>) => Promise<void>;

/** Runs a job over many items: one that fails keeps no other from being done. @throws ItemsFailed after the last one */
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
