import type { Knex } from "knex";

export interface DatabaseObserver {
  /** Takes a pool of connections. `load` returns its state at any time. */
  readonly pool: (name: string, load: () => ConnectionLoad) => void;
  /** Takes the seconds that a caller waited for a connection of a pool. */
  readonly waited: (pool: string, seconds: number) => void;
  /** Takes the queue of writes that wait for a group. `length` returns their number at any time. */
  readonly queue: (length: () => number) => void;
  /** Takes the seconds that each write of a group waited until its transaction had begun. */
  readonly group: (waits: readonly number[]) => void;
}

export interface ConnectionLoad {
  readonly inUse: number;
  readonly most: number;
  readonly waiting: number;
}

/** What we use of a pool of Knex (tarn). */
interface Pool {
  readonly max: number;
  numUsed(): number;
  numPendingAcquires(): number;
  on(event: "acquireRequest" | "acquireSuccess" | "acquireFail", listener: (id: number) => void): void;
}

export function observePool(observer: DatabaseObserver | undefined, name: string, knex: Knex): void {
  if (observer === undefined) return;
  const { pool }: { readonly pool: Pool } = knex.client;
  const requested = new Map<number, number>();
  pool.on("acquireRequest", (id) => requested.set(id, performance.now()));
  const end = (id: number): void => {
    const since = requested.get(id);
    requested.delete(id);
    if (since !== undefined) observer.waited(name, (performance.now() - since) / 1000);
  };
  pool.on("acquireSuccess", end);
  pool.on("acquireFail", end);
  observer.pool(name, () => ({
    inUse: pool.numUsed(),
    most: pool.max,
    waiting: pool.numPendingAcquires(),
  }));
}
