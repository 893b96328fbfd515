import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { expect, test } from "vitest";
import { importCalendarFile } from "../src/cli/calendars.js";
import { calendarFile, vevent } from "./calendar-files.js";
import { runHere } from "./command.js";
import { testServer } from "./harness.js";
import { argumentsOf } from "./process.js";
import { temporaryFolder } from "./temporary.js";

const folder = temporaryFolder();
const server = await testServer();
const account = await server.account();

async function newCalendar(): Promise<number> {
  return Number(
    (await account.call("createCalendar", { title: "Town", timezone: "Europe/Berlin" })).body.calendar.id,
  );
}

test("no more is read of a file without an end, or of the standard input, than an import may have", async () => {
  const id = await newCalendar();
  const read = (file: string): Promise<unknown> =>
    importCalendarFile(server.db, id, file, { now: server.now });
  await expect(read("/dev/zero")).rejects.toThrow("The file is larger than 10 MB; split it.");
  const args = [...argumentsOf("cli.ts").slice(2), "calendar", "import", String(id), "-"];
  const env = { PATH: process.env.PATH, DATABASE_URL: server.databaseUrl };
  const child = spawn(process.execPath, args, { cwd: folder, env });
  const printed = text(child.stderr);
  const megabyte = Buffer.alloc(1_000_000);
  const endless = Readable.from(Array.from({ length: 10_000 }, () => megabyte));
  await pipeline(endless, child.stdin).catch(() => undefined); // it is closed before all is written
  expect(await printed).toContain("The file is larger than 10 MB; split it.");
});

test("a command says that it waits for what no program writes, and goes on when one does", async () => {
  const id = await newCalendar();
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const env = { PATH: process.env.PATH, DATABASE_URL: server.databaseUrl };
  const goesOn = async (file: string, what: string): Promise<void> => {
    const args = [...argumentsOf("cli.ts").slice(2), "calendar", "import", String(id), file];
    const child = spawn(process.execPath, args, { cwd: folder, env });
    const [said] = await once(child.stderr, "data");
    expect(String(said)).toBe(`waiting for ${what} …\n`);
    const printed = text(child.stdout);
    const input = file === "-" ? child.stdin : createWriteStream(file);
    input.end(calendarFile(vevent(`UID:${what}`)));
    expect(await printed).toContain('"created":1');
  };
  await Promise.all([goesOn("-", "the standard input"), goesOn(pipe, pipe)]);
});

test("a file is imported with a summary of what was left out, and exported as it came", async () => {
  const [id, other] = [await newCalendar(), await newCalendar()];
  const file = join(folder, "town.ics");
  writeFileSync(
    file,
    calendarFile(vevent("UID:a"), vevent("UID:b", "SUMMARY:Nowhere", "DTSTART;TZID=Moon:20260801T100000")),
  );
  const { now } = server;
  const dry = await importCalendarFile(server.db, id, file, { dryRun: true, now });
  expect(dry.import).toMatchObject({ dry_run: true, created: 1, changed: 0, unchanged: 0, skipped: 1 });
  const done = await importCalendarFile(server.db, id, file, { now });
  expect(done.import).toMatchObject({ dry_run: false, created: 1, skipped: 1 });
  expect(done.events).toContainEqual(
    expect.objectContaining({ result: "skipped", uid: "b", reason: 'the time zone "Moon" is not known' }),
  );
  const copy = join(folder, "copy.ics");
  const exported = await runHere(["calendar", "export", String(id)], { DATABASE_URL: server.databaseUrl });
  writeFileSync(copy, exported.stdout);
  expect(readFileSync(copy, "utf8")).toMatch(/^BEGIN:VCALENDAR\r\n[^]*UID:a\r\n[^]*END:VCALENDAR\r\n$/);
  const again = await importCalendarFile(server.db, id, copy, { now });
  expect(again.import).toMatchObject({ created: 0, changed: 0, unchanged: 1 });
  expect((await importCalendarFile(server.db, other, copy, { now })).import.created).toBe(1);
  await expect(importCalendarFile(server.db, 999_999, copy, { now })).rejects.toThrow(
    "There is no calendar 999999",
  );
});

test("a file that is missing, or a folder, is named with what is wrong", async () => {
  const { body } = await account.call("createCalendar", { title: "Town", timezone: "Europe/Berlin" });
  const importing = (file: string) =>
    importCalendarFile(server.db, Number(body.calendar.id), file, { now: server.now });
  const missing = join(folder, "nowhere.ics");
  await expect(importing(missing)).rejects.toThrow(`The file ${missing} does not exist.`);
  await expect(importing(folder)).rejects.toThrow(`${folder} is a folder: name a file in it.`);
});

test("a file in another charset is read as the one that is named", async () => {
  const id = await newCalendar();
  const file = join(folder, "latin2.ics");
  writeFileSync(file, Buffer.from(calendarFile(vevent("SUMMARY:\xb3")), "latin1"));
  const read = (charset: string) => importCalendarFile(server.db, id, file, { charset, now: server.now });
  expect(await read("iso-8859-2")).toMatchObject({
    import: { created: 1, encoding: "iso-8859-2" },
    events: [{ title: "ł" }],
  });
  await expect(read("x-unknown")).rejects.toThrow("the charset that was named is not known");
});
