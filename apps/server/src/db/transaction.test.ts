import { expect, test } from "vitest";
import { testDatabase } from "../../test/databases.js";
import type { Transaction } from "./transaction.js";

// Statements that a write sends without waiting for them: its end waits, and fails with them.

const { db } = await testDatabase();
await db.transaction((trx) => trx.raw("create table things (name text not null primary key, seen bigint)"));

const add = (trx: Transaction, name: string): void =>
  trx.send("insert into things (name, seen) values ($1, $2)", [name, 0]);
const names = (prefix: string): Promise<readonly string[]> =>
  db.read("things").where("name", "like", `${prefix}%`).orderBy("name").pluck("name");

test("what is sent is stored, and queries that follow see it, prepared ones and those of Knex", async () => {
  const seen = await db.transaction(async (trx) => {
    for (const name of ["a 1", "a 2", "a 3"]) add(trx, name);
    const sql = "select cast(count(*) as bigint) as count from things where name like $1";
    const [row] = await trx.query<{ readonly count: number }>(sql, ["a %"]);
    trx.send("update things set seen = $1 where name like $2", [row?.count ?? 0, "a %"]);
    const updated = await trx("things").where({ seen: 3 }).pluck("name");
    add(trx, "a 4");
    return updated.length;
  });
  expect(seen).toBe(3);
  expect(await names("a")).toEqual(["a 1", "a 2", "a 3", "a 4"]);
});

test("a failure of what was sent is that of the transaction, of which nothing stays", async () => {
  const outcomes = await Promise.allSettled(
    ["b 1", "b bad", "b 2"].map((name) =>
      db.transaction(async (trx) => {
        add(trx, name);
        if (name.endsWith("bad")) add(trx, "b 1 twice");
        if (name.endsWith("bad")) add(trx, "b 1 twice");
        await Promise.resolve();
        add(trx, `${name} later`);
        return name;
      }),
    ),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const [, bad] = outcomes;
  expect(String(bad?.status === "rejected" && bad.reason)).toMatch(/unique/i);
  expect(await names("b")).toEqual(["b 1", "b 1 later", "b 2", "b 2 later"]);
});

test("nothing that was sent stays of a write that throws, whose failure is its own", async () => {
  const throwing = db.transaction(async (trx) => {
    add(trx, "c 1");
    add(trx, "c 1");
    await Promise.resolve();
    throw new Error("no c");
  });
  await expect(throwing).rejects.toThrow("no c");
  const caught = db.transaction(async (trx) => {
    add(trx, "c 2");
    add(trx, "c 2");
    await trx.query("select 1 as one", []).catch(() => undefined);
  });
  await expect(caught).rejects.toThrow(/unique/i);
  expect(await names("c")).toEqual([]);
});

test("a statement that comes when its transaction has ended is refused, whichever way it is sent", async () => {
  for (const fails of [false, true]) {
    let ended: Transaction | undefined;
    const write = db.transaction(async (trx) => {
      ended = trx;
      await trx("things").insert({ name: `d ${fails}` });
      if (fails) throw new Error("no d");
    });
    if (fails) await expect(write).rejects.toThrow("no d");
    else await write;
    const late = "insert into things (name) values ('d late')";
    await expect(ended?.query(late, [])).rejects.toThrow(/has ended/);
    expect(() => ended?.send(late, [])).toThrow(/has ended/);
    await expect(ended?.raw(late)).rejects.toThrow(/has ended/);
    await expect(ended?.("things").insert({ name: "d late" })).rejects.toThrow(/has ended/);
  }
  expect(await names("d")).toEqual(["d false"]);
});
