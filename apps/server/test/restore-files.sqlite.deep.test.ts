import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { insertAccount } from "../src/accounts/queries.js";
import { backup, restore } from "../src/cli/backup.js";
import { runMove } from "../src/cli/move.js";
import { migrate } from "../src/db/migrate.js";
import { type Database, openDatabase } from "../src/db/open-database.js";
import { inspectSqlite } from "../src/db/sqlite/file.js";
import { startOfTests } from "./harness.js";
import { run } from "./process.js";
import { canMount, mountSmall, unmount } from "./small-disk.js";
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

function addCalendars(db: Database, count: number): Promise<unknown> {
  const sql = `with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ?)
    insert into calendars
      (account_id, save_order, created_at, modified_at, uniquekey, timezone, palette_id, title, calendarname, description)
    select 1, number, 0, 0, 'key-' || number, 'UTC', '', '', '', '' from numbers`;
  return db.transaction((trx) => trx.raw(sql, [count]));
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

test("a restore keeps the log of a database that was moved away, and does not apply it", async () => {
  mkdirSync(at("data"));
  await snapshotOf("live.sqlite", "data/kalends.sqlite");
  copyFileSync(at("data/kalends.sqlite"), at("backup.sqlite"));
  const log = readFileSync(at("data/kalends.sqlite-wal"));
  rmSync(at("data/kalends.sqlite"));
  for (const suffix of ["-shm", "-journal"]) writeFileSync(at(`data/kalends.sqlite${suffix}`), "");

  const restored = await restore(urlOf("data/kalends.sqlite"), at("backup.sqlite"), startOfTests);
  expect(await accountsOf("data/kalends.sqlite")).toEqual(["in the file"]);
  const kept = "kalends.sqlite.before-20260702T120000Z";
  expect(restored).toMatchObject({ kept: at(`data/${kept}-wal`), accounts: 1 });
  expect(readdirSync(at("data")).toSorted()).toEqual(["kalends.sqlite", `${kept}-journal`, `${kept}-wal`]);
  expect(readFileSync(at(`data/${kept}-wal`))).toEqual(log);
});

test("a backup does not take a name that has the log of another database", async () => {
  await snapshotOf("live.sqlite", "backup.sqlite");
  rmSync(at("backup.sqlite"));
  await expect(backup(urlOf("live.sqlite"), at("backup.sqlite"))).rejects.toThrow(
    `${at("backup.sqlite-wal")} already exists and was not overwritten: choose another name.`,
  );
});

test("no new database is created beside the log of another one, which SQLite would delete", async () => {
  await snapshotOf("live.sqlite", "moved.sqlite");
  rmSync(at("moved.sqlite"));
  const log = readFileSync(at("moved.sqlite-wal"));
  const refusal = `${at("moved.sqlite")} does not exist, but its log does: move the database back`;
  await expect(openDatabase(urlOf("moved.sqlite"))).rejects.toThrow(refusal);
  await expect(runMove({ from: urlOf("live.sqlite"), to: urlOf("moved.sqlite") })).rejects.toThrow(refusal);
  expect(readdirSync(folder).toSorted()).toEqual(["live.sqlite", "moved.sqlite-wal"]);
  expect(readFileSync(at("moved.sqlite-wal"))).toEqual(log);
});

test("a restore to a URL of four slashes migrates the copy, and no other file", async () => {
  const db = await openDatabase(urlOf("live.sqlite"));
  await migrate(db, startOfTests);
  await addAccount(db, "x");
  await addCalendars(db, 1);
  await db.close();
  mkdirSync(at("cwd"));
  const DATABASE_URL = `sqlite:///${at("new/kalends.sqlite")}`;
  const command = run("cli.ts", ["restore", at("live.sqlite")], at("cwd"), { DATABASE_URL });
  expect((await command.finished).stderr).toBe("");
  const restored = await openDatabase(urlOf("new/kalends.sqlite"));
  const versions = await restored.read("calendars").pluck("feed_version");
  await restored.close();
  expect(readdirSync(at("cwd"))).toEqual([]);
  expect(versions).toEqual([1_000_001]);
});

test.runIf(canMount())(
  "a disk that is full at any moment of a restore leaves no damaged database",
  async () => {
    const db = await openDatabase(urlOf("live.sqlite"));
    await migrate(db, startOfTests);
    await addAccount(db, "x");
    await addCalendars(db, 3_000); // new feed versions take more space: the file must grow after it was copied
    await db.close();
    const { size } = statSync(at("live.sqlite"));
    mkdirSync(at("small"));
    const outcomes: string[] = [];
    for (let more = 0; more < 400; more += 4) {
      mountSmall(at("small"), `${size / 1024 + more}k`);
      try {
        outcomes.push(await restoreOnSmallDisk(at("live.sqlite")));
      } finally {
        unmount(at("small"));
      }
    }
    expect([outcomes[0], outcomes.at(-1)]).toEqual(["refused", "restored"]);
    expect(outcomes.filter((outcome) => !/^(?:refused|restored)$/.test(outcome))).toEqual([]);
  },
);

/** Returns "refused", "restored", or what is wrong. */
async function restoreOnSmallDisk(file: string): Promise<string> {
  try {
    await restore(urlOf("small/kalends.sqlite"), file, startOfTests);
    copyFileSync(at("small/kalends.sqlite"), at("restored.sqlite")); // to where there is space to open it
    const { contents } = await inspectSqlite(at("restored.sqlite"));
    return contents.calendars === 3_000 ? "restored" : JSON.stringify(contents);
  } catch (error) {
    const left = readdirSync(at("small")).join(", ");
    const isNamed = String(error).includes("There is no space left for");
    return isNamed && left === "" ? "refused" : `${String(error)} (${left})`;
  }
}
