import { readFileSync, statSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, onPostgres, type TestDatabase } from "../../test/databases.js";
import { type Database, openDatabase } from "./open-database.js";
import { createLookup } from "./lookup.js";

interface Row {
  readonly name: string;
  readonly n: number;
}

let made: TestDatabase;
let db: Database;
let other: Database;
beforeAll(async () => {
  made = await createTestDatabase("migrated");
  [db, other] = [await openDatabase(made.url), await openDatabase(made.url)];
  await db.transaction(async (trx) => {
    await trx.raw("create table things (name text primary key, n bigint not null)");
    await trx("things").insert(Array.from({ length: 100 }, (_, n) => ({ name: `thing ${n}`, n: 0 })));
  });
});
afterAll(async () => {
  await Promise.all([db.close(), other.close()]);
  await made.remove();
});

const lookup = () =>
  createLookup<Row>(db, {
    sql: (names) => `select name, n from things where name in (${names})`,
    keyOf: (row) => row.name,
  });

const add = async (on: Database, name: string): Promise<number> => {
  const [row] = await on.transaction((trx) =>
    trx("things")
      .where({ name })
      .update({ n: trx.raw("n + 1") })
      .returning("n"),
  );
  return row.n;
};

test("each of many keys gets its own row, an unknown one none, however they are asked for together", async () => {
  const find = lookup();
  const names = Array.from({ length: 100 }, (_, n) => `thing ${n}`);
  const found = await Promise.all([...names, "nothing", ...names].map(async (name) => find(name)));
  expect(found.map((row) => row?.name)).toEqual([...names, undefined, ...names]);
});

test("a commit of this or another connection is seen by the next look-up, 300 times", async () => {
  const find = lookup();
  for (let round = 0; round < 300; round++) {
    const name = `thing ${round % 3}`;
    const n = await add(round % 2 === 0 ? db : other, name);
    expect((await find(name))?.n).toBe(n);
    expect((await find(name))?.n).toBe(n);
  }
});

test("no look-up is older than what was committed before it was asked for, while others write all the time", async () => {
  const find = lookup();
  let committed = await add(other, "thing 9");
  const write = async (): Promise<void> => {
    for (let n = 0; n < 200; n++) committed = await add(other, "thing 9");
  };
  const read = async (): Promise<void> => {
    for (let n = 0; n < 500; n++) {
      const atLeast = committed;
      const row = await find("thing 9");
      expect(row?.n).toBeGreaterThanOrEqual(atLeast);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all([write(), ...Array.from({ length: 8 }, read)]);
  expect((await find("thing 9"))?.n).toBe(committed);
});

test("a failure rejects all callers that wait, and the next look-up queries again", async () => {
  const find = lookup();
  await db.transaction((trx) => trx.raw("alter table things rename to hidden"));
  for (const { status } of await Promise.allSettled([find("thing 1"), find("thing 2")]))
    expect(status).toBe("rejected");
  await db.transaction((trx) => trx.raw("alter table hidden rename to things"));
  expect((await find("thing 1"))?.name).toBe("thing 1");
});

describe.skipIf(onPostgres)("the change counter of SQLite", () => {
  test("stays while no one writes, and so does a row that was looked up: no query is made", async () => {
    const find = lookup();
    await find("thing 5");
    const counter = db.changeCounter();
    expect(counter).toBeTypeOf("string");
    await db.read("things").select("n");
    expect(db.changeCounter()).toBe(counter);
    expect(find("thing 5")).not.toBeInstanceOf(Promise);
  });

  test("a key without a row is remembered until the next commit, and found when that adds the row", async () => {
    const find = lookup();
    expect(await find("later")).toBeUndefined();
    expect(find("later")).not.toBeInstanceOf(Promise);
    await other.transaction((trx) => trx("things").insert({ name: "later", n: 1 }));
    expect((await find("later"))?.n).toBe(1);
  });

  test.runIf(process.platform === "linux")(
    "keeps SQLite's locks: closing one of two openings drops none of the other's",
    async () => {
      const locks = (): number => {
        const { ino } = statSync(`${made.file}-shm`);
        const own = new RegExp(`POSIX .* ${process.pid} \\S+:${ino} `);
        return readFileSync("/proc/locks", "utf8")
          .split("\n")
          .filter((line) => own.test(line)).length;
      };
      await lookup()("thing 1");
      const before = locks();
      expect(before).toBeGreaterThan(0);
      const third = await openDatabase(made.url);
      expect(third.changeCounter()).toBe(db.changeCounter());
      await third.close();
      expect(locks()).toBe(before);
      expect(db.changeCounter()).toBeTypeOf("string");
    },
  );

  test("changes with each of 500 commits, with a checkpoint in between, and never to an earlier one", async () => {
    const seen = new Set([db.changeCounter()]);
    for (let n = 0; n < 500; n++) {
      await add(n % 2 === 0 ? db : other, "thing 7");
      if (n % 100 === 50) await other.transaction((trx) => trx.raw("select 1"));
      seen.add(db.changeCounter());
    }
    expect(seen.size).toBe(501);
    expect(other.changeCounter()).toBe(db.changeCounter());
  });
});
