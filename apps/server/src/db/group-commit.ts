import {
  callAfterCommit,
  type Member,
  MustWait,
  type Outcome,
  RowLocked,
  runMember,
  share,
  type Shared,
} from "./batch.js";
import { Overloaded } from "./database.js";
import type { Dialect, Query } from "./query.js";
import { storageFailure } from "./failures.js";
import { createTurns } from "./turns.js";
import type { DatabaseObserver } from "./observer.js";

/** Members of one group: more would keep other writers waiting for longer than a few milliseconds. */
const mostInGroup = 64;

/** Writes that may wait, and how many of one owner may whatever waits of others; more are refused at once. */
const mostWaiting = 256;
const mostOfOne = 64;

/**
 * Groups that wait for a locked row: they may wait for a stalled server, and must leave most connections to everyone else, and
 * those of one owner a place to the others.
 */
const rowTurns = { most: 3, mostOfOne: 2, mostWaitingOfOne: Infinity, patienceMs: 2_000 } as const;

/** What a database offers to its groups. */
export interface GroupHost {
  /** Runs `work` between BEGIN and COMMIT; rolls back when it throws. */
  readonly inTransaction: <T>(work: (query: Query) => Promise<T>) => Promise<T>;
  /** For groups of any rows, which skip locked ones, and for those that wait for one row. */
  readonly dialects: { readonly shared: Dialect; readonly patient: Dialect };
  readonly observer?: DatabaseObserver | undefined;
}

/**
 * Returns `groupTransaction` of a database. Writes that wait while others are written share the next transaction, which is one
 * flush to the disk for all of them; their owners, such as accounts, take turns. Those that find a calendar locked leave it, and
 * share with others of their owner a transaction that waits for it. No one is answered before the commit. A member that throws
 * before it has written fails alone, or waits for the next group if this one has no room; when one throws later, or a statement or the commit
 * fails, the group is rolled back and each half of it tried by itself.
 */
export function createGroupCommit(
  host: GroupHost,
): <T>(work: (trx: Member) => Promise<T>, owner?: number) => Promise<T> {
  const { shared, patient } = host.dialects;
  const main: Queue = { waiting: [], dialect: shared, leave: waitForRow };
  const turns = createTurns(rowTurns);
  /** Those that found a calendar locked, by their owner and the calendar: to another account it is absent, locked or not. */
  const blocked = new Map<string, Queue>();
  let isWriting = false;
  host.observer?.queue(() => main.waiting.length);

  /** One group after the other: two would wait for the rows of each other's calendars. */
  async function write(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    try {
      while (main.waiting.length > 0) await writeGroup(host, main);
    } finally {
      isWriting = false;
      if (main.waiting.length > 0) void write(); // whatever failed, the others must not wait for ever
    }
  }

  /** Waits for a locked calendar with all of one owner that need it. Those that come meanwhile find it free, and share the groups of all again. */
  async function waitForRow(member: Waiting, { calendarId }: RowLocked): Promise<void> {
    const key = `${member.owner ?? "none"} ${calendarId}`;
    const others = blocked.get(key);
    if (others !== undefined) {
      others.waiting.push(member);
      return;
    }
    const queue: Queue = { waiting: [member], dialect: patient };
    blocked.set(key, queue);
    try {
      await turns.run(member.owner ?? "none", () => writeGroup(host, queue));
    } catch (error) {
      refuse(queue.waiting.splice(0), error);
    } finally {
      blocked.delete(key);
      main.waiting.unshift(...queue.waiting);
      void write();
    }
  }

  return (work, owner) =>
    new Promise((resolve, reject) => {
      const { waiting } = main;
      const isFull = waiting.length >= mostWaiting;
      if (isFull && waiting.filter((each) => each.owner === owner).length >= mostOfOne)
        throw new Overloaded("too many writes wait");
      waiting.push(waitingFor(work, owner, { resolve, reject }));
      void write();
    });
}

