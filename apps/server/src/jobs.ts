import type { Logger } from "pino";
import { storageFailure } from "./db/failures.js";
import { describeFailure } from "./http/respond-error.js";

/** Work beside the requests. A run that fails is logged and tried again the next time. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** Whether it runs at once too. */
  readonly atStart?: boolean;
  /** `isStopping` turns true when the server stops: then the run should end soon. */
  run(isStopping: () => boolean): Promise<unknown>;
}

/** Runs each job regularly, never twice at once. The returned function ends that, with the runs that are on their way. */
export function startJobs(jobs: readonly Job[], log: Logger): () => Promise<void> {
  let stopping = false;
  const stops = jobs.map((job) => {
    let running: Promise<unknown> | undefined;
    const tick = (): void => {
      running ??= job
        .run(() => stopping)
        .catch((error: unknown) => {
          log.warn(
            { job: job.name, code: storageFailure(error), err: describeFailure(error) },
            "job failed, tried again",
          );
        })
        .finally(() => {
          running = undefined;
        });
    };
    if (job.atStart === true) tick();
    const timer = setInterval(tick, job.everyMs);
    timer.unref();
    return async () => {
      clearInterval(timer);
      await running;
    };
  });
  return async () => {
    stopping = true;
    await Promise.all(stops.map((stop) => stop()));
  };
}
