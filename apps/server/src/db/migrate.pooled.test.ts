import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, onPostgres, type TestDatabase } from "../../test/databases.js";
import { longerChain } from "../../test/longer-chain.js";
import { type Database, openDatabase } from "./open-database.js";
import { migrate, migrations } from "./migrate.js";

let made: TestDatabase;
let db: Database;

beforeEach(async () => {
  made = await createTestDatabase();
  db = await openDatabase(made.url);
});

afterEach(async () => {
  await db.close();
  await made.remove();
});

test("an empty database gets every migration, in order, and a second run none", async () => {
  expect(await migrate(db, 1)).toEqual(migrations.map(({ name }) => name));
  expect(await migrate(db, 2)).toEqual([]);
  expect(await db.read("migrations").pluck("applied_at")).toEqual(migrations.map(() => 1));
});

test("a database gets the migrations that it lacks, and one that knows fewer refuses it", async () => {
  await migrate(db, 1);
  expect(await migrate(db, 2, undefined, longerChain)).toEqual(["9000_later"]);
  expect(await db.read("migrations").orderBy("name").pluck("applied_at")).toEqual([
    ...migrations.map(() => 1),
    2,
  ]);
  await expect(migrate(db, 3)).rejects.toThrow(/9000_later.*start that version/);
});

test("two servers that start at once migrate once", async () => {
  const other = await openDatabase(made.url);
  const applied = await Promise.all([migrate(db, 1), migrate(other, 1)]);
  expect(applied.flat()).toEqual(migrations.map(({ name }) => name));
  await other.close();
});

test("a database of a newer version is refused and not changed", async () => {
  await migrate(db, 1);
  await db.transaction((trx) => trx("migrations").insert({ name: "9999_future", applied_at: 1 }));
  await expect(migrate(db, 2)).rejects.toThrow(/9999_future.*start that version/);
});

test("the schema holds only big integers and text, the same on both databases", async () => {
  await migrate(db, 1);
  expect((await columnTypes()).toSorted()).toEqual(
    onPostgres ? ["bigint", "text"] : ["bigint", "integer", "text"],
  );
});

async function columnTypes(): Promise<readonly string[]> {
  if (onPostgres) {
    const where = { table_schema: "public" };
    return db.read("information_schema.columns").where(where).distinct().pluck("data_type");
  }
  const columns: readonly { type: string }[] = await db.read.raw(
    "select distinct lower(c.type) as type from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite_%'",
  );
  return columns.map(({ type }) => type);
}
