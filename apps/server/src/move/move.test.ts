import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/databases.js";
import { run } from "../../test/process.js";
import { lastId, tablesOf, triggersOf } from "./catalog.js";
import { type Database, openDatabase } from "../db/connect.js";
import { migrate, migrations } from "../db/migrate.js";
import { compare, DifferenceError, isDifferent, move, type Progress } from "./move.js";

const manyRows = 1_700; // of calendars: four batches

let folder = "";
let from: Database;
let to: Database;
let fromUrl = "";
let target: TestDatabase;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "kalends-move-"));
  fromUrl = `sqlite:${join(folder, "from.sqlite")}`;
  from = await openDatabase(fromUrl);
  await migrate(from, 1);
  target = await createTestDatabase();
  to = await openDatabase(target.url);
});
afterEach(async () => {
  await from.close();
  await to.close();
  await target.remove();
  rmSync(folder, { recursive: true });
});

const quietly = (): void => undefined;
const moveAll = (progress: Progress = quietly) => move(from, to, 1, progress);

/** An account with calendars, the last of which is gone again. */
async function fill(): Promise<void> {
  await from.transaction(async (trx) => {
    await trx("accounts").insert({ name: "Test", created_at: 1 });
    await trx.raw(
      `with recursive n(x) as (select 1 union all select x + 1 from n where x < ${manyRows + 1})
       insert into calendars (account_id, uniquekey, calendarname, title, description, timezone, palette_id, save_order,
         created_at, modified_at)
       select 1, 'key' || x, 'C', 'Title ' || x, '', 'UTC', '1', x, 1, 1 from n`,
    );
    await trx("calendars")
      .where({ id: manyRows + 1 })
      .delete();
    await trx("properties").insert([
      { name: "ä", value: "1" },
      { name: "Z", value: "2" },
      { name: "a", value: "3" },
    ]);
  });
}

const calendarsOf = (db: Database) => db.read("calendars").orderBy("id");

test("rows, triggers and the highest id ever given out arrive; a second move into it is refused", async () => {
  await fill();
  const triggers = await triggersOf(to.read);
  expect(triggers).toEqual([]);
  await moveAll();
  expect(await calendarsOf(to)).toEqual(await calendarsOf(from));
  const [table] = (await tablesOf(to.read)).filter(({ name }) => name === "calendars");
  if (table === undefined) throw new Error("no calendars");
  expect(await lastId(to.read, table)).toBe(manyRows + 1);
  expect((await triggersOf(to.read)).length).toBeGreaterThan(0);
  expect(await to.read("migrations").orderBy("name").pluck("name")).toEqual(
    migrations.map(({ name }) => name),
  );
  await expect(moveAll()).rejects.toThrow("The target is not empty: it has rows in the table accounts.");
});

