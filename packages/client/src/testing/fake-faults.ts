import type { OperationName } from "./operations.js";

/** A fault of a request. */
export type FakeFault = FakeFailure & {
  /** The operation that it applies to; any request when not given. */
  readonly operation?: OperationName | undefined;
  /** Number of requests that it applies to; 1 when not given, `Infinity` for all until `reset`. */
  readonly times?: number | undefined;
};

export type FakeFailure =
  /** The service answers with an error and changes nothing. `retryAfter` is in seconds, or a date. */
  | {
      readonly kind: "error";
      readonly status: 429 | 500 | 503 | 507;
      readonly retryAfter?: number | Date | undefined;
    }
  /** A proxy answers with HTML; the service does not receive the request. */
  | { readonly kind: "html"; readonly status: number }
  /** The connection is refused; the service does not receive the request. */
  | { readonly kind: "refused" }
  /** The request is carried out and its response is lost. */
  | { readonly kind: "lost" }
  /** The request is carried out and its response is truncated. */
  | { readonly kind: "cut" }
  /** The request is carried out at once, and its response arrives after `ms` milliseconds; `Infinity` for never. */
  | { readonly kind: "slow"; readonly ms: number };

/** The faults that were not applied yet. */
export interface FaultQueue {
  readonly add: (faults: readonly FakeFault[]) => void;
  /** Takes the first fault that applies to this operation. */
  readonly take: (operation: OperationName | undefined) => FakeFault | undefined;
  readonly clear: () => void;
}

export function createFaultQueue(): FaultQueue {
  let queue: readonly { readonly fault: FakeFault; readonly left: number }[] = [];
  return {
    add: (faults) => {
      queue = [...queue, ...faults.map((fault) => ({ fault, left: fault.times ?? 1 }))];
    },
    take: (operation) => {
      const found = queue.find(({ fault }) => fault.operation === undefined || fault.operation === operation);
      queue = queue
        .map((entry) => (entry === found ? { ...entry, left: entry.left - 1 } : entry))
        .filter(({ left }) => left > 0);
      return found?.fault;
    },
    clear: () => {
      queue = [];
    },
  };
}
