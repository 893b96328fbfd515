import type { OperationName } from "./operations.js";

/** What goes wrong with a request. */
export type FakeFault = FakeFailure & {
  /** Only a request of this operation; any request when not given. */
  readonly operation?: OperationName | undefined;
  /** How many requests; 1 when not given, `Infinity` for all until `reset`. */
  readonly times?: number | undefined;
};

export type FakeFailure =
  /** The service refuses in its own form and does nothing. `retryAfter` is in seconds, or a date. */
  | {
      readonly kind: "error";
      readonly status: 429 | 500 | 503 | 507;
      readonly retryAfter?: number | Date | undefined;
    }
  /** A proxy or a captive portal answers HTML; the request does not reach the service. */
  | { readonly kind: "html"; readonly status: number }
  /** There is no connection; nothing was done. */
  | { readonly kind: "refused" }
  /** The request is carried out and the answer is lost: a write must not be sent again unseen. */
  | { readonly kind: "lost" }
  /** The request is carried out and the answer ends in the middle. */
  | { readonly kind: "cut" }
  /** The request is carried out at once and answered after these milliseconds; `Infinity` for never. */
  | { readonly kind: "slow"; readonly ms: number };

/** The faults that are still to come. */
export interface FaultQueue {
  readonly add: (faults: readonly FakeFault[]) => void;
  /** The first fault that is meant for this operation, which is one less then. */
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
