import { afterAll, expect, test, vi } from "vitest";
import { onPostgres, testDatabase } from "../../test/databases.js";
import { batched, hold, type Member, RowLocked, takeRoom } from "./batch.js";
import { openDatabase } from "./open-database.js";
import { storageFailure } from "./failures.js";
import { memberTransaction } from "./member.js";

// No time limit passes, however busy the machine is: of writes that wait for a locked row, or of PostgreSQL.
vi.useFakeTimers({ toFake: ["setTimeout"] });
afterAll(() => void vi.useRealTimers());
const { db, url } = await testDatabase();
await db.transaction(async (trx) => {
  await trx.raw("create table things (name text not null primary key)");
  await trx.raw("create table counts (id bigint primary key, n bigint not null)");
  await trx("counts").insert({ id: 1, n: 0 });
});

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const stored = (prefix: string): Promise<readonly string[]> =>
  db.read("things").where("name", "like", `${prefix}%`).orderBy("name").pluck("name");

/** The number of calls of each statement that stored names. */
const sizes: number[] = [];

const insert = batched<string, never, void>({
  writes: true,
  rows: (names) => names.map((name) => [name.startsWith("break") ? null : name]),
  sql: ({ items }) => `insert into things (name) select value ->> 0 from ${items}($1)`,
  results: (names) => {
    sizes.push(names.length);
    return names.map(() => undefined);
  },
});

const count = batched<undefined, { readonly n: number }, number>({
  writes: false,
  rows: () => [],
  sql: ({ items }) => `select n from counts where id = 1 and (select count(*) from ${items}($1)) = 0`,
  results: (inputs, rows) => inputs.map(() => rows[0]?.n ?? NaN),
});

const setCount = batched<number, never, void>({
  writes: true,
  rows: (values) => values.map((value) => [value]),
  sql: ({ items }) =>
    `update counts set n = cast(value ->> 0 as bigint) from ${items}($1) where counts.id = 1`,
  results: (values) => values.map(() => undefined),
});

/** Stores a name; "no" is refused before it writes, "late" after. */
const store = (name: string, owner?: number): Promise<string> =>
  db.groupTransaction(async (trx) => {
    if (name.startsWith("no")) throw new Error(`${name} is refused`);
    await insert(trx, name);
    if (name.startsWith("late")) throw new Error(`${name} is refused late`);
    return name;
  }, owner);

test("writes that wait share a statement, each gets its own outcome, and what was refused is not stored", async () => {
  sizes.length = 0;
  const names = numbers(60).map((n) => (n % 10 === 0 ? `no ${n}` : `a ${String(n).padStart(2, "0")}`));
  const outcomes = await Promise.allSettled(names.map((name) => store(name)));
  expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : "refused"))).toEqual(
    names.map((name) => (name.startsWith("no") ? "refused" : name)),
  );
  expect(await stored("a ")).toEqual(names.filter((name) => name.startsWith("a")));
  expect(Math.max(...sizes)).toBeGreaterThan(20);
});

for (const bad of ["break", "late"]) {
  test(`a write that fails its group ("${bad}") fails alone, and nothing of it stays`, async () => {
    const names = [
      ...numbers(25).map((n) => `${bad[0]} ${n}`),
      bad,
      ...numbers(25).map((n) => `${bad[0]}${n}`),
    ];
    const outcomes = await Promise.allSettled(names.map((name) => store(name)));
    expect(names.filter((_, index) => outcomes[index]?.status === "rejected")).toEqual([bad]);
    expect(await stored(bad[0] ?? "")).toHaveLength(50);
    expect(await stored(bad)).toEqual([]);
  });
}

test("writes too large for their group wait for the next one, and share it with small ones", async () => {
  sizes.length = 0;
  const storeLarge = (name: string, bytes: number): Promise<void> =>
    db.groupTransaction(async (trx) => {
      takeRoom(trx, bytes);
      await insert(trx, name);
    });
  const names = numbers(40).map((n) => `w ${String(n).padStart(2, "0")}`);
  // The first is larger than a group may be; of the others every second takes more than half of the room.
  const bytesOf = (index: number) => (index === 0 ? 5_000_000 : index % 2 === 0 ? 600_000 : 1_000);
  await Promise.all(names.map((name, index) => storeLarge(name, bytesOf(index))));
  expect(await stored("w ")).toEqual(names);
  expect(sizes.toSorted((a, b) => b - a).slice(0, 2)).toEqual([21, 1]); // the first group: one large, all that are small
});

