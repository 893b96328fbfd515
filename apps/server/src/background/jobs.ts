import type { Services } from "../services.js";
import { endJob, takeJob } from "./job-queries.js";
import type { Queue } from "./worker.js";

export interface Job {
  readonly name: string;
  readonly everyMs: number;
  readonly atStart?: boolean;
  /** Reports whether there is work: a job with a short interval writes nothing while there is none. */
  readonly isDue?: () => Promise<boolean>;
  /** Ends early when `isStopping` returns true. */
  readonly run: (isStopping: () => boolean) => Promise<unknown>;
}

/** Returns the queue of a job that runs in every process. */
export function ownJob({ name, everyMs, run }: Job): Queue {
  const task = { id: name, run: () => run(() => false) };
  return { kind: "job", everyMs, most: 1, due: () => Promise.resolve([task]) };
}

/** Returns the queue of a job that begins on one server at a time. One that takes over a minute may run on two: each item is guarded. */
export function sharedJob(
  { name, isDue, run, ...job }: Job,
  { db, clock }: Pick<Services, "db" | "clock">,
  isStopping: () => boolean,
): Queue {
  const runOnce = async (): Promise<void> => {
    const taken = await db.transaction((trx) => takeJob(trx, name, clock()));
    if (taken === undefined) return;
    await run(isStopping);
    await db.transaction((trx) => endJob(trx, name, taken));
  };
  const due = async () => ((await isDue?.()) === false ? [] : [{ id: name, run: runOnce }]);
  return { kind: "job", most: 1, ...job, due };
}
