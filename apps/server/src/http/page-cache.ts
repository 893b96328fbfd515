import { LRUCache } from "lru-cache";
import type { Principal } from "../accounts/queries.js";
import { sizeOf } from "./json.js";

/** Whether what an answer was made of is still as it was. */
export type IsCurrent = () => boolean | Promise<boolean>;

/** An answer that was sent, who got it, and what it is true of. */
export interface KeptAnswer {
  /** Its body, to be sent one after the other. */
  readonly parts: readonly Buffer[];
  readonly principal: Principal;
  readonly isCurrent: IsCurrent | undefined;
  /** The commit stamp from before the answer was made, or last seen to be current. */
  readonly stamp: string | undefined;
}

/**
 * Answers that were sent, up to a number of bytes. A kept answer is sent again only after something that every commit
 * changes said that it is still true: the commit stamp, or a counter that its own query reads.
 */
export interface PageCache {
  /** A key for all that an answer depends on beside the data. */
  keyOf(baseUrl: string, url: string, authorization: string | undefined): string;
  find(key: string): KeptAnswer | undefined;
  keep(key: string, answer: KeptAnswer): void;
}

/** @param maxBytes 0 keeps nothing */
export function createPageCache(maxBytes: number): PageCache {
  const answers =
    maxBytes === 0
      ? undefined
      : new LRUCache<string, KeptAnswer>({
          maxSize: maxBytes,
          sizeCalculation: ({ parts }, key) => sizeOf(parts) + 2 * key.length + overheadBytes,
        });
  return {
    keyOf: (baseUrl, url, authorization) => `${baseUrl} ${url} ${authorization ?? ""}`,
    find: (key) => answers?.get(key),
    keep: (key, answer) => void answers?.set(key, answer),
  };
}

/** What an entry takes beside its bytes and its key, about. */
const overheadBytes = 500;
