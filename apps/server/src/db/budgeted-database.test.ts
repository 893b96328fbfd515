import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../test/databases.js";
import { batched } from "./batch.js";
import { BudgetExceeded, type WriteBudget } from "./budget.js";
import { boundedDatabase } from "./budgeted-database.js";
import type { Database } from "./database.js";
import { memberOf } from "./member.js";

// What a transaction may write is counted by its queries (docs/limits.md).

const { db } = await testDatabase();
await db.transaction((trx) =>
  trx.raw(
    "create table things (name varchar(200) not null primary key, kind varchar(2000) not null, size int not null default 0)",
  ),
);
beforeEach(() => db.transaction((trx) => trx("things").delete()));

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const rowsOf = (count: number, prefix = "") =>
  numbers(count).map((n) => ({ name: `${prefix}${n}`, kind: "" }));
const stored = async (): Promise<number> => (await db.read("things").select("name")).length;

const insert = batched<string, never, void>({
  writes: true,
  rows: (names) => names.map((name) => [name]),
  sql: ({ items }) => `insert into things (name, kind) select value ->> 0, '' from ${items}($1)`,
  results: (names) => names.map(() => undefined),
});

const bounded = (budget: Partial<WriteBudget>): Database =>
  boundedDatabase(db, {
    budget: { rowsWritten: 10, bytesWritten: 1_000_000, writerMs: 60_000, ...budget },
  });

describe("a statement of Knex for many rows", () => {
  test("is counted by the rows that it inserts", async () => {
    const own = bounded({});
    await own.transaction((trx) => trx("things").insert(rowsOf(10)));
    await expect(own.transaction((trx) => trx("things").insert(rowsOf(11, "b")))).rejects.toThrow(
      BudgetExceeded,
    );
    expect(await stored()).toBe(10);
  });

  const some = (trx: Database["read"], count: number) =>
    trx("things").whereIn(
      "name",
      numbers(count).map((n) => String(n)),
    );
  const changes: readonly (readonly [string, (trx: Database["read"], count: number) => Promise<unknown>])[] =
    [
      ["updates", async (trx, count) => some(trx, count).update({ kind: "x" })],
      ["updates and returns", async (trx, count) => some(trx, count).update({ kind: "x" }).returning("name")],
      ["deletes", async (trx, count) => some(trx, count).delete()],
    ];
  test.each(changes)("is counted by the rows that it %s", async (_, change) => {
    await db.transaction((trx) => trx("things").insert(rowsOf(20)));
    await expect(bounded({}).transaction((trx) => change(trx, 11))).rejects.toThrow(BudgetExceeded);
    expect([await stored(), await db.read("things").where({ kind: "x" })]).toEqual([20, []]);
    await bounded({}).transaction((trx) => change(trx, 10));
  });

  test("is counted by the bytes that it writes in all of its rows", async () => {
    await db.transaction((trx) => trx("things").insert(rowsOf(10)));
    const own = bounded({ bytesWritten: 9_000 });
    const write = (kind: string) => own.transaction((trx) => trx("things").update({ kind }));
    await write("x".repeat(900));
    await expect(write("ä".repeat(451))).rejects.toThrow(BudgetExceeded);
  });

  test("is counted once by what it finds its rows by", async () => {
    await db.transaction((trx) => trx("things").insert(rowsOf(10)));
    const names = [...numbers(10).map(String), "x".repeat(900)];
    const write = (bytesWritten: number) =>
      bounded({ bytesWritten }).transaction((trx) =>
        trx("things").whereIn("name", names).update({ kind: "ab" }).increment("size", 3).returning("name"),
      );
    await write(10 * (2 + 8) + 10 + 900);
    await expect(write(10 * (2 + 8) + 10 + 899)).rejects.toThrow(BudgetExceeded);
  });
});

describe("a transaction without rows", () => {
  const read = (): Database => bounded({ rowsWritten: 0, bytesWritten: 0 });

  test.each([
    ["with Knex", () => read().transaction((trx) => trx("things").insert(rowsOf(1)))],
    ["with a batched query", () => read().transaction((trx) => insert(memberOf(trx, db.dialect), "a"))],
    ["in a group", () => read().groupTransaction((trx) => insert(trx, "a"))],
    ["before another", () => read().staging((trx) => insert(trx, "a"))],
    ["alone", () => read().exclusively((trx) => trx("things").insert(rowsOf(1)))],
  ])("writes none %s", async (_, write) => {
    await expect(write()).rejects.toThrow(/^more than 0 rows$|has no budget/);
    expect(await stored()).toBe(0);
  });

  test("reads what it likes", async () => {
    await db.transaction((trx) => trx("things").insert(rowsOf(3)));
    expect(await read().transaction((trx) => trx("things").pluck("name"))).toHaveLength(3);
  });
});

test("writes that share a statement are counted each by its own part, and one that writes too much fails alone", async () => {
  const own = bounded({ rowsWritten: 2 });
  const write = (names: readonly string[]) =>
    own.groupTransaction(async (trx) => {
      await Promise.all(names.map((name) => insert(trx, name)));
    });
  const outcomes = await Promise.allSettled(
    numbers(20).map((n) => write(n === 7 ? ["x", "y", "z"] : [`${n} a`, `${n} b`])),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(
    numbers(20).map((n) => (n === 7 ? "rejected" : "fulfilled")),
  );
  expect(await stored()).toBe(38);
});
