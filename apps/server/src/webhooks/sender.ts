import { setMaxListeners } from "node:events";
import type { Logger } from "pino";
import type { Database } from "../db/database.js";
import { claim, dueEndpoints, release, type Run } from "./claim.js";
import { logWebhookFailure } from "./log.js";
import { createPace } from "./pace.js";
import { createReceivers } from "./receivers.js";
import { repeat } from "./repeat.js";
import { claimSeconds, type ObserveAttempt, type RunContext, sendRun } from "./run.js";
import type { Sending } from "./send.js";
import { onAnnouncement } from "./wake.js";

export interface SenderOptions {
  readonly db: Database;
  readonly log: Logger;
  /** Unix seconds. */
  readonly clock: () => number;
  readonly sending: Sending;
  readonly observe?: ObserveAttempt | undefined;
}

/** Sends what waits in the outbox until it is stopped. */
export interface Sender {
  /** Ends its claims; what is being sent may take a moment more. */
  stop(): Promise<void>;
}

/** Runs at a time in this process. */
const mostRuns = 16;

/** Endpoints that are looked for at a time. */
const pageSize = 64;

/**
 * The pauses of a busy process, in ms, between two attempts and between two looks for something to send: a look costs as much
 * as an attempt, and finds nothing while runs are sending what there is.
 */
const [attemptPauseMs, lookPauseMs] = [20, 100];

/** How long attempts in flight may take once the sender stops, in ms. */
const stopMs = 3_000;

/** Starts to send. Every process may run one: each delivery has one sender at a time, of all. */
export function startSender(options: SenderOptions): Sender {
  const { db, log, clock, sending } = options;
  const receivers = createReceivers();
  const running = new Set<Promise<void>>();
  const [stopping, abort] = [new AbortController(), new AbortController()];
  setMaxListeners(mostRuns, abort.signal); // each run may wait for its turn
  const isStopping = (): boolean => stopping.signal.aborted;
  const context: RunContext = {
    ...options,
    pace: createPace(attemptPauseMs),
    signal: abort.signal,
    isStopping,
  };
  const lookPace = createPace(lookPauseMs);
  let last = 0; // the endpoint that was looked at last: the next ones have their turn

  async function look(): Promise<void> {
    await lookPace(stopping.signal);
    receivers.tidy(clock());
    for await (const id of dueInTurn(db, clock(), last)) {
      if (running.size >= mostRuns || isStopping()) return;
      last = id;
      if (receivers.isFree(id, clock())) await claimRuns(id);
    }
  }

  async function claimRuns(id: number): Promise<void> {
    const [now, claimedAt] = [clock(), performance.now()];
    const runs = await db.transaction((trx) => claim(trx, id, { now, until: now + claimSeconds(sending) }));
    if (!receivers.isFree(id, clock())) {
      // An attempt failed during the claim: what it released waits with the others.
      for (const run of runs) await db.transaction((trx) => release(trx, run));
      return;
    }
    receivers.begin(id, runs.length, claimedAt);
    for (const run of runs) start(run);
  }

  function start(run: Run): void {
    const { id } = run.endpoint;
    const ended = sendRun(run, context, (result) => receivers.attempted(id, result, clock()))
      .catch((error: unknown) => {
        logWebhookFailure(log, error, "run of a webhook failed: it is claimed again later");
      })
      .then(() => {
        receivers.end(id);
        running.delete(ended);
        looking.wake();
      });
    running.add(ended);
  }

  const looking = repeat(() =>
    look().catch((error: unknown) =>
      logWebhookFailure(log, error, "webhooks not looked for, will be retried"),
    ),
  );
  const stopListening = onAnnouncement(looking.wake);
  looking.wake(); // for what the process before has left
  return {
    stop: async () => {
      stopping.abort();
      stopListening();
      await looking.stop();
      const timer = setTimeout(() => abort.abort(), stopMs);
      while (running.size > 0) await Promise.all(running);
      clearTimeout(timer);
    },
  };
}

/** Yields the endpoints with something due, each once, from the one after `last` on. `now` is in Unix seconds. */
async function* dueInTurn(db: Database, now: number, last: number): AsyncGenerator<number> {
  for (const [from, to] of [
    [last, Infinity],
    [0, last],
  ] as const) {
    for (let after = from; after < to;) {
      const ids = await dueEndpoints(db, { now, after, limit: pageSize });
      for (const id of ids) if (id <= to) yield id;
      if (ids.length < pageSize) break;
      after = ids.at(-1) ?? Infinity;
    }
  }
}
