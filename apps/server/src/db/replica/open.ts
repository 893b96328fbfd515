import type { Primary, Reader } from "../database.js";
import type { DatabaseObserver } from "../observer.js";
import { type PostgresAddress, postgresAddress } from "../postgres/tls.js";
import { openReplicaPool, ReplicaFailure } from "./pool.js";
import { createWalPosition } from "./wal-position.js";

export interface ReplicaOptions {
  /** A `postgres:` URL whose every connection leads to one server. */
  readonly url: string;
  /** Told why the replica has not been read for a second, and, without a reason, that it is again. */
  readonly onChange: (failure?: ReplicaFailure) => void;
  readonly observer?: DatabaseObserver | undefined;
}

export interface Replica {
  /** Runs `work` on the replica when that holds every write acknowledged before, else on the primary. */
  list<T>(work: (on: Reader) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** How long a replica that failed or was behind is left alone, in milliseconds. */
const restMs = 1_000;

/** SQLSTATEs of a query that was in the way of the replay: the replica itself is well. */
const conflicts = ["40001", "40P01"];

/** @throws Error which names the setting */
export function addressOf(url: string): PostgresAddress {
  try {
    return postgresAddress(url);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`DATABASE_REPLICA_URL: ${reason}`, { cause: error });
  }
}

/**
 * Reads of a replica that are as new as those of the primary (docs/decisions/0011). Each first learns from the primary how
 * far it is written, and is read on the replica only when that has come as far. Begins with the primary until the replica has
 * answered once.
 */
export function openReplica(primary: Primary, primaryUrl: string, options: ReplicaOptions): Replica {
  const written = createWalPosition(postgresAddress(primaryUrl));
  const pool = openReplicaPool(addressOf(options.url), options.observer);
  let isOpen = true;
  let isUsed = false;
  let isTold = false;
  let timer: NodeJS.Timeout | undefined;

  async function onReplica<T>(work: (on: Reader) => Promise<T>): Promise<T> {
    const from = await written.ask().catch((error: unknown) => {
      throw new ReplicaFailure("cannot be compared with the primary", error);
    });
    return pool.read(from, work);
  }

  /** Asks again each second, so that no read waits for a replica that is gone. */
  async function probe(): Promise<void> {
    timer = undefined;
    try {
      await onReplica(() => Promise.resolve());
      isUsed = true;
      if (isTold) options.onChange();
      isTold = false;
    } catch (error) {
      if (!isTold && error instanceof ReplicaFailure) options.onChange(error);
      isTold = true;
      rest();
    }
  }

  function rest(): void {
    isUsed = false;
    if (isOpen) timer ??= setTimeout(() => void probe(), restMs).unref();
  }

  void probe();
  options.observer?.replica({ isUsed: () => isUsed, lag: async () => pool.lag(await written.ask()) });
  return {
    list: async (work) => {
      if (!isUsed) return work(primary);
      try {
        return await onReplica(work);
      } catch (error) {
        if (!(error instanceof ReplicaFailure)) throw error;
        if (!conflicts.includes(error.code)) rest();
        return work(primary);
      }
    },
    close: async () => {
      isOpen = false;
      clearTimeout(timer);
      await Promise.all([written.close(), pool.close()]);
    },
  };
}
