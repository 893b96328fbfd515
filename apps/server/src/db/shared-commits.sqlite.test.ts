import { expect, test } from "vitest";
import { testDatabase } from "../../test/databases.js";

// Writes that wait for SQLite's only writer share a commit. Each has its own outcome.

const { db } = await testDatabase();
await db.transaction((trx) => trx.raw("create table things (name text not null primary key)"));

const stored = (prefix: string): Promise<readonly string[]> =>
  db.read("things").where("name", "like", `${prefix}%`).orderBy("name").pluck("name");
const numbered = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix} ${String(index).padStart(2, "0")}`);

let commits = 0;

/** Stores a name; "no" is refused before it writes, "late" after, and "broken" by the database. */
const store = (name: string): Promise<string> =>
  db.transaction(async (trx) => {
    trx.afterCommit.add(() => commits++);
    if (name.startsWith("no")) throw new Error(`${name} is refused`);
    await trx.query("insert into things (name) values ($1)", [name]);
    if (name.startsWith("broken")) await trx("things").insert({ name });
    if (name.startsWith("late")) throw new Error(`${name} is refused late`);
    return name;
  });

for (const bad of ["no", "late", "broken"])
  test(`a write that fails ("${bad}") fails alone, and nothing of it stays`, async () => {
    const names = [...numbered(`a${bad}`, 25), bad, ...numbered(`b${bad}`, 25)];
    const outcomes = await Promise.allSettled(names.map(store));
    expect(names.filter((_, index) => outcomes[index]?.status === "rejected")).toEqual([bad]);
    expect([...(await stored(`a${bad}`)), ...(await stored(`b${bad}`))]).toEqual(
      names.filter((name) => name !== bad),
    );
    expect(await stored(bad)).toEqual([]);
  });

test("writes see those before them, one after the other", async () => {
  const count = () =>
    db.transaction(async (trx) => {
      const [row] = await trx.query<{ n: number }>(
        "select count(*) as n from things where name like 'n %'",
        [],
      );
      await trx("things").insert({ name: `n ${row?.n}` });
      return row?.n;
    });
  expect(await Promise.all(Array.from({ length: 100 }, count))).toEqual(
    Array.from({ length: 100 }, (_, n) => n),
  );
});

test("what waits for a commit is called once, and only for what was committed", async () => {
  commits = 0;
  await Promise.allSettled([...numbered("c", 9), "late c"].map(store));
  await expect.poll(() => commits).toBe(9);
});

test("a query after the end of its transaction is refused", async () => {
  const trx = await db.transaction((open) => Promise.resolve({ open }));
  await expect(trx.open.query("select 1", [])).rejects.toThrow("the transaction has ended");
  await expect(trx.open.raw("select 1")).rejects.toThrow("the transaction has ended");
});