/** Writes the next group of a queue, or `half` of one that failed. Never rejects. */
async function writeGroup(host: GroupHost, queue: Queue, half?: readonly Waiting[]): Promise<void> {
  let group = half;
  let written: { readonly settlements: readonly Settlement[]; readonly shared: Shared };
  try {
    written = await host.inTransaction(async (query) => {
      group ??= takeGroup(queue, host.observer); // not before BEGIN: more have come while it waited
      const shared = share(query, queue.dialect, group.length === 1);
      const settlements = await Promise.all(group.map(({ run }) => run(shared)));
      const failure = shared.failure ?? settlements.map(failureOf).find((each) => each !== undefined);
      if (failure !== undefined) throw failure.error;
      return { settlements, shared };
    });
  } catch (error) {
    await afterFailure(host, queue, { group, error });
    return;
  }
  // Committed: whatever fails from here on, no member may run again or be refused.
  // Those without room come first in the next group, in their order.
  queue.waiting.unshift(
    ...written.settlements.filter((each) => !settle(each, queue)).map(({ member }) => member),
  );
  callAfterCommit(written.shared);
}

/** Tries each half of a group that failed, or refuses it. @param group undefined when BEGIN failed */
async function afterFailure(
  host: GroupHost,
  queue: Queue,
  { group, error }: { readonly group: readonly Waiting[] | undefined; readonly error: unknown },
): Promise<void> {
  if (group !== undefined && group.length > 1 && isOfOne(error)) {
    const middle = Math.ceil(group.length / 2);
    await writeGroup(host, queue, group.slice(0, middle));
    await writeGroup(host, queue, group.slice(middle));
    return;
  }
  refuse(group ?? [], error);
  // Without BEGIN, and while the row is locked, the next group would fail too.
  if (group === undefined || (queue.leave === undefined && !isOfOne(error)))
    refuse(queue.waiting.splice(0), error);
}

/** Whether one member may have caused it. A database that is busy or away fails any; and then it may have committed. */
function isOfOne(error: unknown): boolean {
  const failure = storageFailure(error);
  return failure === undefined || failure === "storage_full";
}

function refuse(writes: readonly Waiting[], error: unknown): void {
  for (const { reject } of writes) reject(error);
}

/** What a member failed with after it had written: then its group is rolled back. */
function failureOf({ outcome }: Settlement): { readonly error: unknown } | undefined {
  return "error" in outcome && outcome.hasWritten ? outcome : undefined;
}

/** Answers a caller after the commit, or lets its write leave for the row that it needs. Returns false when it waits for the next group. */
function settle({ member, outcome, answer }: Settlement, { leave }: Queue): boolean {
  const error = "error" in outcome ? outcome.error : undefined;
  if (error instanceof MustWait) return false;
  if (error instanceof RowLocked && leave !== undefined) void leave(member, error);
  else answer();
  return true;
}

/** Takes those of the next group. */
function takeGroup({ waiting }: Queue, observer: DatabaseObserver | undefined): readonly Waiting[] {
  const group = inTurn(waiting).slice(0, mostInGroup);
  const taken = new Set(group);
  waiting.splice(0, Infinity, ...waiting.filter((each) => !taken.has(each)));
  observer?.group(group.map(({ since }) => (performance.now() - since) / 1000));
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

/** Returns a write that waits. */
function waitingFor<T>(
  work: (trx: Member) => Promise<T>,
  owner: number | undefined,
  { resolve, reject }: { readonly resolve: (result: T) => void; readonly reject: (error: unknown) => void },
): Waiting {
  const member: Waiting = {
    owner,
    since: performance.now(),
    reject,
    run: async (shared) => {
      const outcome = await runMember(work, shared);
      const answer = (): void => ("result" in outcome ? resolve(outcome.result) : reject(outcome.error));
      return { member, outcome, answer };
    },
  };
  return member;
}

/** Writes that share transactions, one after the other. */
interface Queue {
  readonly waiting: Waiting[];
  readonly dialect: Dialect;
  /** Takes those that find a row locked; undefined where they wait for it. */
  readonly leave?: (member: Waiting, locked: RowLocked) => Promise<void>;
}

interface Waiting {
  readonly owner: number | undefined;
  /** By performance.now(). */
  readonly since: number;
  /** Runs it in a transaction that it may share. Never rejects. */
  readonly run: (shared: Shared) => Promise<Settlement>;
  readonly reject: (error: unknown) => void;
}

/** What a member's work came to, before its group is committed. */
interface Settlement {
  readonly member: Waiting;
  readonly outcome: Outcome<unknown>;
  readonly answer: () => void;
}
