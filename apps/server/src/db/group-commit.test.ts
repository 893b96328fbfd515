import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, onPostgres, type TestDatabase } from "../../test/databases.js";
import { type Database, openDatabase, storageFailure } from "./connect.js";
import { createGroups, type Outcome } from "./group-commit.js";

let made: TestDatabase;
let db: Database;
beforeAll(async () => {
  made = await createTestDatabase();
  db = await openDatabase(made.url);
  await db.transaction((trx) => trx.raw("create table things (name text primary key)"));
});
afterAll(async () => {
  await db.close();
  await made.remove();
});

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const stored = (): Promise<readonly string[]> => db.read("things").orderBy("name").pluck("name");

/** Stores names, each once; "no" is refused, "break" lets the whole group fail. */
function things() {
  const groups: (readonly string[])[] = [];
  const store = createGroups<string, string>(db, async ({ ask }, names) => {
    groups.push(names);
    const outcomes: Outcome<string>[] = [];
    for (const name of names) {
      if (name.startsWith("no")) {
        outcomes.push({ error: new Error(`${name} is refused`) });
        continue;
      }
      await ask(`insert into things values (?)${name.startsWith("break") ? ", (null), (?)" : ""}`, [
        name,
        ...(name.startsWith("break") ? [name] : []),
      ]);
      outcomes.push({ result: name });
    }
    return outcomes;
  });
  return { store, groups };
}

test("jobs that wait go together, each gets its own outcome, in the order they came", async () => {
  const { store, groups } = things();
  const names = numbers(60).map((n) => (n % 10 === 0 ? `no ${n}` : `a ${String(n).padStart(2, "0")}`));
  const outcomes = await Promise.allSettled(names.map(store));
  expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : "refused"))).toEqual(
    names.map((name) => (name.startsWith("no") ? "refused" : name)),
  );
  expect(await stored()).toEqual(names.filter((name) => name.startsWith("a")));
  if (!onPostgres) expect(groups.flat()).toEqual(names);
  expect(groups.length).toBeLessThan(30);
});

test("a job that breaks its group fails alone, and nothing of it stays", async () => {
  const { store } = things();
  const names = [...numbers(50).map((n) => `b ${n}`), "break"].toSorted((a, b) => a.length - b.length);
  const outcomes = await Promise.allSettled(names.map(store));
  expect(names.filter((_, index) => outcomes[index]?.status === "rejected")).toEqual(["break"]);
  const kept = (await stored()).filter((name) => name.startsWith("b"));
  expect(kept).toHaveLength(50);
});

test("beyond 256 that wait a job is refused at once as overload, and the others are done when their turn comes", async () => {
  const { store } = things();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const holders = numbers(db.writers).map(async (n) =>
    createGroups<number, number>(db, async (_ask, jobs) => {
      await held;
      return jobs.map((job) => ({ result: job }));
    })(n),
  );
  const first = onPostgres ? 0 : 256; // on PostgreSQL other writers need not wait
  const waiting = numbers(256).map((n) => store(`c ${n}`));
  if (first > 0) {
    const error: unknown = await store("c 257").catch((thrown: unknown) => thrown);
    expect(storageFailure(error)).toBe("overloaded");
  }
  release();
  await Promise.all([...holders, ...waiting]);
  expect((await stored()).filter((name) => name.startsWith("c"))).toHaveLength(256);
});

test("other transactions and groups take turns, and all see what was committed before", async () => {
  const { store } = things();
  const all = numbers(30).map(async (n) => {
    await store(`d ${n}`);
    const seen = await db.transaction((trx) =>
      trx("things")
        .where({ name: `d ${n}` })
        .pluck("name"),
    );
    const prepared = await db.list((on) =>
      on.ask<{ name: string }>("select name from things where name = ?", [`d ${n}`]),
    );
    return [...seen, ...prepared.map(({ name }) => name)];
  });
  expect(await Promise.all(all)).toEqual(numbers(30).map((n) => [`d ${n}`, `d ${n}`]));
});

test("whoever is answered finds the job committed, asking from elsewhere at that moment", async () => {
  const { store } = things();
  const other = await openDatabase(made.url);
  const lane = async (name: string): Promise<void> => {
    for (const n of numbers(15)) {
      const done = await store(`f ${name} ${n}`);
      expect(await other.read("things").where({ name: done }).pluck("name")).toEqual([done]);
    }
  };
  await Promise.all(["a", "b", "c", "d"].map(lane));
  await other.close();
});

test.skipIf(onPostgres)(
  "while another process holds the database, all that wait are told so, and then it goes on",
  async () => {
    const other = await openDatabase(made.url);
    const { store, groups } = things();
    await other.transaction(async () => {
      const outcomes = await Promise.allSettled(numbers(70).map((n) => store(`e ${n}`)));
      expect(
        new Set(outcomes.map((o) => (o.status === "rejected" ? storageFailure(o.reason) : "done"))),
      ).toEqual(new Set(["overloaded"]));
    });
    await other.close();
    expect(groups).toEqual([]);
    expect(await store("e")).toBe("e");
  },
);
