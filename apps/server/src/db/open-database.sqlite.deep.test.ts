import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, type Db, openDatabase } from "./open-database.js";
import { migrate } from "./migrate.js";
import { temporaryFolder } from "../../test/temporary.js";

let folder = "";
let db: Database;

beforeAll(async () => {
  folder = temporaryFolder();
  db = await openDatabase(`sqlite:${join(folder, "deep", "er", "test.sqlite")}`);
  await migrate(db, 1); // a file with other tables alone is refused
  await db.transaction((trx) => trx.raw("create table numbers (id integer primary key, n integer)"));
  await db.transaction((trx) => trx.raw("insert into numbers values (1, 0)"));
});

afterAll(async () => {
  await db.close();
});

describe("a SQLite database", () => {
  const pragmas = {
    journal_mode: "wal",
    synchronous: 2,
    foreign_keys: 1,
    busy_timeout: 5000,
    trusted_schema: 0,
  };
  test("the writer alone keeps the pages that a large transaction changes", async () => {
    const [read] = await db.read.raw("PRAGMA cache_size");
    const [written] = await db.transaction((trx) => trx.raw("PRAGMA cache_size"));
    expect([read, written]).toEqual([{ cache_size: -2_000 }, { cache_size: -8_000 }]);
  });

  for (const [name, value] of Object.entries(pragmas)) {
    test(`every connection runs with ${name} = ${value}`, async () => {
      const reads = await Promise.all([1, 2, 3, 4].map(() => db.read.raw(`PRAGMA ${name}`)));
      for (const rows of reads) expect(Object.values(rows[0])).toEqual([value]);
      const [written] = await db.transaction((trx) => trx.raw(`PRAGMA ${name}`));
      // The writer waits in parts, so that it can be stopped.
      expect(Object.values(written)).toEqual([name === "busy_timeout" ? 5 : value]);
    });
  }

  test("erased text leaves the file, free pages too, once the database is closed", async () => {
    const path = join(folder, "erased.sqlite");
    const people = await openDatabase(`sqlite:${path}`);
    await people.transaction((trx) => trx.raw("create table people (id integer primary key, name text)"));
    await people.transaction((trx) =>
      trx.raw(
        `with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000)
         insert into people select i, 'Unrepeatable ' || i || ' ' || hex(zeroblob(100)) from n`,
      ),
    );
    await people.transaction((trx) => trx.raw("delete from people where id <> 1000"));
    await people.close();
    const names = readFileSync(path, "latin1").match(/Unrepeatable \d+/g);
    expect(names).toEqual(["Unrepeatable 1000"]);
  });

  test("the folder is made, for its owner alone", () => {
    expect(statSync(join(folder, "deep", "er")).mode & 0o777).toBe(0o700);
  });

  test("a reading connection cannot write", async () => {
    await expect(db.read.raw("insert into numbers values (2, 0)")).rejects.toThrow(/readonly/);
  });

  test("there are at most four readers", () => {
    expect(db.read.client.pool.max).toBe(4);
  });

  test("a transaction takes the write lock when it begins", async () => {
    const other = await openDatabase(`sqlite:${join(folder, "deep", "er", "test.sqlite")}`);
    const order: string[] = [];
    const first = db.transaction(async (trx) => {
      await trx.raw("select * from numbers");
      order.push("first began");
      // The other connection wants the lock meanwhile; with a deferred BEGIN its read would be stale and fail.
      const second = other.transaction(async (trx2) => {
        order.push("second began");
        await trx2.raw("update numbers set n = n + 1");
      });
      await trx.raw("update numbers set n = n + 1");
      order.push("first wrote");
      return { second };
    });
    await (
      await first
    ).second;
    expect(order).toEqual(["first began", "first wrote", "second began"]);
    await other.close();
  });

  test("three openings of a new file at a time all succeed: none fails because another one turns WAL on", async () => {
    for (let round = 0; round < 20; round++) {
      const url = `sqlite:${join(folder, "new", `${round}.sqlite`)}`;
      const opened = await Promise.all(Array.from({ length: 3 }, () => openDatabase(url)));
      for (const each of opened) await each.close();
      expect(opened).toHaveLength(3);
    }
  });

  test("two processes that read then write lose no update and see no SQLITE_BUSY", async () => {
    const script = new URL("../../test/increment.ts", import.meta.url).pathname;
    const file = join(folder, "deep", "er", "test.sqlite");
    await db.transaction((trx) => trx.raw("update numbers set n = 0"));
    await Promise.all([run(script, file), run(script, file)]);
    expect(await db.read.raw("select n from numbers")).toEqual([{ n: 200 }]);
  });

  test("a transaction that throws leaves nothing behind", async () => {
    const broken = db.transaction(async (trx) => {
      await trx.raw("insert into numbers values (9, 9)");
      throw new Error("stop");
    });
    await expect(broken).rejects.toThrow("stop");
    expect(await db.read.raw("select * from numbers where id = 9")).toEqual([]);
  });

  test("a prepared query and a read see every committed write, on every connection, at once", async () => {
    const sql = "select n from numbers where id = $1";
    for (let round = 0; round < 50; round++) {
      const [written] = await db.transaction(async (trx) =>
        trx("numbers")
          .where({ id: 1 })
          .update({ n: trx.raw("n + 1") })
          .returning("n"),
      );
      const seen = await Promise.all([
        db.lookUp<{ n: number }>(sql, [1]),
        db.read("numbers").where({ id: 1 }).select("n"),
        db.query<{ n: number }>(sql, [1]),
      ]);
      expect(seen.flat()).toEqual([written, written, written]);
    }
  });

  test("a snapshot stays on one state while others write, and blocks no writer", async () => {
    const number = (on: Db) => on("numbers").where({ id: 1 }).pluck("n");
    await db.transaction((trx) => trx.raw("update numbers set n = 7 where id = 1"));
    const seen = await db.snapshot(async (trx) => {
      const before = await number(trx);
      await db.transaction((other) => other.raw("update numbers set n = 8 where id = 1"));
      return [before, await number(trx)];
    });
    expect(seen).toEqual([[7], [7]]);
    expect(await number(db.read)).toEqual([8]);
  });

  test("a prepared query whose SQL is wrong says so each time", async () => {
    const wrong = () => db.query("select missing from nowhere", []);
    await expect(wrong()).rejects.toThrow(/no such table/);
    await expect(wrong()).rejects.toThrow(/no such table/);
  });

  test("a prepared query whose places are not numbered as they come is refused: SQLite would bind its values elsewhere", async () => {
    const wrong = db.query("select n from numbers where n = $2 and id = $1", [1, 2]);
    await expect(wrong).rejects.toThrow("$2 is used before $1");
  });

  test("a transaction's queries go nowhere once it has ended", async () => {
    const kept = await db.transaction((trx) => Promise.resolve({ trx }));
    await expect(kept.trx.raw("insert into numbers values (10, 0)")).rejects.toThrow("has ended");
    expect(await db.read.raw("select * from numbers where id = 10")).toEqual([]);
  });
});

function run(script: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ["--import", "tsx", "--conditions", "@kalends/source", script, file],
      {
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}`))));
  });
}
