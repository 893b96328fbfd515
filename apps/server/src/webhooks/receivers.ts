const mostRunsOfEndpoint = 2;

/** An endpoint of which nothing could be claimed is looked at again so much later, in ms: others may be sending all of it. */
const emptyMs = 250;

/** A receiver that fails is left alone for a second, and twice as long after each failure in a row, up to so many seconds. */
const longestPause = 30;

/** What is not sent to is forgotten so long after its last failure, in seconds. */
const rememberedSeconds = 3_600;

/** What a process knows of an endpoint that it sends to, or that fails. */
interface Receiver {
  runs: number;
  /** Failures in a row. */
  failures: number;
  /** Unix seconds. */
  pausedUntil: number;
  /** By performance.now(): there was nothing to claim. */
  emptyUntil: number;
  /** By performance.now(): when its last run ended. */
  endedAt: number;
}

const unknown: Receiver = { runs: 0, failures: 0, pausedUntil: 0, emptyUntil: 0, endedAt: -Infinity };

/** The endpoints that a process sends to, by their ids. Times are Unix seconds. */
export interface Receivers {
  /** Reports whether another run of the endpoint may begin. */
  readonly isFree: (id: number, now: number) => boolean;
  /** Notes runs that begin; none when there was nothing to claim. `claimedAt`, by performance.now(), is when the claim began. */
  readonly begin: (id: number, runs: number, claimedAt: number) => void;
  /** Notes what came of an attempt, before it is stored: what is stored releases the endpoint for the next claim. */
  readonly attempted: (id: number, result: "sent" | "failed", now: number) => void;
  readonly end: (id: number) => void;
  /** Forgets endpoints that are not sent to and have not failed for long. */
  readonly tidy: (now: number) => void;
}

/** @param mostFailingRuns of endpoints whose last attempt failed, at a time: others do not wait for those */
export function createReceivers(mostFailingRuns: number): Receivers {
  const receivers = new Map<number, Receiver>();
  const failingRuns = (): number =>
    [...receivers.values()].reduce((sum, { runs, failures }) => sum + (failures > 0 ? runs : 0), 0);
  return {
    isFree: (id, now) => {
      const receiver = receivers.get(id);
      if (receiver === undefined) return true;
      const { runs, failures, pausedUntil, emptyUntil } = receiver;
      const isPaused = pausedUntil > now && pausedUntil <= now + longestPause; // later: the clock was set back
      if (runs >= mostRunsOfEndpoint || isPaused || emptyUntil > performance.now()) return false;
      return failures === 0 || failingRuns() < mostFailingRuns;
    },
    begin: (id, runs, claimedAt) => {
      const receiver = receivers.get(id) ?? { ...unknown };
      receivers.set(id, receiver);
      receiver.runs += runs;
      // A run that ended meanwhile may have released what the claim did not find.
      if (runs === 0 && receiver.endedAt < claimedAt) receiver.emptyUntil = performance.now() + emptyMs;
    },
    attempted: (id, result, now) => {
      const receiver = receivers.get(id) ?? { ...unknown };
      receivers.set(id, receiver);
      if (result === "failed") receiver.pausedUntil = now + Math.min(2 ** receiver.failures, longestPause);
      receiver.failures = result === "failed" ? receiver.failures + 1 : 0;
    },
    end: (id) => {
      const receiver = receivers.get(id);
      if (receiver === undefined) return;
      receiver.runs--;
      receiver.emptyUntil = 0;
      receiver.endedAt = performance.now();
    },
    tidy: (now) => {
      for (const [id, { runs, failures, pausedUntil }] of receivers)
        if (runs === 0 && (failures === 0 || pausedUntil < now - rememberedSeconds)) receivers.delete(id);
    },
  };
}
