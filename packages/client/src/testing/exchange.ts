import type { Faulty } from "./faults.js";
import type { Operation } from "./operations.js";
import type { Received } from "./received.js";
import type { State } from "./state.js";

/** Who a token stands for, and what it allows (rulings R6.1). */
export interface Access {
  readonly account: string;
  readonly scope: "read" | "write";
}

/** Token → access. */
export type Accounts = Readonly<Record<string, Access>>;

/** The model of the service: the whole contract, with its data in memory. */
export interface Service {
  readonly state: State;
  readonly accounts: Accounts;
  /** What the service does wrong. */
  readonly faulty: Faulty;
  /** Items a page (rulings R3.1). */
  readonly pageSize: number;
  /** Unix time. */
  readonly now: () => number;
}

/** A request at work. */
export interface Exchange {
  readonly received: Received;
  /** Undefined when the path is unknown. */
  readonly operation: Operation | undefined;
  readonly faulty: Faulty;
  /** Headers of the answer, as far as they are known. */
  readonly headers: Record<string, string>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for 204, 301 and 304. An answer to HEAD is sent without it. */
  readonly body: string;
}
