import type { Spending } from "./budget.js";
import { guarded } from "./guarded.js";
import type { Dialect, Query } from "./query.js";
import { named, type Timing } from "./trace.js";

/** A value of a row that goes to the database within a JSON array. */
export type Cell = string | number | null;

/** An open transaction that writes share. */
export interface Shared {
  readonly query: Query;
  readonly dialect: Dialect;
  /** Whether it has one member, which may write more than those of a group. */
  readonly isAlone: boolean;
  /** By name: resolves when the member that holds it has ended. */
  readonly holders: Map<string, Promise<void>>;
  /** Bytes that its members store. */
  bytes: number;
  /** Bytes by which its members make what accounts store grow (calendars/stored-bytes.ts), by account. */
  readonly grown: Map<number, number>;
  /** Its statements so far. */
  readonly timings: Timing[];
  /** Called once it is committed. */
  readonly afterCommit: Set<() => void>;
  /** What a statement failed with: then the transaction must not be committed. */
  failure: { readonly error: unknown } | undefined;
}

export function share(query: Query, dialect: Dialect, isAlone: boolean): Shared {
  return {
    query,
    dialect,
    isAlone,
    holders: new Map(),
    bytes: 0,
    grown: new Map(),
    timings: [],
    afterCommit: new Set(),
    failure: undefined,
  };
}

/** Who makes a write, as the history names them (extensions X9.4). */
export interface Author {
  readonly kind: "token" | "person" | "command_line" | "sync";
  /** Of the token, the person or the sync; 0 on the command line. */
  readonly id: number;
  /** Of the request; empty where there was none. */
  readonly operation: string;
}

/** One of the writes that share a transaction. Batched queries take it as their first argument. */
export interface Member {
  readonly shared: Shared;
  /** Whether it has called a query that writes. */
  hasWritten: boolean;
  /** What it has cost so far, where it has a budget. */
  spending?: Spending | undefined;
  /** Who makes it; undefined for a job of the service. */
  by?: Author | undefined;
  /** Resolves when its work has ended. */
  readonly ended: Promise<void>;
}

/** A write that needs a calendar which another transaction may have locked: it waits for that outside of the groups that skip such rows. */
export class RowLocked extends Error {
  readonly calendarId: number;

  constructor(calendarId: number) {
    super();
    this.calendarId = calendarId;
  }
}

/** A write that would make its group too large: it waits for the next group. */
export class MustWait extends Error {}

/**
 * Bytes that a group may store: more would keep other writers waiting for long. One write may store more by itself. A small one is
 * always stored: large ones of others could be first each time.
 */
const [mostInGroupBytes, smallBytes] = [1024 * 1024, 16 * 1024];

/** Calls what waits for the commit, each by itself: what one throws reaches neither the others nor a write that is done. */
export function callAfterCommit({ afterCommit }: Pick<Shared, "afterCommit">): void {
  for (const call of afterCommit) queueMicrotask(call);
}

/** Counts what a write stores in its group, before it stores any. @throws MustWait when others of the group leave no room */
export function takeRoom({ shared }: Member, bytes: number): void {
  const isSmall = shared.isAlone || shared.bytes === 0 || bytes <= smallBytes;
  if (!isSmall && shared.bytes + bytes > mostInGroupBytes) throw new MustWait();
  shared.bytes += bytes;
}

/** Ensures that so much may be written, before any is. @throws BudgetExceeded */
export function requireRoom({ spending }: Member, rows: number, bytes: number): void {
  spending?.require(rows, bytes);
}

export type Outcome<Result> =
  | { readonly result: Result }
  | { readonly error: unknown; readonly hasWritten: boolean };

/** Runs the work of a member in an open transaction that it may share with others. */
export async function runMember<Result>(
  work: (trx: Member) => Promise<Result>,
  shared: Shared,
): Promise<Outcome<Result>> {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const member: Member = { shared, hasWritten: false, ended };
  try {
    return { result: await work(member) };
  } catch (error) {
    return { error, hasWritten: member.hasWritten };
  } finally {
    end();
  }
}

/**
 * Waits until no other member holds that name, and holds it until this member ends: what this one reads from then on, no
 * other member of the transaction changes. A member holds one name at most, so no two wait for each other.
 */
