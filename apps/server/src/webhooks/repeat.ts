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

/** Runs `work`: never twice at once, and once more when it was woken meanwhile. What fails is done again within a second. */
export function repeat(work: () => Promise<unknown>): Repeated {
  let isStopped = false;
  let isDue = false;
  let running: Promise<void> | undefined;
  let notBefore = 0; // by performance.now()
  let pause: NodeJS.Timeout | undefined;

  async function runOnce(): Promise<void> {
    try {
      await work();
    } finally {
      running = undefined;
      notBefore = performance.now() + leastPauseMs;
      if (isDue) begin();
    }
  }

  function begin(): void {
    if (isStopped || !isDue || running !== undefined) return;
    const waitMs = notBefore - performance.now();
    clearTimeout(pause);
    isDue = waitMs > 0;
    if (isDue) pause = setTimeout(begin, waitMs);
    else running = runOnce();
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
