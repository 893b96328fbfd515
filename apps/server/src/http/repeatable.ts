import type { WriteDatabase } from "./handler.js";

/** A write that its caller may send again (extensions X2.1). */
export interface RepeatableWrite {
  readonly accountId: number | undefined;
  /** Undefined when the caller has sent none. */
  readonly key: string | undefined;
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  /** The header If-Match; undefined when the caller has sent none. */
  readonly ifMatch: string | undefined;
  /** Unix seconds. */
  readonly now: number;
}

/** Thrown instead of writing again: the request was served before. */
export class Replay extends Error {
  /** The JSON that was answered. */
  readonly body: string;

  constructor(body: string) {
    super("the request was served before");
    this.body = body;
  }
}

/**
 * Returns a database whose transaction keeps the answer under the key, or throws Replay when the key has one; without a key the
 * database itself. `print` returns the JSON of an answer.
 * @throws ApiError when another request is being served under it, or was
 */
export type MakeRepeatable = (
  db: WriteDatabase<object>,
  write: RepeatableWrite,
  print: (payload: object) => string,
) => WriteDatabase<object>;
