import { setMaxListeners } from "node:events";
import { noteFailure, runUnit } from "../background/units.js";
import { type Database, Overloaded } from "../db/database.js";
import { createLimit, createTurns } from "../db/turns.js";
import { createLostClaims } from "../db/set-aside.js";
import { claim, type DueEndpoint, dueEndpoints, release } from "./claim-queries.js";
import { createPace, createPaces } from "./throttle.js";
import { createReceivers } from "./receivers.js";
import { repeat } from "./repeat.js";
import { claimSeconds, type RunContext, sendRun } from "./run.js";
import { onAnnouncement } from "./wake.js";
import type { Services } from "../services.js";

export type SenderOptions = Pick<RunContext, keyof Services | "sending" | "observe">;

/** Sends what waits in the outbox until it is stopped. */
export interface Sender {
  /** Ends its claims; what is being sent may take a moment more. */
  stop(): Promise<void>;
}

/** Runs at a time in this process, of one account and of all: most of their time they wait for a receiver. */
const [mostOfOne, most] = [4, 64];

/** Endpoints that are looked for at a time, and that may wait for a turn. */
const [pageSize, mostWaiting] = [64, 1_024];

/** How long an endpoint waits for its turn, in ms; then it is looked for again. Beyond the longest time of all runs. */
const patienceMs = 600_000;

/**
 * The pauses of a busy process, in ms, between two attempts for an account and for all of them, and between two looks for something to
 * send: a look costs as much as an attempt, and finds nothing while runs are sending what there is.
 */
const [ofAccountMs, ofAllMs, lookPauseMs] = [20, 5, 100];

/**
 * How long a process sends other messages before one that a process ended with, in ms: at least, since it may end again, and at most,
 * however much there is to send.
 */
const [firstOthersMs, onlyOthersMs] = [2_000, 60_000];

/** How long attempts in flight may take once the sender stops, in ms. */
const stopMs = 3_000;

/** Starts to send. Every process may run one: each delivery has one sender at a time, of all. */
export function startSender(options: SenderOptions): Sender {
  const { db, log, clock, sending } = options;
  const receivers = createReceivers(most / 2);
  const turns = createTurns({ most, mostOfOne, mostWaitingOfOne: mostWaiting, patienceMs });
  const oneByOne = createLimit(1, patienceMs); // claims: each is a transaction
  const waiting = new Set<number>(); // endpoints, for a turn
  const working = new Set<Promise<void>>();
  const lost = createLostClaims();
  const startedAt = performance.now();
  let hasSuspect = false; // one at a time: if the process ended with several, it would not tell which was to blame
  const [stopping, abort] = [new AbortController(), new AbortController()];
  setMaxListeners(2 * most, abort.signal); // each run may wait for its turn, and for a response
  const isStopping = (): boolean => stopping.signal.aborted;
  const paceOf = createPaces(ofAccountMs, ofAllMs);
  const lookPace = createPace(lookPauseMs);
  let last = 0; // the endpoint that was looked at last: the next ones have their turn

  /** Others come first: a suspect is sent when nothing else is, and in any case after a while. */
  function maySuspect(): boolean {
    const uptimeMs = performance.now() - startedAt;
    return !hasSuspect && uptimeMs >= firstOthersMs && (working.size <= 1 || uptimeMs >= onlyOthersMs);
  }

  async function look(): Promise<void> {
    await lookPace(stopping.signal);
    receivers.tidy(clock());
    for await (const endpoint of dueInTurn(db, clock(), last)) {
      if (waiting.size >= mostWaiting || isStopping()) return;
      last = endpoint.id;
      if (waiting.has(last) || !receivers.isFree(last, clock())) continue;
      waiting.add(last);
      const work = takeTurn(endpoint);
      working.add(work);
      void work.then(() => working.delete(work));
    }
  }

  /** Waits until it is the turn of an account, and sends what it has for one of its endpoints. Never rejects. */
  async function takeTurn({ id, account_id }: DueEndpoint): Promise<void> {
    const limitMs = claimSeconds(sending) * 1_000;
    try {
      await turns.run(account_id, async () => {
        waiting.delete(id);
        if (isStopping() || !receivers.isFree(id, clock())) return;
        const place = { isTaken: false, isSuspect: false };
        const isDone = await runUnit({ log, kind: "webhook", id, limitMs }, (late) =>
          claimAndSend({ id, account_id }, place, AbortSignal.any([abort.signal, late])),
        );
        if (!isDone) receivers.attempted(id, "failed", clock());
        if (place.isTaken) receivers.end(id);
        if (place.isSuspect) hasSuspect = false;
        looking.wake();
      });
    } catch (error) {
      if (!(error instanceof Overloaded)) noteFailure({ log, kind: "webhook", id }, error);
    } finally {
      waiting.delete(id);
    }
  }

  async function claimAndSend(
    { id, account_id }: DueEndpoint,
    place: { isTaken: boolean; isSuspect: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    const run = await oneByOne(async () => {
      const [now, claimedAt] = [clock(), performance.now()];
      const choice = { now, until: now + claimSeconds(sending), suspects: maySuspect(), lost: lost.all() };
      const claimed = await db.transaction((trx) => claim(trx, id, choice));
      const isWanted = claimed !== undefined && !signal.aborted && receivers.isFree(id, clock());
      // An attempt may have failed during the claim: what it released waits with the others.
      if (claimed !== undefined && !isWanted) await db.transaction((trx) => release(trx, claimed));
      receivers.begin(id, isWanted ? 1 : 0, claimedAt);
      place.isTaken = isWanted;
      place.isSuspect = isWanted && claimed.isSuspect;
      if (place.isSuspect) hasSuspect = true;
      return isWanted ? claimed : undefined;
    });
    if (run === undefined) return;
    looking.wake(); // for another run beside this one
    const context: RunContext = { ...options, pace: paceOf(account_id), signal, isStopping, lost };
    await sendRun(run, context, (result) => receivers.attempted(id, result, clock()));
  }

  const looking = repeat(() => runUnit({ log, kind: "job", id: "webhooks" }, look));
  const stopListening = onAnnouncement(looking.wake);
  looking.wake(); // for what the process before has left
  return {
    stop: async () => {
      stopping.abort();
      stopListening();
      await looking.stop();
      const timer = setTimeout(() => abort.abort(), stopMs);
      await Promise.all(working);
      clearTimeout(timer);
    },
  };
}

/** Yields the endpoints with something due, each once, from the one after `last` on. `now` is in Unix seconds. */
async function* dueInTurn(db: Database, now: number, last: number): AsyncGenerator<DueEndpoint> {
  for (const [from, to] of [
    [last, Infinity],
    [0, last],
  ] as const) {
    for (let after = from; after < to;) {
      const endpoints = await dueEndpoints(db, { now, after, limit: pageSize });
      for (const endpoint of endpoints) if (endpoint.id <= to) yield endpoint;
      if (endpoints.length < pageSize) break;
      after = endpoints.at(-1)?.id ?? Infinity;
    }
  }
}
