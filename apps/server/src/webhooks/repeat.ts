/** How often work is done that no one asks for, in ms. */
const pollMs = 1_000;

/** The least pause between two runs, however often it is requested, in ms. */
const leastPauseMs = 10;

/** Work that is done every second and when it is woken. */
export interface Repeated {
  readonly wake: () => void;
  /** Waits for a run that has begun. */
  readonly stop: () => Promise<void>;
}

/** Runs `work`, which never rejects: never twice at once, and once more when it was woken meanwhile. */
export function repeat(work: () => Promise<void>): Repeated {
  let isStopped = false;
  let isDue = false;
  let running: Promise<void> | undefined;
  let pause: NodeJS.Timeout | undefined;

  function begin(): void {
    if (isStopped || !isDue || running !== undefined || pause !== undefined) return;
    isDue = false;
    running = work().finally(() => {
      running = undefined;
      pause = setTimeout(() => {
        pause = undefined;
        begin();
      }, leastPauseMs);
    });
  }

  function wake(): void {
    isDue = true;
    begin();
  }

  const timer = setInterval(wake, pollMs);
  timer.unref();
  return {
    wake,
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      clearTimeout(pause);
      await running;
    },
  };
}