test("a killed move keeps servers away, goes on where it stopped, and doubles nothing", async () => {
  await fill();
  const words = [fromUrl, target.url, "1400"];
  const { child, finished } = run("../test/killed-move.ts", words, tmpdir());
  const { stderr } = await finished;
  expect({ signal: child.signalCode, stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
  const copied = (await calendarsOf(to)).length;
  expect(copied).toBeGreaterThan(1_000);
  expect(copied).toBeLessThan(manyRows);
  await expect(migrate(to, 2)).rejects.toThrow(
    'A move into this database is not finished: run "kalends move" again',
  );

  let inserts = 0;
  const counted: Database = {
    ...to,
    transaction: (work) => {
      inserts++;
      return to.transaction(work);
    },
  };
  await move(from, counted, 2, quietly);
  const tables = (await tablesOf(to.read)).length - 1; // without that of the migrations; each ends with one for its ids
  expect(inserts).toBe(tables + 2); // the last calendars, and the properties
  expect(await calendarsOf(to)).toEqual(await calendarsOf(from));
  expect(await migrate(to, 3)).toEqual([]);
}, 60_000);

const stopAt = (most: number) => {
  let passed = 0;
  return (_step: string, _table: string, rows: number): void => {
    passed += rows;
    if (passed > most) throw new Error("stopped");
  };
};

test("an interrupted move starts over when the source has changed since", async () => {
  await fill();
  await expect(moveAll(stopAt(1_400))).rejects.toThrow("stopped");
  await from.transaction((trx) => trx("calendars").where({ id: 7 }).update({ title: "New" }));
  await from.transaction((trx) => trx("calendars").where({ id: 9 }).delete());
  await moveAll();
  expect(await calendarsOf(to)).toEqual(await calendarsOf(from));
});

test("writes to the source during the move are found at the end, and the next run has them", async () => {
  await fill();
  let written: Promise<unknown> | undefined;
  const write = (step: string): void => {
    if (step === "check")
      written ??= from.transaction((trx) => trx("calendars").where({ id: 7 }).update({ title: "New" }));
  };
  await expect(moveAll(write)).rejects.toThrow("The source was written to during the move: stop the servers");
  await written;
  await expect(migrate(to, 2)).rejects.toThrow("not finished");
  await moveAll();
  expect(await calendarsOf(to)).toEqual(await calendarsOf(from));
});

test("a row that differs is found, and its table named", async () => {
  await fill();
  await moveAll();
  expect(await compare(from, to, quietly)).toHaveLength((await tablesOf(to.read)).length - 1);
  await to.transaction((trx) => trx("calendars").where({ id: 1_234 }).update({ title: "title 1234" }));
  const error: unknown = await compare(from, to, quietly).catch((thrown: unknown) => thrown);
  if (!(error instanceof DifferenceError)) throw new Error("no difference was found", { cause: error });
  expect(error.compared.filter(isDifferent).map(({ table }) => table)).toEqual(["calendars"]);
});

test("tables and columns are found in the schema: new ones are moved, and one that only one side has is refused", async () => {
  await fill();
  const later = [
    "alter table calendars add column later text",
    "create table laters (calendar_id bigint not null references calendars (id), name text not null, primary key (calendar_id, name))",
  ];
  await from.transaction(async (trx) => {
    for (const sql of later) await trx.raw(sql);
    await trx("calendars").where({ id: 5 }).update({ later: "five" });
    await trx("laters").insert([
      { calendar_id: 5, name: "b" },
      { calendar_id: 5, name: "B" },
    ]);
  });
  await migrate(to, 1);
  await expect(moveAll()).rejects.toThrow("calendars.later (text) only in the source");
  await to.transaction(async (trx) => {
    for (const sql of later) await trx.raw(sql);
  });
  await moveAll();
  expect(await calendarsOf(to)).toEqual(await calendarsOf(from));
  expect(await to.read("laters")).toHaveLength(2);
});

test("a database with the tables of something else is refused", async () => {
  await to.transaction((trx) => trx.raw("create table notes (id integer primary key)"));
  await expect(moveAll()).rejects.toThrow("The target is not empty: it has the table notes.");
});

test.each([
  ["cast(x'410042' as text)", "calendars.title of the row 3 holds the character U+0000"],
  ["cast(x'EDA080' as text)", "calendars.title of the row 3 holds bytes that are not UTF-8"],
  ["x'41'", "calendars.title of the row 3 is not text"],
])("a title that is %s in SQLite is refused by name", async (value, message) => {
  await fill();
  await from.transaction((trx) => trx.raw(`update calendars set title = ${value} where id = 3`));
  await expect(moveAll()).rejects.toThrow(message);
});

test("numbers that a double cannot hold are refused, the largest and the smallest are moved; so is U+FFFD itself", async () => {
  await fill();
  const set = (value: string) =>
    from.transaction((trx) =>
      trx.raw(`update calendars set modified_at = ${value}, title = '\uFFFD' where id = 3`),
    );
  await set("9007199254740993");
  await expect(moveAll()).rejects.toThrow("calendars.modified_at of the row 3 is not a whole number within");
  await set("-9007199254740991");
  await moveAll();
  expect(await to.read("calendars").where({ id: 3 }).first("modified_at", "title")).toEqual({
    modified_at: -9_007_199_254_740_991,
    title: "\uFFFD",
  });
});
