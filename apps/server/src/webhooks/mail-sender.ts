import { randomInt } from "node:crypto";
import { noteFailure } from "../background/failures.js";
import type { Queue } from "../background/worker.js";
import type { MailDeliveryRow } from "../db/rows.js";
import type { Services } from "../services.js";
import * as queries from "./mail-queries.js";
import type { Mail, MailOutcome, MailTransport } from "./mail-transport.js";
import { mailPauseAfter, mostMailAttempts, receiverPause } from "./schedule.js";

export type ObserveMail = (outcome: "sent" | "retried" | "failed" | "unknown" | "skipped") => void;

/** Returns a message as its receiver reads it; undefined when nothing in it concerns them. */
export type RenderMail = (
  delivery: MailDeliveryRow,
  receiver: queries.Receiver,
) => Promise<Omit<Mail, "to" | "messageId"> | undefined>;

export interface MailContext extends Services {
  readonly transport: MailTransport;
  /** The host in the ids of messages. */
  readonly host: string;
  readonly perMinute: number;
  readonly render: RenderMail;
  readonly observe?: ObserveMail | undefined;
  readonly isStopping: () => boolean;
}

/** How long one turn sends, in ms: then the worker looks whether it is to stop. */
const turnMs = 10_000;

/**
 * Returns the queue of e-mail (extensions X12.3): one message at a time, so that the end of a process repeats at most one. A server that
 * takes no message is left alone, for longer after each failure in a row.
 */
export function mailQueue(context: MailContext): Queue {
  const { db, clock } = context;
  const state = { failures: 0, restsUntil: 0, lastAccount: 0 };
  const due: Queue["due"] = async () => {
    const isResting = performance.now() < state.restsUntil;
    if (isResting || !(await queries.hasWork(db.read, clock()))) return [];
    return [{ id: "mail", run: () => sendSome(context, state) }];
  };
  return { kind: "mail", everyMs: 1_000, atStart: true, most: 1, due };
}

interface State {
  failures: number;
  restsUntil: number;
  lastAccount: number;
}

interface Attempted {
  readonly delivery: MailDeliveryRow;
  readonly address: string;
  readonly outcome: MailOutcome | { readonly result: "skipped"; readonly code: string };
}

async function sendSome(context: MailContext, state: State): Promise<void> {
  const endsAt = performance.now() + turnMs;
  let last: Attempted | undefined;
  do {
    const isOver =
      context.isStopping() || performance.now() > endsAt || last?.outcome.result === "unreachable";
    const next = await advance(context, state, { last, isOver });
    last = next && (await attempt(next, context));
    if (last !== undefined) noteOutcome(last, context, state);
  } while (last !== undefined);
}

/** Stores what became of the last message and counts the attempt of the next one, in one transaction. */
async function advance(
  { db, clock, perMinute }: MailContext,
  state: State,
  { last, isOver }: { readonly last: Attempted | undefined; readonly isOver: boolean },
): Promise<MailDeliveryRow | undefined> {
  const now = clock();
  if (last !== undefined) state.lastAccount = last.delivery.account_id;
  return db.transaction(async (trx) => {
    if (last !== undefined) {
      await queries.settleDelivery(trx, last.delivery, stored(last, now));
      if (last.outcome.result === "unknown")
        await queries.removeAddress(trx, last.delivery.subscriber_id, last.address);
    }
    if (isOver) return undefined;
    await queries.fillNext(trx, now);
    return queries.takeDelivery(trx, { now, perMinute, after: state.lastAccount, pauseAfter });
  });
}

const pauseAfter = (attempts: number): number => mailPauseAfter(attempts, randomInt(1_001) / 1_000);

function stored({ delivery, outcome }: Attempted, now: number) {
  const error = "code" in outcome ? outcome.code : "";
  if (outcome.result === "sent" || outcome.result === "skipped")
    return { state: outcome.result, error } as const;
  const isLast = delivery.attempts >= mostMailAttempts;
  if (outcome.result === "failed" || outcome.result === "unknown" || isLast)
    return { state: "failed", error } as const;
  return { state: "pending", error, next_at: now + pauseAfter(delivery.attempts) } as const;
}

/** Makes an attempt that was counted. */
async function attempt(
  delivery: MailDeliveryRow,
  { db, log, render, transport, host }: MailContext,
): Promise<Attempted> {
  const receiver = await queries.findReceiver(db.read, delivery);
  const skipped = { result: "skipped", code: "" } as const;
  if (receiver === undefined) return { delivery, address: "", outcome: skipped };
  const { address } = receiver;
  try {
    const mail = await render(delivery, receiver);
    if (mail === undefined) return { delivery, address, outcome: skipped };
    const messageId = `<kalends.${delivery.id}.${delivery.created_at}@${host}>`;
    return { delivery, address, outcome: await transport.send({ ...mail, to: address, messageId }) };
  } catch (error) {
    // Such as content that cannot be read: it does not hold up the next messages.
    noteFailure({ log, kind: "mail", id: delivery.id }, error, "message not sent, will be retried");
    return { delivery, address, outcome: { result: "retried", code: "ERENDER" } };
  }
}

function noteOutcome({ delivery, outcome }: Attempted, { log, observe }: MailContext, state: State): void {
  const { result } = outcome;
  observe?.(result === "unreachable" ? "retried" : result);
  if (result !== "unreachable") {
    state.failures = 0;
    return;
  }
  state.failures++;
  state.restsUntil = performance.now() + receiverPause(state.failures) * 1_000;
  // What the server has said may repeat an address: there is only its code.
  const error = Object.assign(new Error("a mail server"), { code: outcome.code });
  noteFailure({ log, kind: "mail", id: delivery.id }, error, "mail server takes no message, will be retried");
}
