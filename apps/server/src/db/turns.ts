import { Overloaded } from "./database.js";

/** How much work runs at a time, and how much may wait. */
export interface TurnsOptions {
  /** Works that run at a time, of all owners together. */
  readonly most: number;
  /** Works of one owner that run at a time. */
  readonly mostOfOne: number;
  /** Works of one owner that may wait; one more is refused as Overloaded. */
  readonly mostWaitingOfOne: number;
  /** How long a work may wait, in milliseconds; then it is refused as Overloaded. */
  readonly patienceMs: number;
}

/** How the lists of one account wait: one more than so many, or for longer, is refused. */
export const waitingLists = { mostWaitingOfOne: 256, patienceMs: 10_000 } as const;

/** Work that takes turns by its owner, such as an account or a calendar. */
export interface Turns {
  /** Runs `work` when it is its turn. Rejects with Overloaded when it may not wait, or not any longer. */
  run<T>(owner: string | number, work: () => Promise<T>): Promise<T>;
  /** Reports whether a place of this owner should go to another that waits and has fewer, so that one that waits much takes none. */
  shouldYield(owner: string | number): boolean;
}

interface Owner {
  running: number;
  /** When it had its last turn, as the number of the turn; 0 before the first. */
  lastTurn: number;
  readonly waiting: Set<() => void>;
}

/**
 * Returns turns by owner: when a place becomes free, it goes to the owner that has had none for longest, not to the work that has
 * waited for longest. So an owner with much work does not delay the others.
 */
export function createTurns(options: TurnsOptions): Turns {
  const { most, mostOfOne } = options;
  const owners = new Map<string | number, Owner>();
  let [running, turns] = [0, 0];

  function advance(): void {
    while (running < most) {
      const owner = nextOf(owners.values(), mostOfOne);
      const [begin] = owner?.waiting ?? [];
      if (owner === undefined || begin === undefined) return;
      owner.lastTurn = ++turns;
      owner.running++;
      running++;
      begin();
    }
  }

  const tidy = (name: string | number, owner: Owner): void => {
    if (owner.running === 0 && owner.waiting.size === 0) owners.delete(name);
  };
  return {
    shouldYield: (name) => {
      const most = owners.get(name)?.running ?? 0;
      return [...owners.values()].some(({ running: own, waiting }) => waiting.size > 0 && own < most);
    },
    run: async (name, work) => {
      const owner = owners.get(name) ?? { running: 0, lastTurn: 0, waiting: new Set() };
      owners.set(name, owner);
      const place = { isTaken: false };
      try {
        await turnOf(owner, options, { place, advance });
        return await work();
      } finally {
        // Whatever fails, a place that was taken is free again.
        if (place.isTaken) owner.running--;
        if (place.isTaken) running--;
        tidy(name, owner);
        advance();
      }
    },
  };
}

/** Resolves when the owner has a place, which it notes. `advance` gives free places to those that wait. */
function turnOf(
  { waiting }: Owner,
  { mostWaitingOfOne, patienceMs }: TurnsOptions,
  { place, advance }: { readonly place: { isTaken: boolean }; readonly advance: () => void },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      waiting.delete(begin);
      clearTimeout(timer);
    };
    const refuse = (reason: string): void => {
      leave();
      reject(new Overloaded(reason));
    };
    const begin = (): void => {
      place.isTaken = true;
      leave();
      resolve();
    };
    const timer = setTimeout(refuse, patienceMs, "it waited for too long");
    waiting.add(begin);
    advance();
    if (waiting.size > mostWaitingOfOne) refuse("too much of one owner waits");
  });
}

/** Of the owners with work that may begin, the one that has had no turn for longest. */
function nextOf(owners: Iterable<Owner>, mostOfOne: number): Owner | undefined {
  let next: Owner | undefined;
  for (const owner of owners)
    if (owner.waiting.size > 0 && owner.running < mostOfOne && !(next && next.lastTurn <= owner.lastTurn))
      next = owner;
  return next;
}

/** Returns a function that runs at most so many works at a time, in their order; one that waits for longer is refused as Overloaded. */
export function createLimit(most: number, patienceMs: number): <T>(work: () => Promise<T>) => Promise<T> {
  const turns = createTurns({ most, mostOfOne: most, mostWaitingOfOne: Infinity, patienceMs });
  return (work) => turns.run("all", work);
}
