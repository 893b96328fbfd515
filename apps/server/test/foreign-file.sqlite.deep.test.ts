import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import sqlite3 from "sqlite3";
import { beforeEach, expect, test } from "vitest";
import { openDatabase } from "../src/db/open-database.js";
import { migrate } from "../src/db/migrate.js";
import { run } from "./process.js";
import { temporaryFolder } from "./temporary.js";

// DATABASE_URL names the SQLite file of another program.

let folder = "";
let file = "";
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, "notes.sqlite");
});

/** Opens the file as another program does; returns how it closes it. */
async function otherProgram(sql: string): Promise<() => Promise<void>> {
  const database = new sqlite3.Database(file);
  await new Promise<void>((done, fail) => {
    database.exec(sql, (error) => (error === null ? done() : fail(error)));
  });
  return () => new Promise((done) => database.close(() => done()));
}

const notes = "create table notes (id integer primary key); insert into notes values (1)";
const laravel = "create table migrations (id integer primary key, migration text, batch integer)";

const starts: readonly (readonly [string, readonly string[]])[] = [
  ["main.ts", []],
  ["cli.ts", ["migrate"]],
  ["cli.ts", ["account", "create", "--name", "x"]],
  ["cli.ts", ["account", "list"]],
  ["cli.ts", ["doctor"]],
];

test.each(starts)("%s %j refuses it by name and leaves every byte as it was", async (program, args) => {
  await (
    await otherProgram(notes)
  )();
  const before = readFileSync(file);
  const settings = { DATABASE_URL: `sqlite:${file}`, PORT: "0" };
  const running = run(program, args, folder, settings);
  void running.until(/Listening on/).then(
    () => running.child.kill(),
    () => undefined,
  );
  const { code, stdout, stderr } = await running.finished;
  expect([code, `${stdout}${stderr}`]).toEqual([
    1,
    expect.stringContaining(`${file} is the database of another program: it has the table notes`),
  ]);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(folder)).toEqual(["notes.sqlite"]);
});

test.each([
  ["in WAL mode", `PRAGMA journal_mode = wal; ${notes}`],
  ["with its own table of migrations", laravel],
])("a file %s is refused and leaves no files behind", async (_, sql) => {
  await (
    await otherProgram(sql)
  )();
  const before = readFileSync(file);
  await expect(openDatabase(`sqlite:${file}`)).rejects.toThrow("is the database of another program");
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(folder)).toEqual(["notes.sqlite"]);
});

test("a file whose tables are in its write-ahead log alone is refused", async () => {
  const close = await otherProgram(`PRAGMA journal_mode = wal; ${notes}`);
  await expect(openDatabase(`sqlite:${file}`)).rejects.toThrow("it has the table notes");
  await close();
});

test("our own file is opened, also while all of it is in its write-ahead log", async () => {
  const first = await openDatabase(`sqlite:${file}`);
  await migrate(first, 1);
  const second = await openDatabase(`sqlite:${file}`);
  expect(await migrate(second, 1)).toEqual([]);
  await second.close();
  await first.close();
});
