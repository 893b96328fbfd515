import type { About } from "../db/kept-answers.js";
import type { Transaction } from "../db/transaction.js";
import type { Restricted } from "./handler.js";

/** A write that its caller may send again (extensions X2.1). */
export interface RepeatableWrite {
  readonly accountId: number;
  readonly key: string;
  readonly operation: string;
  readonly params: Restricted["params"];
  /** The header If-Match; undefined when the caller has sent none. */
  readonly ifMatch: string | undefined;
  readonly now: number;
  /** Returns what the answer is about, once the work is done. */
  readonly about: () => About;
  /** Returns the JSON of an answer as it is kept. */
  readonly print: (payload: object) => string;
}

/**
 * Runs `work` in its transaction, and keeps the answer under the key of the write.
 * @throws Replay when the write was done before; ApiError when another request is being served under the key, or was
 */
export type RunOnce = (
  trx: Transaction,
  write: RepeatableWrite,
  work: () => Promise<object>,
) => Promise<object>;

/** Thrown instead of writing again: the request was served before. */
export class Replay extends Error {
  /** The JSON that was answered. */
  readonly body: string;

  constructor(body: string) {
    super("the request was served before");
    this.body = body;
  }
}
