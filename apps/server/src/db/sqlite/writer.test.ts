import sqlite3 from "sqlite3";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/databases.js";
import { type Database, openDatabase } from "../connect.js";
import { isNextCommit } from "./change-counter.js";

let made: TestDatabase;
let db: Database;
let other: Database;
beforeAll(async () => {
  made = await createTestDatabase();
  [db, other] = [await openDatabase(made.url), await openDatabase(made.url)];
  await db.transaction((trx) => trx.raw("create table things (n integer)"));
});
afterAll(async () => {
  await Promise.all([db.close(), other.close()]);
  await made.remove();
});

/** A write, and the object that tells it from writes before which others committed. */
const write = (on = db, sql = "insert into things values (1)"): Promise<object> =>
  on.write(async ({ ask }, epoch) => {
    await ask(sql, []);
    return epoch;
  });
const failing = (): Promise<unknown> =>
  write(db, "insert into things values (1, 2)").catch((error: unknown) => error);

/** Moves all into the database's file, so that the next commit begins the WAL anew. */
const checkpoint = async (): Promise<void> => {
  const connection = new sqlite3.Database(made.file);
  await new Promise((resolve) => connection.all("pragma wal_checkpoint(truncate)", resolve));
  await new Promise((resolve) => connection.close(resolve));
};

/** What others may do in between. */
const commits: readonly (readonly [string, () => Promise<unknown>])[] = [
  ["a write of another opening", () => write(other)],
  ["a transaction of another opening", () => other.transaction((trx) => trx("things").insert({ n: 2 }))],
  ["a transaction of its own", () => db.transaction((trx) => trx("things").insert({ n: 2 }))],
  ["a write that comes before its own one ends", () => Promise.all([write(), write(other), write(other)])],
];

beforeEach(async () => {
  await write();
});

test("one write after the other is of one epoch and leaves the access stamp as it is; the commit stamp changes", async () => {
  const [epoch, access, stamp] = [await write(), db.accessStamp(), db.commitStamp()];
  for (let n = 0; n < 50; n++) {
    expect(await write()).toBe(epoch);
    expect(db.accessStamp()).toBe(access);
    expect(db.commitStamp()).not.toBe(stamp);
  }
});

test.each(commits)("%s begins another epoch and changes the access stamp", async (_title, commit) => {
  for (let n = 0; n < 20; n++) {
    const [epoch, access] = [await write(), db.accessStamp()];
    await commit();
    expect(db.accessStamp()).not.toBe(access);
    const [next, changed] = [await write(), db.accessStamp()];
    expect(next).not.toBe(epoch);
    expect(changed).not.toBe(access);
    expect(await write()).toBe(next);
    expect(db.accessStamp()).toBe(changed);
  }
});

test("a write that fails ends the epoch: what it kept was not committed", async () => {
  const epoch = await write();
  expect(await failing()).toBeInstanceOf(Error);
  expect(await write()).not.toBe(epoch);
});

test("a write that changes nothing, and a checkpoint, leave the epoch and the access stamp", async () => {
  const [epoch, access] = [await write(), db.accessStamp()];
  expect(await write(db, "delete from things where n = 77")).toBe(epoch);
  expect(db.accessStamp()).toBe(access);
});

test("between two stamps one commit is told from none, from two, and from one with a checkpoint that begins the file anew", async () => {
  const stamp = (): string => db.commitStamp() ?? "";
  for (let n = 0; n < 50; n++) {
    const before = stamp();
    expect(isNextCommit(before, before)).toBe(false);
    await write(n % 2 === 0 ? db : other);
    expect(isNextCommit(before, stamp())).toBe(true);
    if (n % 10 === 0) await db.exclusively((trx) => trx.raw("select 1"));
    if (n % 10 === 5) await checkpoint();
    await write();
    expect(isNextCommit(before, stamp())).toBe(false);
  }
});
