import type { Logger } from "pino";
import { type Failing, runUnit } from "./units.js";

/** A background job. A failed run is logged; the next one is the retry. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** Whether the first run starts at once. */
  readonly atStart?: boolean;
  /** Runs once. `isStopping` returns true once the server stops or the run is late; the run should then end soon. */
  run(isStopping: () => boolean): Promise<unknown>;
}

/** How long a run may take, in ms: a purge may go through millions of rows. One that is late is left alone, and the next one begins. */
const limitMs = 30 * 60_000;

/** Runs each job every `everyMs`, never twice at once. The returned function stops all jobs and waits for current runs. */
export function startJobs(jobs: readonly Job[], log: Logger, failing?: Failing): () => Promise<void> {
  let stopping = false;
  const stops = jobs.map((job) => {
    let running: Promise<unknown> | undefined;
    const runOnce = async (): Promise<void> => {
      try {
        const unit = { log, kind: "job", id: job.name, limitMs, failing } as const;
        await runUnit(unit, (late) => job.run(() => stopping || late.aborted));
      } finally {
        running = undefined;
      }
    };
    const tick = (): void => {
      running ??= runOnce();
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
