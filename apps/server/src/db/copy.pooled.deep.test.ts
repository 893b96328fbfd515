import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, onPostgres, type TestDatabase } from "../../test/databases.js";
import { run } from "../../test/process.js";
import { temporaryFolder } from "../../test/temporary.js";
import { copyDatabase, tableNames } from "./copy.js";
import { migrate, migrations } from "./migrate.js";
import { type Database, openDatabase } from "./open-database.js";

const manyRows = 1_700; // calendars: several batches

let from: Database;
let to: Database;
let source: TestDatabase;
let target: TestDatabase;
beforeEach(async () => {
  source = await createTestDatabase();
  from = await openDatabase(source.url);
  await migrate(from, 1);
  target = await createTestDatabase();
  to = await openDatabase(target.url);
});
afterEach(async () => {
  await from.close();
  await to.close();
  await source.remove();
  await target.remove();
});

const copy = (there = to) => copyDatabase(from, there, 1, () => undefined);

const manyRequests = 250; // to confirm an address, whose hashes are not unique

/** Creates an account with calendars, events and requests, and deletes the last calendar. */
async function fill(): Promise<void> {
  await from.transaction(async (trx) => {
    await trx("accounts").insert({ name: "Test", created_at: 1 });
    await trx.raw(
      `with recursive n(x) as (select 1 union all select x + 1 from n where x < ${manyRows + 1})
       insert into calendars (account_id, uniquekey, calendarname, title, description, timezone, palette_id, save_order,
         created_at, modified_at)
       select 1, 'key' || x, 'C', 'Title ' || x, '', 'UTC', '1', x, 1, 1 from n`,
    );
    await trx.raw(
      `insert into events (account_id, calendar_id, uid, start_local, end_local, start_month, start_at, end_at, all_day,
         created_at, modified_at, feed_version, timezone, color_id, reminder, title, location, organizer, organizer_email,
         json, description)
       select 1, id, uniquekey, id * 100000, 0, 0, id * 100000, 0, 0, 1, 1, 1, 'UTC', '', '', title, '', '', '', '{}', ''
       from calendars`,
    );
    for (const table of ["events", "calendars"])
      await trx(table)
        .where({ id: manyRows + 1 })
        .delete();
    const request = { address_hash: "a", source_hash: "s", created_at: 1 };
    await trx.batchInsert(
      "mail_requests",
      Array.from({ length: manyRequests }, () => request),
      50,
    );
    await trx("properties").insert([
      { name: "ä", value: "\uFFFD" },
      { name: "Z", value: "2" },
      { name: "a", value: "3" },
    ]);
    await trx("calendars").where({ id: 3 }).update({ modified_at: -9_007_199_254_740_991 });
  });
}

async function contentOf(db: Database): Promise<object> {
  const tables = (await tableNames(db.read, db.dialect)).toSorted();
  const rows = tables.map(async (table) => [
    table,
    new Set((await db.read(table)).map((row) => JSON.stringify(sorted(row)))),
  ]);
  return Object.fromEntries(await Promise.all(rows));
}

const sorted = (row: object): unknown => Object.entries(row).toSorted();

async function inSqliteFile(work: (db: Database) => Promise<void>): Promise<void> {
  const db = await openDatabase(`sqlite:${join(temporaryFolder(), "other.sqlite")}`);
  try {
    await work(db);
  } finally {
    await db.close();
  }
}

test("all rows are copied, there and into a SQLite file; ids go on and triggers work; a second copy is refused", async () => {
  await fill();
  const expected = await contentOf(from);
  expect(await copy()).toBe(3 * manyRows + manyRequests + 1 + 3); // with event_counts
  expect(await contentOf(to)).toEqual(expected);
  await expect(copy()).rejects.toThrow("The target is not empty: it has the table migrations.");
  await inSqliteFile(async (file) => {
    await copy(file);
    expect(await contentOf(file)).toEqual(expected);
  });
  expect(await migrate(to, 2)).toEqual([]);
  await to.transaction(async (trx) => {
    const [calendar] = await trx("calendars").where({ id: 1 });
    const { id: _, ...fields } = calendar;
    await trx("calendars").insert({ ...fields, uniquekey: "new" });
    await trx("events").where({ calendar_id: 1 }).delete();
  });
  expect(await to.read("calendars").max({ id: "id" })).toEqual([{ id: manyRows + 2 }]);
  expect(await to.read("event_counts").where({ calendar_id: 1 })).toEqual([]);
});

test("after a kill the target is empty, and the next run copies all", async () => {
  await fill();
  const { child, finished } = run(
    "../test/killed-move.ts",
    [source.url, target.url, "event_counts"],
    tmpdir(),
  );
  const { stderr } = await finished;
  expect({ signal: child.signalCode, stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
  expect(await tableNames(to.read, to.dialect)).toEqual([]);
  await copy();
  expect(await contentOf(to)).toEqual(await contentOf(from));
});

test("no one writes to the source while it is copied", async () => {
  await fill();
  const writes: Promise<unknown>[] = [];
  await copyDatabase(from, to, 1, (table) => {
    if (table === "calendars")
      writes.push(from.transaction((trx) => trx("calendars").where({ id: 7 }).update({ title: "Later" })));
  });
  expect(await to.read("calendars").where({ id: 7 }).pluck("title")).toEqual(["Title 7"]);
  await Promise.allSettled(writes);
});

test("a source that lacks migrations is refused, and a target with tables of another program", async () => {
  await expect(copyDatabase(to, from, 1, () => undefined)).rejects.toThrow(
    `The source lacks the migrations ${migrations.map(({ name }) => name).join(", ")}`,
  );
  await to.transaction((trx) => trx.raw("create table notes (id integer primary key)"));
  await expect(copy()).rejects.toThrow("The target is not empty: it has the table notes.");
});

test.runIf(onPostgres)(
  "a text that PostgreSQL cannot store is reported with its table, and nothing is copied",
  async () => {
    await inSqliteFile(async (file) => {
      await migrate(file, 1);
      await file.transaction((trx) => trx("accounts").insert({ name: "half \0 text", created_at: 1 }));
      await expect(copyDatabase(file, to, 1, () => undefined)).rejects.toThrow(
        /^The table accounts has a value that the target cannot store: invalid byte sequence/,
      );
    });
    expect(await tableNames(to.read, to.dialect)).toEqual([]);
  },
);

test.runIf(onPostgres)(
  "tables of extensions, such as PostGIS, are neither copied nor in the way",
  async () => {
    await fill();
    const expected = await contentOf(from);
    for (const db of [from, to])
      await db.transaction(async (trx) => {
        await trx.raw("create table spatial (id serial primary key, name text)");
        await trx.raw("insert into spatial (name) values ('EPSG')");
        await trx.raw("alter extension plpgsql add table spatial"); // as the script of an extension does
      });
    await copy();
    expect(await contentOf(to)).toEqual(expected);
    await inSqliteFile(async (file) => {
      await copy(file);
      expect(await contentOf(file)).toEqual(expected);
    });
  },
);
