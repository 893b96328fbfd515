import { randomInt } from "node:crypto";
import type { Agent } from "node:http";
import type { Logger } from "pino";
import type { Database } from "../db/database.js";
import type { WebhookDeliveryRow } from "../db/rows.js";
import { logWebhookFailure } from "./log.js";
import { type Current, findCurrent, release, type Run, type Settled, settle } from "./claim.js";
import { disableEndpoint } from "./queries.js";
import type { Pace } from "./pace.js";
import { pauseAfter } from "./schedule.js";
import { signedHeaders, validSecrets } from "./secrets.js";
import { openConnection, type Outcome, send, type Sending } from "./send.js";
import { testType } from "./types.js";

/** Is called with what became of each attempt. */
export type ObserveAttempt = (outcome: "sent" | "retried" | "failed", seconds: number) => void;

export interface RunContext {
  readonly db: Database;
  readonly log: Logger;
  /** Unix seconds. */
  readonly clock: () => number;
  readonly sending: Sending;
  readonly observe?: ObserveAttempt | undefined;
  readonly pace: Pace;
  /** Ends attempts in flight; they do not count. */
  readonly signal: AbortSignal;
  readonly isStopping: () => boolean;
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
  const endsAt = performance.now() + context.sending.timeoutMs;
  const storing: Promise<void>[] = [];
  const connection = openConnection(run.endpoint.url);
  let last: "sent" | "failed" | undefined;
  try {
    for (const delivery of run.deliveries) {
      if (last !== "failed") await context.pace(context.signal);
      if (context.isStopping() || last === "failed" || (last === "sent" && performance.now() > endsAt)) break;
      const current = await findCurrent(context.db, run, delivery);
      if (current === undefined) break;
      const outcome = await attempt(current, delivery, context, connection);
      if (context.signal.aborted && !outcome.isSuccess) break;
      last = outcome.isSuccess ? "sent" : "failed";
      attempted(last);
      storing.push(store(run, delivery, outcome, context));
    }
  } finally {
    connection.destroy();
  }
  await Promise.all(storing);
  const rest = run.deliveries.slice(storing.length);
  if (rest.length > 0) await context.db.transaction((trx) => release(trx, { ...run, deliveries: rest }));
}

function attempt(
  { payload, url, ...secrets }: Current,
  { message_id: id }: WebhookDeliveryRow,
  { clock, sending, signal }: RunContext,
  connection: Agent,
): Promise<Outcome> {
  const now = clock();
  const headers = signedHeaders({ id, payload }, validSecrets(secrets, now), now);
  return send(url, { payload, headers }, sending, { connection, signal });
}

/** Stores the outcome. When that fails, the claim ends by itself and the message is sent again. */
async function store(
  { endpoint, sender }: Run,
  delivery: WebhookDeliveryRow,
  outcome: Outcome,
  { db, log, clock, observe }: RunContext,
): Promise<void> {
  const now = clock();
  const { result, settled } = settledBy(delivery, outcome, now);
  observe?.(result, outcome.durationMs / 1000);
  try {
    await db.groupTransaction((trx) => settle(trx, { ...settled, sender }));
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
    logWebhookFailure(log, error, "outcome of a webhook not stored: it is sent again");
  }
}

interface Settlement {
  readonly result: "sent" | "retried" | "failed";
  readonly settled: Omit<Settled, "sender">;
}

/** A test is sent once, 410 is the last word of a receiver. */
function settledBy({ id, attempts, type }: WebhookDeliveryRow, outcome: Outcome, now: number): Settlement {
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
