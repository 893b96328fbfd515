import type { ServerResponse } from "node:http";
import type { Operation } from "@kalends/spec";
import { createTurns } from "../db/turns.js";
import { ApiError } from "./errors.js";
import { budgets, largeAnswerBytes, waitingAnswerBytes } from "./limits.js";

// Large work of requests in this process, by account: files that are uploaded and imported, and answers that wait to be sent.

/** Places for work that is large, by its owner. */
interface Places {
  /** Takes so much until the function that it returns is called; undefined when it is more than there may be. */
  take(owner: number, size: number): (() => void) | undefined;
}

/** Returns places of a process. What is alone may have any size. */
function createPlaces({ ofOne, ofAll }: { readonly ofOne: number; readonly ofAll: number }): Places {
  const taken = new Map<number, number>();
  let total = 0;
  const add = (owner: number, size: number): void => {
    const sum = (taken.get(owner) ?? 0) + size;
    total += size;
    if (sum === 0) taken.delete(owner);
    else taken.set(owner, sum);
  };
  return {
    take: (owner, size) => {
      const own = taken.get(owner) ?? 0;
      if ((own > 0 && own + size > ofOne) || (total > 0 && total + size > ofAll)) return undefined;
      add(owner, size);
      return () => add(owner, -size);
    },
  };
}

/** How long an upload waits for a place, and how many of one account may: a few files at once are ordinary. */
const [uploadPatienceMs, mostWaitingUploads] = [4_500, 16];

/** How long an upload may take to arrive while another waits for its place. */
const arrivalMs = 3_000;

const uploads = createTurns({
  most: budgets.import.atOnce.ofAll,
  mostOfOne: budgets.import.atOnce.ofOne,
  mostWaitingOfOne: mostWaitingUploads,
  patienceMs: uploadPatienceMs,
});
const answers = createPlaces(waitingAnswerBytes);

/** Runs the work that an upload is for. */
export type InPlace = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Takes a place for an operation that takes a file, whatever the size and the type of the body; accounts take turns. It is free
 * again when the connection is closed, or the request is answered, and its work has ended. A body that does not arrive ends with
 * its request: `requestTimeout` (listener.ts).
 * @throws Overloaded when there is none for a while
 */
export async function takeUploadPlace(
  { file }: Operation,
  res: ServerResponse,
  accountId: number | undefined,
): Promise<InPlace | undefined> {
  if (file === undefined || accountId === undefined) return undefined;
  const leave = await new Promise<() => void>((resolve, reject) => {
    uploads.run(accountId, () => new Promise<void>(resolve)).catch(reject);
  });
  let [isWorking, isClosed] = [false, res.closed];
  if (isClosed) {
    leave();
    throw new ApiError("overloaded"); // to no one: the client has gone while it waited
  }
  res.once("close", () => {
    isClosed = true;
    if (!isWorking) leave();
  });
  return async (work) => {
    isWorking = true;
    try {
      return await work();
    } finally {
      isWorking = false;
      if (isClosed) leave();
    }
  };
}

/**
 * Returns the body of an upload. One that takes long to arrive gives its place to another account that waits and has fewer: two accounts could keep all
 * places by sending a byte now and then. @throws ApiError then
 */
export async function arriving<T>(
  { file }: Operation,
  accountId: number | undefined,
  reading: Promise<T>,
): Promise<T> {
  if (file === undefined || accountId === undefined) return reading;
  const began = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      if (performance.now() - began >= arrivalMs && uploads.shouldYield(accountId))
        reject(new ApiError("overloaded"));
    }, arrivalMs / 6);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearInterval(timer);
  }
}

/** Counts a large answer until it is sent. @throws ApiError when too much waits, such as for readers that are slow */
export function countAnswer(res: ServerResponse, owner: number, bytes: number): void {
  if (bytes <= largeAnswerBytes) return;
  const leave = answers.take(owner, bytes);
  if (leave === undefined) throw new ApiError("overloaded");
  if (res.closed) leave(); // the client has gone
  else res.once("close", leave);
}
