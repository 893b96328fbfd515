import { randomInt } from "node:crypto";
import type { Agent } from "node:http";
import { noteFailure } from "../background/units.js";
import type { LostClaims } from "../db/set-aside.js";
import {
  type Claimed,
  type Current,
  findCurrent,
  release,
  type Run,
  type Settled,
  settle,
} from "./claim-queries.js";
import { disableEndpoint } from "./queries.js";
import type { Pace } from "./throttle.js";
import { pauseAfter } from "./schedule.js";
import { signedHeaders, validSecrets } from "./secrets.js";
import { openConnection, type Outcome, send, type Sending } from "./attempt.js";
import { testType } from "./types.js";
import type { Services } from "../services.js";

export type ObserveAttempt = (outcome: "sent" | "retried" | "failed", seconds: number) => void;

export interface RunContext extends Services {
  readonly sending: Sending;
  readonly observe?: ObserveAttempt | undefined;
  readonly pace: Pace;
  /** Ends attempts in flight; they do not count. */
  readonly signal: AbortSignal;
  readonly isStopping: () => boolean;
  readonly lost: LostClaims;
}

/** How long a claim lasts beyond what its attempts may take, in seconds: the clocks of servers differ, and outcomes are stored. */
const spareSeconds = 5;

/** Returns for how many seconds a run is claimed: its last attempt begins before one time limit is over, and ends within another. */
export function claimSeconds({ timeoutMs }: Sending): number {
  return Math.ceil((2 * timeoutMs) / 1000) + spareSeconds;
}

/**
 * Sends the deliveries of a run one after the other, until one fails or the time is over; the others are due again at once. Each
 * outcome is stored while the next one is sent, and is passed to `attempted` before that.
 */
export async function sendRun(
  run: Run,
  context: RunContext,
  attempted: (result: "sent" | "failed") => void,
): Promise<void> {
  const storing: Promise<void>[] = [];
  const connection = openConnection(run.endpoint.url);
  try {
    await sendAll(run, { ...context, connection, attempted }, storing);
  } finally {
    connection.destroy();
    await Promise.all(storing);
    await releaseFrom(storing.length, run, context);
  }
}

/** Releases what was not attempted, so that it is due at once. */
async function releaseFrom(index: number, run: Run, { db, lost }: RunContext): Promise<void> {
  const rest = run.deliveries.slice(index);
  if (rest.length === 0) return;
  try {
    await db.transaction((trx) => release(trx, { ...run, deliveries: rest }));
  } catch (error) {
    lost.add(run.sender); // the claim ends by itself
    throw error;
  }
}

interface Sent extends RunContext {
  readonly connection: Agent;
  readonly attempted: (result: "sent" | "failed") => void;
}

async function sendAll(run: Run, sent: Sent, storing: Promise<void>[]): Promise<void> {
  const { db, sending, signal, pace, isStopping, attempted } = sent;
  const endsAt = performance.now() + sending.timeoutMs;
  let last: "sent" | "failed" | undefined;
  for (const delivery of run.deliveries) {
    if (last !== "failed") await pace(signal);
    if (isStopping() || last === "failed" || (last === "sent" && performance.now() > endsAt)) return;
    const current = await findCurrent(db, run, delivery);
    if (current === undefined) return;
    const outcome = await attempt(current, delivery, sent);
    if (signal.aborted && !outcome.isSuccess) return;
    last = outcome.isSuccess ? "sent" : "failed";
    attempted(last);
    storing.push(store(run, delivery, outcome, sent));
  }
}

/** Sends a message. What fails here, such as a secret that cannot sign, is a failed attempt: it does not hold up the next messages. */
async function attempt(
  { payload, url, ...secrets }: Current,
  { id, message_id }: Claimed,
  { clock, sending, signal, connection, log }: Sent,
): Promise<Outcome> {
  try {
    const now = clock();
    const headers = signedHeaders({ id: message_id, payload }, validSecrets(secrets, now), now);
    return await send(url, { payload, headers }, sending, { connection, signal });
  } catch (error) {
    noteFailure({ log, kind: "delivery", id }, error, "webhook not sent, will be retried");
    return { isSuccess: false, status: null, error: "The server could not send the message.", durationMs: 0 };
  }
}

/** Stores the outcome. When that fails, the claim ends by itself and the message is sent again. */
async function store(
  { endpoint, sender }: Run,
  delivery: Claimed,
  outcome: Outcome,
  { db, log, clock, observe, lost }: RunContext,
): Promise<void> {
  try {
    const now = clock();
    const { result, settled } = settledBy(delivery, outcome, now);
    observe?.(result, outcome.durationMs / 1000);
    await db.transaction((trx) => settle(trx, { ...settled, sender }));
    if (result !== "failed" || delivery.type === testType) return;
    const reason = reasonOf(outcome, settled.attempts);
    const disabled = await db.transaction((trx) => disableEndpoint(trx, endpoint, reason, now));
    if (disabled === undefined) return;
    const { id, account_id } = endpoint;
    log.warn(
      { webhook_id: id, account_id, status: outcome.status, attempts: settled.attempts },
      "webhook disabled",
    );
  } catch (error) {
    lost.add(sender);
    const { id } = delivery;
    noteFailure({ log, kind: "delivery", id }, error, "outcome of a webhook not stored: it is sent again");
  }
}

interface Settlement {
  readonly result: "sent" | "retried" | "failed";
  readonly settled: Omit<Settled, "sender">;
}

/** A test is sent once, 410 is the last word of a receiver. */
function settledBy({ id, attempts, type }: Claimed, outcome: Outcome, now: number): Settlement {
  const { isSuccess, status, error, durationMs } = outcome;
  const common = { id, attempts: attempts + 1, status, error, duration_ms: durationMs, attempted_at: now };
  if (isSuccess) return { result: "sent", settled: { ...common, state: "sent", next_at: 0 } };
  const isLast = status === 410 || type === testType;
  const pause = isLast ? undefined : pauseAfter(attempts + 1, randomInt(1_001) / 1_000);
  if (pause === undefined) return { result: "failed", settled: { ...common, state: "failed", next_at: 0 } };
  return { result: "retried", settled: { ...common, state: "pending", next_at: now + pause } };
}

function reasonOf({ status, error }: Outcome, attempts: number): string {
  if (status === 410) return "The receiver answered 410 Gone.";
  return `A delivery failed ${attempts} times, the last time with: ${error ?? ""}`;
}
