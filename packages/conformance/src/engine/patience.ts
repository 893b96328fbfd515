import { blocked } from "./assert.js";

const mostTurns = 4;
/** Most limits are per minute. */
const longestWaitSeconds = 120;

export interface Watch {
  readonly signal?: AbortSignal | undefined;
  readonly onWait?: ((seconds: number) => void) | undefined;
}

interface Retryable {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The server's clock when it answered, Unix seconds. */
  readonly serverTime: number;
}

/** Sends calls, and keeps all of them back while the server asks to wait. */
export interface Patience {
  send<Answer extends Retryable>(call: () => Promise<Answer>): Promise<Answer>;
}

/**
 * A server that limits requests or is busy is not at fault. After its `Retry-After` the call is sent again, and no other call
 * is sent meanwhile. A server that asks for more than two minutes cannot be judged.
 */
export function openPatience({ signal, onWait }: Watch): Patience {
  let opensAt = 0;
  return {
    send: async (call) => {
      for (let turn = 1; ; turn++) {
        await until(() => opensAt, signal);
        const answer = await call();
        const wait = secondsToWait(answer);
        if (wait === undefined || signal?.aborted === true) return answer;
        if (wait > longestWaitSeconds || turn === mostTurns)
          throw blocked(`the server asks to wait ${wait} seconds (HTTP ${answer.status})`);
        if (performance.now() > opensAt) onWait?.(wait);
        opensAt = Math.max(opensAt, performance.now() + Math.max(wait, 0.2) * 1_000);
      }
    },
  };
}

/** Seconds or a date; a date counts from the server's own `Date` (RFC 9110 10.2.3). */
function secondsToWait({ status, headers, serverTime }: Retryable): number | undefined {
  const value = headers["retry-after"] ?? "";
  if (status !== 429 && status !== 503) return undefined;
  const seconds = /^[0-9]+$/.test(value) ? Number(value) : Date.parse(value) / 1_000 - serverTime;
  return seconds >= 0 ? seconds : undefined;
}

/** Waits until that moment, which others may move; an interruption ends it. */
async function until(moment: () => number, signal: AbortSignal | undefined): Promise<void> {
  for (let left = moment() - performance.now(); left > 0; left = moment() - performance.now()) {
    if (signal?.aborted === true) return;
    await pause(left, signal);
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener("abort", done);
  });
}
