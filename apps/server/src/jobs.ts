import type { Logger } from "pino";
import { storageFailure } from "./db/failures.js";
import { describeFailure } from "./http/failure-log.js";

/** A background job. A failed run is logged; the next one is the retry. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** Whether the first run starts at once. */
  readonly atStart?: boolean;
  /** Runs once. `isStopping` returns true once the server stops; the run should then end soon. */
  run(isStopping: () => boolean): Promise<unknown>;
}

/** Runs each job every `everyMs`, never twice at once. The returned function stops all jobs and waits for current runs. */
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
            "job failed, will be retried",
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
