import { copyFileSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { insertAccount } from "../src/accounts/queries.js";
import { restore } from "../src/cli/backup.js";
import { migrate } from "../src/db/migrate.js";
import { type Database, openDatabase } from "../src/db/open-database.js";
import { startOfTests } from "./harness.js";
import { temporaryFolder } from "./temporary.js";

// A SQLite database is more than one file: its last writes may be in the write-ahead log, NAME-wal.

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});
const at = (name: string): string => join(folder, name);
const urlOf = (name: string): string => `sqlite:${at(name)}`;

/** Creates a database with one account, and copies its files to `snapshot` while a second account is only in its log. */
async function snapshotOf(name: string, snapshot: string): Promise<void> {
  const created = await openDatabase(urlOf(name));
  await migrate(created, startOfTests);
  await addAccount(created, "in the file");
  await created.close();
  const db = await openDatabase(urlOf(name));
  await addAccount(db, "in the log");
  for (const suffix of ["", "-wal"]) copyFileSync(at(`${name}${suffix}`), at(`${snapshot}${suffix}`));
  await db.close();
}

function addAccount(db: Database, name: string): Promise<unknown> {
  return db.transaction((trx) => insertAccount(trx, { name, created_at: startOfTests }));
}

async function accountsOf(name: string): Promise<readonly unknown[]> {
  const db = await openDatabase(urlOf(name));
  const names = await db.read("accounts").orderBy("id").pluck("name");
  await db.close();
  return names;
}

test("a snapshot of the files is restored with the writes that are only in its log", async () => {
  mkdirSync(at("snapshot"));
  await snapshotOf("live.sqlite", "snapshot/kalends.sqlite");
  const restored = await restore(urlOf("new/kalends.sqlite"), at("snapshot/kalends.sqlite"), startOfTests);
  expect(restored).toMatchObject({ accounts: 2 });
  expect(await accountsOf("new/kalends.sqlite")).toEqual(["in the file", "in the log"]);
});

test("a snapshot that SQLite cannot read where it is must be copied", async () => {
  mkdirSync(at("snapshot"));
  await snapshotOf("live.sqlite", "snapshot/kalends.sqlite");
  // Like a read-only file system, a link to nowhere keeps SQLite from creating this file.
  symlinkSync(at("nowhere/x"), at("snapshot/kalends.sqlite-shm"));
  const restoring = restore(urlOf("new/kalends.sqlite"), at("snapshot/kalends.sqlite"), startOfTests);
  await expect(restoring).rejects.toThrow(
    "Copy it, with its -wal file if there is one, to a folder where this user may write.",
  );
});
