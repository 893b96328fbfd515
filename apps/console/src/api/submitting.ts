import { useRef, useState } from "preact/hooks";
import { newKey } from "./client.js";
import { fieldFailures, isRefusal, sayFailure, statusOf } from "./failures.js";
import { loadAgain } from "./loading.js";
import { sessionEnded } from "./signing-in.js";

/** A write by a form or a button. */
export interface Submit {
  readonly isRunning: boolean;
  /** Why it failed; "" when it did not. */
  readonly failure: string;
  /** What is wrong with each field. */
  readonly fields: Readonly<Record<string, string>>;
  /** What the server answered when it refused. */
  readonly error: unknown;
  /** Runs the write, and again after a sign-in. Returns what it returns, or undefined when it failed. */
  run<Result>(
    write: (options: { readonly idempotencyKey: string }) => Promise<Result>,
  ): Promise<Result | undefined>;
  readonly clear: () => void;
}

/**
 * One submit has one key, which its retries keep: what was done although no answer came is not done twice (extensions X2.1). Only a
 * refusal ends it, since what is sent next differs.
 */
export function useSubmit(): Submit {
  const key = useRef<string>(undefined);
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const run: Submit["run"] = async (write) => {
    key.current ??= newKey();
    setRunning(true);
    setError(undefined);
    try {
      const result = await signedIn(() => write({ idempotencyKey: key.current ?? newKey() }));
      key.current = undefined;
      setTimeout(() => void loadAgain()); // once the form is closed: what it reads may no longer be there
      return result;
    } catch (thrown) {
      if (isRefusal(thrown)) key.current = undefined;
      setError(thrown);
      return undefined;
    } finally {
      setRunning(false);
    }
  };
  return {
    isRunning,
    error,
    failure: error === undefined ? "" : sayFailure(error),
    fields: fieldFailures(error),
    run,
    clear: () => setError(undefined),
  };
}

/** Does a write; when the session has ended, once more after the sign-in. */
async function signedIn<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (statusOf(error) !== 401) throw error;
    await sessionEnded();
    return write();
  }
}