test("no write is answered as done when a statement of its group failed, even if its own work ended well", async () => {
  const careless = (name: string): Promise<string> =>
    db.groupTransaction(async (trx: Member) => {
      await insert(trx, name).catch(() => undefined);
      return name;
    });
  const outcomes = await Promise.allSettled([careless("g 1"), careless("break g"), careless("g 2")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await stored("g ")).toEqual(["g 1", "g 2"]);
});

test("100 writes that hold a name, read and write add up, as if they came one after the other", async () => {
  const add = (): Promise<number> =>
    db.groupTransaction(async (trx) => {
      await hold(trx, "the count");
      const n = await count(trx, undefined);
      await setCount(trx, n + 1);
      return n + 1;
    });
  // In groups of at most 64; on PostgreSQL one after the other, since nothing locks the row.
  const done = onPostgres ? [] : await Promise.all(numbers(100).map(add));
  if (onPostgres) for (const _ of numbers(100)) done.push(await add());
  expect(done.toSorted((a, b) => a - b)).toEqual(numbers(100));
});

/** Keeps the writer until it is released. */
async function holdWriter(): Promise<{ readonly release: () => Promise<void> }> {
  let [begin, release] = [(): void => undefined, (): void => undefined];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const held = new Promise<void>((resolve) => (release = resolve));
  const holder = db.groupTransaction(() => {
    begin();
    return held;
  });
  await begun;
  return {
    release: () => {
      release();
      return holder;
    },
  };
}

test("beyond 256 that wait a write is refused at once as overload, and the others are done when their turn comes", async () => {
  const { release } = await holdWriter();
  const waiting = numbers(256).map((n) => store(`c ${n}`));
  const error: unknown = await store("c 257").catch((thrown: unknown) => thrown);
  expect(storageFailure(error)).toBe("overloaded");
  await release();
  await Promise.all(waiting);
  expect(await stored("c ")).toHaveLength(256);
});

test("a write is in the next group, however many of another owner wait, small beside large", async () => {
  const { release } = await holdWriter();
  const done: string[] = [];
  const large = (name: string): Promise<void> =>
    db.groupTransaction(async (trx) => {
      takeRoom(trx, 400_000);
      await insert(trx, name);
    }, 1);
  const many = numbers(256).map((n) => large(`o ${n}`).then(() => done.push("large")));
  const small = db.groupTransaction(async (trx) => {
    await hold(trx, "first"); // later than the large ones of its group
    takeRoom(trx, 1_000);
    await insert(trx, "o small");
  }, 2);
  const last = small.then(() => done.push("small"));
  await release();
  await Promise.all([...many, last]);
  expect(done.indexOf("small")).toBeLessThan(64);
  expect(await stored("o ")).toHaveLength(257);
});

test("other transactions and groups take turns, and all see what was committed before", async () => {
  const all = numbers(30).map(async (n) => {
    await store(`d ${n}`);
    const seen = await db.transaction((trx) =>
      trx("things")
        .where({ name: `d ${n}` })
        .pluck("name"),
    );
    const prepared = await db.list(1, (on) =>
      on.query<{ name: string }>("select name from things where name = $1", [`d ${n}`]),
    );
    return [...seen, ...prepared.map(({ name }) => name)];
  });
  expect(await Promise.all(all)).toEqual(numbers(30).map((n) => [`d ${n}`, `d ${n}`]));
});

test("a caller that is answered finds its write committed, from another connection at that moment", async () => {
  const other = await openDatabase(url);
  const lane = async (name: string): Promise<void> => {
    for (const n of numbers(15)) {
      const done = await store(`f ${name} ${n}`);
      expect(await other.read("things").where({ name: done }).pluck("name")).toEqual([done]);
    }
  };
  await Promise.all(["a", "b", "c", "d"].map(lane));
  await other.close();
});

/** A write that finds the row of a calendar locked the first time. */
function afterLock(calendarId: number, work: (trx: Member) => Promise<void>, owner?: number): Promise<void> {
  let isLocked = true;
  return db.groupTransaction((trx) => {
    if (!isLocked) return work(trx);
    isLocked = false;
    throw new RowLocked(calendarId);
  }, owner);
}

test("40 writes that find a row locked wait for it together, and share a transaction", async () => {
  sizes.length = 0;
  const names = numbers(40).map((n) => `q ${String(n).padStart(2, "0")}`);
  await Promise.all(names.map((name) => afterLock(1, (trx) => insert(trx, name), 1)));
  expect(await stored("q ")).toEqual(names);
  expect(sizes).toEqual([40]);
});

test.skipIf(!onPostgres)(
  "while 100 writes of one owner wait for ten locked rows, two of them at a time, one of another owner waits for its own row alone",
  async () => {
    let [release, endAll] = [(): void => undefined, (): void => undefined];
    const released = new Promise<void>((resolve) => (release = resolve));
    const allTaken = new Promise<void>((resolve) => (endAll = resolve));
    const rows = new Set<number>();
    const many = numbers(100).map((n) =>
      afterLock(
        n % 10,
        async (trx) => {
          if (rows.add(n % 10).size === 3) endAll();
          await released;
          await insert(trx, `m ${n}`);
        },
        1,
      ),
    );
    await store("l", 1); // in a later group: by then all of them have found their rows locked
    const other = afterLock(10, (trx) => insert(trx, "the other"), 2);
    await Promise.race([other, allTaken]);
    const early = { rows: rows.size, many: await stored("m "), other: await stored("the other") };
    release();
    await Promise.all([...many, other]);
    expect(early).toEqual({ rows: 2, many: [], other: ["the other"] });
    expect(await stored("m ")).toHaveLength(100);
  },
);

/** Runs `work`, and returns its result with what no one has caught meanwhile. */
async function withUncaught<T>(work: () => Promise<T>): Promise<readonly [T, readonly string[]]> {
  const uncaught: string[] = [];
  const listeners = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", ({ message }) => uncaught.push(message));
  try {
    return [await work(), uncaught];
  } finally {
    await new Promise((resolve) => setImmediate(resolve));
    process.removeAllListeners("uncaughtException");
    for (const listener of listeners) process.on("uncaughtException", listener);
  }
}

const ways = {
  "in groups": (work: (trx: Member) => Promise<void>) => db.groupTransaction(work),
  "for a locked row": (work: (trx: Member) => Promise<void>) => afterLock(1, work),
  "with Knex": (work: (trx: Member) => Promise<void>) => memberTransaction(db, work),
};
for (const [way, write] of Object.entries(ways))
  test(`what is called after the commit may throw: each write (${way}) is done once, and the others are called`, async () => {
    const [ran, called] = [new Map<string, number>(), new Set<string>()];
    const names = numbers(20).map((n) => `after ${way} ${String(n).padStart(2, "0")}`);
    const [outcomes, uncaught] = await withUncaught(() =>
      Promise.allSettled(
        names.map((name) =>
          write(async (trx) => {
            ran.set(name, (ran.get(name) ?? 0) + 1);
            await insert(trx, name);
            trx.shared.afterCommit.add(() => {
              called.add(name);
              throw new Error("after the commit");
            });
          }),
        ),
      ),
    );
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(["fulfilled"]));
    expect(await stored(`after ${way}`)).toEqual(names);
    expect([...ran.values()]).toEqual(names.map(() => 1));
    expect([...called].toSorted()).toEqual(names);
    expect(uncaught).toEqual(names.map(() => "after the commit"));
  });

test.skipIf(onPostgres)(
  "while another process holds the database, all that wait are refused as overload, and then it goes on",
  async () => {
    const other = await openDatabase(url);
    await other.transaction(async () => {
      const outcomes = await Promise.allSettled(numbers(70).map((n) => store(`e ${n}`)));
      expect(
        new Set(outcomes.map((o) => (o.status === "rejected" ? storageFailure(o.reason) : "done"))),
      ).toEqual(new Set(["overloaded"]));
    });
    await other.close();
    expect(await stored("e ")).toEqual([]);
    expect(await store("e ")).toBe("e ");
  },
);
