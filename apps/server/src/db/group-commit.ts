import {
  callAfterCommit,
  type Member,
  MustRunAlone,
  MustWait,
  runMember,
  share,
  type Shared,
} from "./batch.js";
import { Overloaded } from "./database.js";
import type { Dialect, Query } from "./query.js";
import { storageFailure } from "./failures.js";
import { createLimit } from "./turns.js";
import type { DatabaseObserver } from "./observer.js";

/** Members of one group: more would keep other writers waiting for longer than a few milliseconds. */
const mostInGroup = 64;

/** Writes that may wait, and how many of one owner may whatever waits of others; more are refused at once. */
const mostWaiting = 256;
const mostOfOne = 64;

/**
 * Writes that run alone at a time, and how long others wait for that, in milliseconds. They may wait for the lock of a stalled
 * server, and must leave most connections to everyone else.
 */
const mostAlone = 3;
const alonePatienceMs = 2_000;

/** What a database offers to its groups. */
export interface GroupHost {
  /** Runs `work` between BEGIN and COMMIT; rolls back when it throws. */
  readonly inTransaction: <T>(work: (query: Query) => Promise<T>) => Promise<T>;
  /** For transactions that several writes share, and for those of one. */
  readonly dialects: { readonly shared: Dialect; readonly alone: Dialect };
  readonly observer?: DatabaseObserver | undefined;
}

/**
 * Returns `groupTransaction` of a database. Writes that wait while others are written share the next transaction, which is one
 * flush to the disk for all of them; their owners, such as accounts, take turns. No one is answered before the commit. A member that throws before it has written fails
 * alone, or waits for the next group if this one has no room; when one throws later, or a statement or the commit fails, the
 * group is rolled back and each member tried alone.
 */
export function createGroupCommit({
  inTransaction,
  dialects,
  observer,
}: GroupHost): <T>(work: (trx: Member) => Promise<T>, owner?: number) => Promise<T> {
  const waiting: Waiting[] = [];
  let isWriting = false;
  observer?.queue(() => waiting.length);

  /** One group after the other: two would wait for the rows of each other's calendars. */
  async function write(): Promise<void> {
    isWriting = true;
    try {
      while (waiting.length > 0) await writeGroup();
    } finally {
      isWriting = false;
      if (waiting.length > 0) void write(); // whatever failed, the others must not wait for ever
    }
  }

  async function writeGroup(): Promise<void> {
    let group: readonly Waiting[] | undefined;
    let written: { readonly settlements: readonly Settlement[]; readonly shared: Shared };
    try {
      written = await inTransaction(async (query) => {
        if (group === undefined) {
          group = takeGroup(waiting); // not before BEGIN: more have come while it waited
          observer?.group(group.map(({ since }) => (performance.now() - since) / 1000));
        }
        const shared = share(query, dialects.shared, group.length === 1); // a group of one, too, must not hold up the next group
        const ran = await Promise.all(group.map(({ run }) => run(shared)));
        const failure = shared.failure ?? ran.find(({ failure }) => failure !== undefined)?.failure;
        if (failure !== undefined) throw failure.error;
        return { settlements: ran, shared };
      });
    } catch (error) {
      // BEGIN failed, so the next group would fail too: all that wait are rejected.
      const failed = group ?? waiting.splice(0);
      if (failed.length > 1 && isOfOne(error)) await Promise.all(failed.map(({ tryAlone }) => tryAlone()));
      else for (const { reject } of failed) reject(error);
      return;
    }
    // Committed: whatever fails from here on, no member may run again or be refused.
    // Those without room come first in the next group, in their order.
    waiting.unshift(...written.settlements.flatMap(({ settle }) => settle() ?? []));
    callAfterCommit(written.shared);
  }

  const limited = createLimit(mostAlone, alonePatienceMs);

  function alone<T>(work: (trx: Member) => Promise<T>): Promise<T> {
    return limited(() => runAlone(work));
  }

  async function runAlone<T>(work: (trx: Member) => Promise<T>): Promise<T> {
    const { result, shared: written } = await inTransaction(async (query) => {
      const shared = share(query, dialects.alone, true);
      const outcome = await runMember(work, shared);
      if (shared.failure !== undefined) throw shared.failure.error;
      if ("error" in outcome) throw outcome.error;
      return { result: outcome.result, shared };
    });
    callAfterCommit(written);
    return result;
  }

  return (work, owner) =>
    new Promise((resolve, reject) => {
      const isFull = waiting.length >= mostWaiting;
      if (isFull && waiting.filter((each) => each.owner === owner).length >= mostOfOne)
        throw new Overloaded("too many writes wait");
      const fail: (error: unknown) => void = reject;
      const tryAlone = async (): Promise<void> => {
        try {
          resolve(await alone(work));
        } catch (error) {
          fail(error);
        }
      };
      const member: Waiting = {
        owner,
        since: observer === undefined ? 0 : performance.now(),
        run: async (shared) => {
          const outcome = await runMember(work, shared);
          return {
            failure: "error" in outcome && outcome.hasWritten ? outcome : undefined,
            settle: () => {
              if ("result" in outcome) resolve(outcome.result);
              else if (outcome.error instanceof MustWait) return member;
              else if (outcome.error instanceof MustRunAlone) void tryAlone();
              else fail(outcome.error);
              return undefined;
            },
          };
        },
        tryAlone,
        reject: fail,
      };
      waiting.push(member);
      if (!isWriting) void write();
    });
}

/** Whether one member may have caused it. A database that is busy or away fails any; and then it may have committed. */
function isOfOne(error: unknown): boolean {
  const failure = storageFailure(error);
  return failure === undefined || failure === "storage_full";
}

/** What a member's work came to, before its group is committed. */
interface Settlement {
  /** Set when it failed after it had written: then the group is rolled back. */
  readonly failure: { readonly error: unknown } | undefined;
  /** Answers the caller; returns a member that waits for the next group instead. Call it after the commit. */
  readonly settle: () => Waiting | undefined;
}

/** Takes those of the next group. */
function takeGroup(waiting: Waiting[]): readonly Waiting[] {
  const group = inTurn(waiting).slice(0, mostInGroup);
  const taken = new Set(group);
  waiting.splice(0, Infinity, ...waiting.filter((each) => !taken.has(each)));
  return group;
}

/** The first of each owner, then the second of each, and so on: one with many delays the others by one. */
function inTurn(waiting: readonly Waiting[]): readonly Waiting[] {
  const counts = new Map<number | undefined, number>();
  const places = new Map<Waiting, number>();
  for (const each of waiting) {
    const place = counts.get(each.owner) ?? 0;
    counts.set(each.owner, place + 1);
    places.set(each, place);
  }
  if (counts.size === 1) return waiting;
  return waiting.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
}

interface Waiting {
  readonly owner: number | undefined;
  /** By performance.now(); 0 where no one measures. */
  readonly since: number;
  readonly run: (shared: Shared) => Promise<Settlement>;
  readonly tryAlone: () => Promise<void>;
  readonly reject: (error: unknown) => void;
}
