import sqlite3 from "sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/databases.js";
import { type Database, openDatabase } from "../open-database.js";
import { storageFailure } from "../failures.js";
import { statementsOf } from "./statements.js";

// After any failure the connection that writes is free of locks and transactions.

let made: TestDatabase;
let db: Database;
let stranger: sqlite3.Database;
beforeEach(async () => {
  made = await createTestDatabase();
  db = await openDatabase(made.url);
  await db.transaction((trx) => trx.raw("create table things (n integer not null)"));
  stranger = new sqlite3.Database(made.file);
});
afterEach(async () => {
  await new Promise((resolve) => stranger.close(resolve));
  await db.close();
  await made.remove();
});

/** Runs SQL on a connection of another program, which waits for no lock. */
const elsewhere = (sql: string): Promise<string> =>
  new Promise((resolve) => {
    stranger.exec(sql, (error) => resolve(error === null ? "done" : error.message));
  });

const grouped = (n: number): Promise<unknown> =>
  db.transaction((trx) => trx.query("insert into things values ($1)", [n]));
const own = (n: number): Promise<void> => db.transaction((trx) => trx("things").insert({ n }));
const ways = { grouped, own } as const;
const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: unknown) => storageFailure(error) ?? String(error),
  );
const rows = (): Promise<readonly number[]> => db.read("things").orderBy("n").pluck("n");

for (const first of ["grouped", "own"] as const) {
  test(`a lock of another program that outlasts the patience of a write (${first}) fails that write alone`, async () => {
    expect(await elsewhere("begin immediate")).toBe("done");
    expect(await outcomeOf(ways[first](1))).toBe("overloaded");
    expect(await elsewhere("rollback")).toBe("done");
    expect(await outcomeOf(own(2))).toBe("done");
    expect(await outcomeOf(grouped(3))).toBe("done");
    expect(await elsewhere("begin immediate; insert into things values (4); commit")).toBe("done");
    expect(await rows()).toEqual([2, 3, 4]);
  });

  test(`a write that fails (${first}) leaves no lock and no transaction behind`, async () => {
    await db.transaction((trx) =>
      trx.raw(
        "create trigger no_seven before insert on things when new.n = 7 begin select raise(rollback, 'no'); end",
      ),
    );
    for (let round = 0; round < 20; round++) {
      expect(await outcomeOf(ways[first](7))).toContain("SQLITE_CONSTRAINT"); // rolled back by the trigger already
      expect(await elsewhere("begin immediate; rollback")).toBe("done");
      expect(await outcomeOf(ways[first](100 + round))).toBe("done");
    }
    expect(await rows()).toHaveLength(20);
  });
}

test("a failure of the commit itself leaves no lock behind, and the next write is stored", async () => {
  await db.transaction(async (trx) => {
    await trx.raw("create table parents (id integer primary key)");
    await trx.raw("create table children (id integer references parents (id) deferrable initially deferred)");
  });
  // The reference is checked by COMMIT, which fails and keeps the transaction open.
  expect(await outcomeOf(db.transaction((trx) => trx.raw("insert into children values (1)")))).toContain(
    "FOREIGN KEY",
  );
  expect(await elsewhere("begin immediate; rollback")).toBe("done");
  expect(await outcomeOf(grouped(1))).toBe("done");
  expect(await outcomeOf(own(2))).toBe("done");
  expect(await rows()).toEqual([1, 2]);
  expect(await db.read("children")).toEqual([]);
});

test("a connection is given up when neither its rollback nor what follows that succeeds", async () => {
  await rows(); // its connection keeps the files of the write-ahead log, as those of a server do
  const failed = own(1).then(() =>
    db.transaction(async (trx) => {
      await trx("things").insert({ n: 2 });
      const connection = await trx.client.acquireConnection();
      const exec = connection.exec.bind(connection);
      const fail = (sql: string, callback: (error: Error | null) => void): void =>
        sql === "ROLLBACK" ? callback(new Error("no rollback")) : exec(sql, callback);
      Object.assign(connection, { exec: fail });
      Object.assign(statementsOf(connection), { finalize: () => Promise.reject(new Error("not finalized")) });
      throw new Error("the work failed");
    }),
  );
  expect(await outcomeOf(failed)).toContain("the work failed");
  expect(await outcomeOf(own(3))).toBe("done");
  expect(await outcomeOf(grouped(4))).toBe("done");
  expect(await elsewhere("begin immediate; rollback")).toBe("done");
  expect(await rows()).toEqual([1, 3, 4]);
});

test("a refused write is answered after the commit of what it has read", async () => {
  const answered: string[] = [];
  const first = grouped(1).then(() => answered.push("written"));
  const refused = db.transaction(async (trx) => {
    throw new Error(`read ${JSON.stringify(await trx.query("select n from things", []))}`);
  });
  await refused.catch((error: unknown) => answered.push(String(error)));
  await first;
  expect(answered).toEqual(["written", 'Error: read [{"n":1}]']);
});

test("the writes of one owner that wait leave room for those of others", async () => {
  const insert = (owner: number): Promise<string> =>
    outcomeOf(db.transaction((trx) => trx.query("insert into things values ($1)", [owner]), { owner }));
  expect(await elsewhere("begin immediate")).toBe("done");
  const many = Array.from({ length: 300 }, () => insert(1));
  const other = insert(2);
  expect(await elsewhere("rollback")).toBe("done");
  expect(await other).toBe("done");
  const done = (await Promise.all(many)).filter((outcome) => outcome === "done");
  expect(done).toHaveLength(256);
});
