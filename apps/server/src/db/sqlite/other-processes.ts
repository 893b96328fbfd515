import { setTimeout as delay } from "node:timers/promises";
import type { ChangeCounter } from "./change-counter.js";

/** After so long a time of its own writes, in ms, a process lets others write: it waits for so long. */
const [mostMs, pauseMs] = [50, 5];

/** For how long another process that has committed is expected to write again, in ms. */
const rememberedMs = 60_000;

/** Gives the other processes that write to a file their share: SQLite has no queue, so one with many writes would keep the lock. */
export interface OtherProcesses {
  /** Call it before each transaction. Resolves at once while no other process writes. */
  letIn(): Promise<void> | undefined;
  /** Call it after each transaction, with how long that had the lock, in ms. */
  wrote(ms: number): void;
}

export function watchOtherProcesses({ read }: Pick<ChangeCounter, "read">): OtherProcesses {
  let [ownMs, rememberedUntil] = [0, 0];
  /** The change counter after the last commit of this process. */
  let own: string | undefined;
  return {
    letIn: () => {
      if (own !== undefined && own !== read()) {
        ownMs = 0;
        rememberedUntil = performance.now() + rememberedMs;
      }
      if (ownMs < mostMs || performance.now() > rememberedUntil) return undefined;
      ownMs = 0;
      return delay(pauseMs);
    },
    wrote: (ms) => {
      ownMs += ms;
      own = read();
    },
  };
}
