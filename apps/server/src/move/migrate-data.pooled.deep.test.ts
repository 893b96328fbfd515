import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/databases.js";
import { run } from "../../test/process.js";
import { lastId, tablesOf, triggersOf } from "./catalog.js";
import { dataTables } from "./target.js";
import { type Database, openDatabase } from "../db/open-database.js";
import { migrate } from "../db/migrate.js";
import { migrations } from "../db/migrations/all.js";
import { compare, DifferenceError, isDifferent, migrateData, type Progress } from "./migrate-data.js";
import { temporaryFolder } from "../../test/temporary.js";

const manyRows = 1_700; // calendars: four batches

let folder = "";
let from: Database;
let to: Database;
let fromUrl = "";
let target: TestDatabase;
beforeEach(async () => {
  folder = temporaryFolder();
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
});

const noProgress = (): void => undefined;
const copyAll = (progress: Progress = noProgress) => migrateData(from, to, 1, progress);

/** Creates an account with calendars and deletes the last of these. */
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

test("rows, triggers and the highest generated id are copied; a second run into the same target is refused", async () => {
  await fill();
  const triggers = await triggersOf(to.read);
  expect(triggers).toEqual([]);
  await copyAll();
  expect(await calendarsOf(to)).toEqual(await calendarsOf(from));
  const [table] = (await tablesOf(to.read)).filter(({ name }) => name === "calendars");
  if (table === undefined) throw new Error("no calendars");
  expect(await lastId(to.read, table)).toBe(manyRows + 1);
  expect((await triggersOf(to.read)).length).toBeGreaterThan(0);
  expect(await to.read("migrations").orderBy("name").pluck("name")).toEqual(
    migrations.map(({ name }) => name),
  );
  await expect(copyAll()).rejects.toThrow("The target is not empty: it has rows in the table accounts.");
});

test("after a kill no server starts on the target, and the next run resumes without duplicates", async () => {
  await fill();
  const args = [fromUrl, target.url, "1400"];
  const { child, finished } = run("../test/killed-move.ts", args, tmpdir());
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
  await migrateData(from, counted, 2, noProgress);
  const tables = (await dataTables(to.read)).length; // each ends with a transaction for its ids
  expect(inserts).toBe(tables + 2); // the remaining calendars, and the properties
  expect(await calendarsOf(to)).toEqual(await calendarsOf(from));
  expect(await migrate(to, 3)).toEqual([]);
});

const stopAt = (most: number) => {
  let passed = 0;
  return (_step: string, _table: string, rows: number): void => {
    passed += rows;
    if (passed > most) throw new Error("stopped");
  };
};

test("an interrupted run starts over when the source has changed since", async () => {
  await fill();
  await expect(copyAll(stopAt(1_400))).rejects.toThrow("stopped");
  await from.transaction((trx) => trx("calendars").where({ id: 7 }).update({ title: "New" }));
  await from.transaction((trx) => trx("calendars").where({ id: 9 }).delete());
  await copyAll();
  expect(await calendarsOf(to)).toEqual(await calendarsOf(from));
});

test("writes to the source during the copy are detected at the end, and the next run copies them", async () => {
  await fill();
  const writtenBeforeCheck: Database = {
    ...to,
    snapshot: async (check) => {
      await from.transaction((trx) => trx("calendars").where({ id: 7 }).update({ title: "New" }));
      return to.snapshot(check);
    },
  };
  await expect(migrateData(from, writtenBeforeCheck, 1, noProgress)).rejects.toThrow(
    "The source changed during the copy: stop the servers",
  );
  await expect(migrate(to, 2)).rejects.toThrow("not finished");
  await copyAll();
  expect(await calendarsOf(to)).toEqual(await calendarsOf(from));
});

test("a row that differs is reported with its table", async () => {
  await fill();
  await from.transaction((trx) => trx("staged_imports").insert({ expires_at: 1 })); // an import that is not finished stays behind
  await copyAll();
  expect(await to.read("staged_imports")).toEqual([]);
  expect(await compare(from, to, noProgress)).toHaveLength((await dataTables(to.read)).length);
  await to.transaction((trx) => trx("calendars").where({ id: 1_234 }).update({ title: "title 1234" }));
  const error: unknown = await compare(from, to, noProgress).catch((thrown: unknown) => thrown);
  if (!(error instanceof DifferenceError)) throw new Error("no difference was found", { cause: error });
  expect(error.compared.filter(isDifferent).map(({ table }) => table)).toEqual(["calendars"]);
});

test("tables and columns come from the schema: new ones are copied, and one that only one database has is refused", async () => {
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
  await expect(copyAll()).rejects.toThrow("calendars.later (text) only in the source");
  await to.transaction(async (trx) => {
    for (const sql of later) await trx.raw(sql);
  });
  await copyAll();
  expect(await calendarsOf(to)).toEqual(await calendarsOf(from));
  expect(await to.read("laters")).toHaveLength(2);
});

test("a database with tables of another program is refused", async () => {
  await to.transaction((trx) => trx.raw("create table notes (id integer primary key)"));
  await expect(copyAll()).rejects.toThrow("The target is not empty: it has the table notes.");
});

test.each([
  ["cast(x'410042' as text)", "calendars.title of the row 3 contains the character U+0000"],
  ["cast(x'EDA080' as text)", "calendars.title of the row 3 contains bytes that are not UTF-8"],
  ["x'41'", "calendars.title of the row 3 is not text"],
])("a title that is %s in SQLite is refused with its table, column and key", async (value, message) => {
  await fill();
  await from.transaction((trx) => trx.raw(`update calendars set title = ${value} where id = 3`));
  await expect(copyAll()).rejects.toThrow(message);
});

test("integers beyond ±(2^53 - 1) are refused; the limits themselves and U+FFFD are copied", async () => {
  await fill();
  const set = (value: string) =>
    from.transaction((trx) =>
      trx.raw(`update calendars set modified_at = ${value}, title = '\uFFFD' where id = 3`),
    );
  await set("9007199254740993");
  await expect(copyAll()).rejects.toThrow("calendars.modified_at of the row 3 is not a whole number within");
  await set("-9007199254740991");
  await copyAll();
  expect(await to.read("calendars").where({ id: 3 }).first("modified_at", "title")).toEqual({
    modified_at: -9_007_199_254_740_991,
    title: "\uFFFD",
  });
});
