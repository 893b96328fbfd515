import { Refusal } from "./errors.js";
import type { Answered, Exchange } from "./exchange.js";
import { checkIfMatch } from "./if-match.js";
import { payloadAnswer, refusalAnswer } from "./respond.js";
import type { Call, KeptAnswer } from "./state.js";

const keptSeconds = 24 * 3600;

/** Answers what the operation returns; a write with a key only once, then as it did (extensions.md X2.1). */
export function answerOnce(exchange: Exchange, call: Call, work: (call: Call) => object): Answered {
  const { operation, received, headers } = exchange;
  const key = operation?.kind === "write" ? received.headers.get("idempotency-key") : null;
  const isKey = key === null || /^[!-~]{1,255}$/.test(key) || call.faulty("X5");
  if (!isKey) throw new Refusal("idempotency_key_invalid");
  if (operation !== undefined) checkIfMatch(operation, call.ifMatch);
  if (key === null) return payloadAnswer(exchange, work(call));
  const { state, account, now, faulty } = call;
  const name = faulty("X20") ? key : `${account} ${key}`;
  const request = requestOf(exchange, call);
  const kept = state.answers.get(name);
  if (kept === undefined || kept.at <= now - keptSeconds) {
    const answered = answerOf(exchange, call, work);
    state.answers.set(name, { request, answered, at: now } satisfies KeptAnswer);
    return answered;
  }
  if (kept.request !== request && !faulty("X3")) throw new Refusal("idempotency_key_reused");
  if (faulty("X1")) work(call);
  const { status, body, headers: own } = kept.answered;
  return {
    status,
    body,
    headers: { ...own, ...headers, ...(faulty("X2") ? {} : { "Idempotency-Replayed": "true" }) },
  };
}

/** What the operation says. One that is refused ends here, before its key is kept. */
function answerOf(exchange: Exchange, call: Call, work: (call: Call) => object): Answered {
  try {
    return payloadAnswer(exchange, work(call));
  } catch (error) {
    if (call.faulty("X6")) return refusalAnswer(exchange, error);
    throw error;
  }
}

/** The operation and its parameters, in the order of their names. */
function requestOf({ operation, faulty }: Exchange, { params }: Call): string {
  const sorted = Object.entries(params).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([faulty("X4") ? "" : operation?.id, sorted]);
}