export async function hold({ shared: { holders }, ended }: Member, name: string): Promise<void> {
  const before = holders.get(name);
  holders.set(name, ended);
  await before;
}

interface BatchedQuery<Input, Row, Result> {
  /** Its name in the log. */
  readonly name?: string;
  readonly writes: boolean;
  /** Takes one value, `$1`: a JSON array of rows, each an array. So the text is the same for any number of calls. */
  readonly sql: (dialect: Dialect) => string;
  /** The rows of the array. Calls may be summed up into fewer rows. To SQL an object is its JSON. */
  readonly rows: (inputs: readonly Input[]) => readonly (readonly (Cell | object)[])[];
  /** Of how many rows in the database a row of the array becomes one each, one unless told. */
  readonly copies?: (input: Input) => number;
  /** The result of each call from the rows of all, whose order is not known. */
  readonly results: (inputs: readonly Input[], rows: readonly Row[]) => readonly Result[];
}

/**
 * Makes a query whose simultaneous calls are one statement: those that the members of a transaction make until all of them
 * wait. A statement that fails rejects all its calls. One statement for many rows takes a fraction of the time of many
 * statements (docs/decisions/0010-group-commit.md).
 */
export function batched<Input, Row, Result>({
  name,
  writes,
  sql,
  rows,
  copies,
  results,
}: BatchedQuery<Input, Row, Result>): (trx: Member, input: Input) => Promise<Result> {
  const waiting = new WeakMap<Shared, Call<Input, Result>[]>();
  const texts = new WeakMap<Dialect, string>();

  /** Charges each call its part of what all of them write. */
  function charge(calls: readonly Call<Input, Result>[], rows: number, value: string): void {
    if (rows === 0) return;
    const bytes = Buffer.byteLength(value);
    for (const { input, spending } of calls) {
      const part = (copies === undefined ? 1 : copies(input)) / calls.length;
      spending?.charge(part * rows, part * bytes);
    }
  }

  async function run(shared: Shared, calls: readonly Call<Input, Result>[]): Promise<void> {
    try {
      waiting.delete(shared);
      const { dialect } = shared;
      const text = texts.get(dialect) ?? named(name, sql(dialect));
      texts.set(dialect, text);
      const inputs = calls.map(({ input }) => input);
      const cells = rows(inputs);
      const value = JSON.stringify(cells);
      if (writes) charge(calls, cells.length, value);
      const found = results(inputs, await runTimed<Row>(shared, text, value));
      for (const [index, result] of found.entries()) calls[index]?.resolve(result);
    } catch (error) {
      shared.failure ??= { error };
      for (const { reject } of calls) reject(error);
    }
  }

  return (trx, input) => {
    trx.hasWritten ||= writes;
    const { shared, spending } = trx;
    return new Promise((resolve, reject) => {
      const call = { input, spending, resolve, reject };
      const others = waiting.get(shared);
      if (others !== undefined) {
        others.push(call);
        return;
      }
      const first = [call];
      waiting.set(shared, first);
      // Runs when nothing else can go on: by then every member has made its call.
      process.nextTick(
        guarded(
          (error) => failCalls(waiting, shared, error),
          () => void run(shared, first),
        ),
      );
    });
  };
}

/** Makes such a query that writes and returns nothing. */
export function batchedWrite<Input>(
  query: Omit<BatchedQuery<Input, never, void>, "writes" | "results">,
): (trx: Member, input: Input) => Promise<void> {
  const results = (inputs: readonly Input[]) => inputs.map(() => undefined);
  return batched<Input, never, void>({ ...query, writes: true, results });
}

/** Rejects the calls that wait: their transaction would never end. */
function failCalls<Input, Result>(
  waiting: WeakMap<Shared, Call<Input, Result>[]>,
  shared: Shared,
  error: unknown,
): void {
  const calls = waiting.get(shared) ?? [];
  waiting.delete(shared);
  shared.failure ??= { error };
  for (const { reject } of calls) reject(error);
}

async function runTimed<Row>({ query, timings }: Shared, sql: string, value: string) {
  const began = performance.now();
  try {
    return await query<Row>(sql, [value]);
  } finally {
    timings.push({ sql, ms: performance.now() - began });
  }
}

/** A call, which others join in one statement. */
interface Call<Input, Result> {
  readonly input: Input;
  readonly spending: Spending | undefined;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
