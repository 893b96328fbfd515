import type { ServerResponse } from "node:http";
import { Limiter, type Owner } from "../db/limiter.js";
import { ApiError } from "./errors.js";
import { bodyBytes, fileWork, heavyWork, largeAnswerBytes, unsentBytes } from "./limits.js";

/** Counts bytes in memory, of one owner and of all. */
export interface Quota {
  /** @throws ApiError when it is more than there may be; what is alone may have any size */
  add(owner: Owner, bytes: number): void;
  /** @throws ApiError when the owner has all that it may have */
  requireRoom(owner: Owner): void;
  /** Counts what is there whether or not there is room. */
  note(owner: Owner, bytes: number): void;
  remove(owner: Owner, bytes: number): void;
}

interface QuotaLimits {
  readonly ofOne: number;
  readonly ofAll: number;
  /** What each owner may have however much others have. */
  readonly ofEach?: number;
}

export function createQuota({ ofOne, ofAll, ofEach = 0 }: QuotaLimits): Quota {
  const used = new Map<Owner, number>();
  let total = 0;
  const change = (owner: Owner, bytes: number): void => {
    const sum = (used.get(owner) ?? 0) + bytes;
    total += bytes;
    if (sum === 0) used.delete(owner);
    else used.set(owner, sum);
  };
  return {
    add: (owner, bytes) => {
      const own = used.get(owner) ?? 0;
      const isFull = total > 0 && total + bytes > ofAll && own + bytes > ofEach;
      if (isFull || (own > 0 && own + bytes > ofOne)) throw new ApiError("overloaded");
      change(owner, bytes);
    },
    requireRoom: (owner) => {
      if ((used.get(owner) ?? 0) >= ofOne) throw new ApiError("overloaded");
    },
    note: change,
    remove: (owner, bytes) => change(owner, -bytes),
  };
}

/** Bodies of requests until they are answered (rulings R1.6). */
export const bodies = createQuota(bodyBytes);

/** Large answers until they are sent. */
const unsent = createQuota(unsentBytes);

/** Refuses a write, before it is done, of an account that leaves too many large answers unread. @throws ApiError */
export const requireUnsentRoom = (owner: Owner): void => unsent.requireRoom(owner);

/**
 * Counts a large answer until it is sent; that of a write always has room, since what was done must not be answered as if it were not.
 * @throws ApiError when too much waits, such as for readers that are slow
 */
export function countUnsent(
  res: ServerResponse,
  owner: Owner,
  { length, isWritten = false }: { readonly length: number; readonly isWritten?: boolean },
): void {
  if (length <= largeAnswerBytes || res.closed) return;
  if (isWritten) unsent.note(owner, length);
  else unsent.add(owner, length);
  res.once("close", () => unsent.remove(owner, length));
}

/** Heavy operations, and what the public reads that is not cached (limits.ts). */
export const heavy = new Limiter(heavyWork);

/** The decoding of pictures. */
export const decoding = new Limiter(fileWork);

/** The import of calendar files, also those of syncs. */
export const importing = new Limiter(fileWork);

/** The owner of what the public reads of an account, which waits for none of the account's own work. */
export const publicOf = (accountId: number): string => `public ${accountId}`;
