import { randomInt } from "node:crypto";
import type { Agent } from "node:http";
import { noteFailure } from "../background/failures.js";
import type { Queue } from "../background/worker.js";
import type { WebhookDeliveryRow, WebhookEndpointRow } from "../db/rows.js";
import type { Services } from "../services.js";
import { openConnection, type Outcome, send, type Sending } from "./attempt.js";
import * as queries from "./delivery-queries.js";
import { disableEndpoint } from "./queries.js";
import { mostAttempts, pauseAfter, receiverPause } from "./schedule.js";
import { signedHeaders, validSecrets } from "./secrets.js";
import { testType } from "./message.js";

export type ObserveAttempt = (outcome: "sent" | "retried" | "failed", seconds: number) => void;

export interface SenderContext extends Services {
  readonly sending: Sending;
  readonly observe?: ObserveAttempt | undefined;
  readonly isStopping: () => boolean;
  /** Aborts attempts in flight, which then do not count. */
  readonly signal: AbortSignal;
}

/** Most endpoints that a process sends to at once: it mostly waits for their receivers. */
const most = 64;

/**
 * How much longer an endpoint is claimed than its attempts may last, in seconds: clocks of servers differ, and outcomes are
 * stored.
 */
const spareSeconds = 5;

/** Returns the queue of endpoints with messages to send (extensions X4.2). */
export function webhookQueue(context: SenderContext): Queue {
  const { db, clock } = context;
  const due: Queue["due"] = async (busy) => {
    const endpoints = await queries.dueEndpoints(db.read, { now: clock(), busy, limit: 2 * most });
    return endpoints.map(({ id, account_id: accountId }) => ({
      id,
      accountId,
      run: () => sendTo(id, context),
    }));
  };
  return { kind: "webhook", everyMs: 1_000, atStart: true, most, due };
}

/** Sends the due messages of an endpoint, in order, until an attempt fails or one time limit has passed. */
async function sendTo(id: number, context: SenderContext): Promise<void> {
  const { db, clock, sending, isStopping } = context;
  const now = clock();
  // The last attempt begins before one time limit is over, and ends within another.
  const until = now + Math.ceil((2 * sending.timeoutMs) / 1_000) + spareSeconds;
  let endpoint = await db.transaction((trx) => queries.takeEndpoint(trx, id, { now, until }));
  if (endpoint === undefined) return;
  const endsAt = performance.now() + sending.timeoutMs;
  const connection = openConnection(endpoint.url);
  try {
    let last: Attempted | undefined;
    do {
      const isOver =
        isStopping() || (last !== undefined && last.result !== "sent") || performance.now() > endsAt;
      const next = await advance(endpoint, last, { ...context, isOver });
      last = next && (await attempt(next, { ...context, connection }));
      if (last?.result === "sent") endpoint = { ...endpoint, failures: 1 };
    } while (last !== undefined);
  } finally {
    connection.destroy();
  }
}

interface Attempted {
  readonly due: queries.Due;
  /** "stopped" when the server's stop aborted the attempt: it does not count. */
  readonly result: "sent" | "retried" | "failed" | "stopped";
  readonly change: Partial<WebhookDeliveryRow>;
  /** Reason to disable the endpoint. */
  readonly reason?: string;
}

/**
 * Stores the outcome of the last attempt and counts the next one, in one transaction. Without a next one the endpoint is
 * released.
 */
async function advance(
  endpoint: WebhookEndpointRow,
  last: Attempted | undefined,
  { db, clock, log, isOver }: SenderContext & { readonly isOver: boolean },
): Promise<queries.Due | undefined> {
  const now = clock();
  const { failures } = endpoint;
  const failed = { next_at: now + receiverPause(failures), failures };
  const ended = {
    sent: { next_at: now, failures: 0 },
    retried: failed,
    failed,
    stopped: { next_at: now, failures: failures - 1 },
  };
  // Locks in the order of the operations: account, endpoint, messages.
  const [next, disabled] = await db.transaction(async (trx) => {
    const gone = last?.reason && (await disableEndpoint(trx, endpoint, last.reason, now));
    if (last !== undefined) await queries.settle(trx, last.due, last.change);
    if (isOver) return [undefined, gone];
    return [await queries.takeDelivery(trx, endpoint, { now, pauseAfter: randomPause }), gone];
  });
  const { id: webhook_id, account_id } = endpoint;
  const { status, attempts } = last?.change ?? {};
  if (disabled) log.warn({ webhook_id, account_id, status, attempts }, "webhook disabled");
  if (next === undefined)
    await db.transaction((trx) => queries.releaseEndpoint(trx, endpoint, ended[last?.result ?? "stopped"]));
  return next;
}

const randomPause = (attempts: number): number => pauseAfter(attempts, randomInt(1_001) / 1_000);

async function attempt(
  due: queries.Due,
  { clock, sending, signal, connection, log, observe }: SenderContext & { readonly connection: Agent },
): Promise<Attempted> {
  const { payload, url, message_id: id, attempts, next_at } = due;
  let outcome: Outcome = { isSuccess: false, status: null, error: queries.notEnded, durationMs: 0 };
  try {
    const now = clock();
    const headers = () => signedHeaders({ id, payload }, validSecrets(due, now), now);
    // The last attempt may have ended the process, so it is not repeated.
    if (attempts < attemptsOf(due))
      outcome = await send(url, { payload, headers: headers() }, sending, { connection, signal });
  } catch (error) {
    // For example a secret that cannot sign: it must not block the next messages.
    noteFailure({ log, kind: "webhook", id: due.id }, error, "webhook not sent, will be retried");
    outcome = { ...outcome, error: "The server could not send the message." };
  }
  if (signal.aborted && !outcome.isSuccess)
    return { due, result: "stopped", change: { attempts, next_at, error: null } };
  const attempted = attemptedWith(due, outcome, clock());
  observe?.(attempted.result, outcome.durationMs / 1_000);
  return attempted;
}

function attemptsOf({ type }: Pick<WebhookDeliveryRow, "type">): number {
  return type === testType ? 1 : mostAttempts;
}

function attemptedWith(due: queries.Due, { isSuccess, status, error, durationMs }: Outcome, now: number) {
  const attempts = Math.min(due.attempts + 1, attemptsOf(due));
  const change = { attempts, status, error, duration_ms: durationMs, attempted_at: now };
  if (isSuccess) return { due, result: "sent", change: { ...change, state: "sent", next_at: 0 } } as const;
  if (status !== 410 && attempts < attemptsOf(due))
    return { due, result: "retried", change: { ...change, next_at: now + randomPause(attempts) } } as const;
  const failed = { due, result: "failed", change: { ...change, state: "failed", next_at: 0 } } as const;
  if (due.type === testType) return failed;
  const times = `A delivery failed ${attempts} times, the last time with: ${error ?? ""}`;
  // 410 is final.
  return { ...failed, reason: status === 410 ? "The receiver answered 410 Gone." : times };
}
