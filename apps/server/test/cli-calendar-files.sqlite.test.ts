import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { afterAll, expect, test, vi } from "vitest";
import { exportCalendarFile, importCalendarFile } from "../src/cli/calendars.js";
import { interval } from "../src/cli/arguments.js";
import * as syncs from "../src/cli/syncs.js";
import { calendarFile, vevent } from "./calendar-files.js";
import { startTestServer } from "./harness.js";
import { argumentsOf } from "./process.js";
import { temporaryFolder } from "./temporary.js";

let answer = "";
const folder = temporaryFolder();

vi.stubEnv("WEBHOOK_ALLOW_PRIVATE", "on");
const server = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: "on" });
const account = await server.account();
const source: Server = createServer((req, res) => {
  const etag = `"${answer.length}"`;
  res.writeHead(req.headers["if-none-match"] === etag ? 304 : 200, { ETag: etag }).end(answer);
});
await new Promise<void>((resolve) => source.listen(0, "127.0.0.1", resolve));
const address: AddressInfo | string | null = source.address();
const url: string = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/town.ics`;
afterAll(async () => {
  vi.unstubAllEnvs();
  await new Promise((resolve) => source.close(resolve));
  await server.stop();
});

async function newCalendar(): Promise<number> {
  return Number(
    (await account.call("createCalendar", { title: "Town", timezone: "Europe/Berlin" })).body.calendar.id,
  );
}

/** What is written to a stream of this process while `work` runs. */
async function written(stream: "stdout" | "stderr", work: () => Promise<unknown>): Promise<string> {
  const texts: string[] = [];
  const spy = vi.spyOn(process[stream], "write").mockImplementation((text, ...rest) => {
    texts.push(String(text));
    for (const done of rest) if (typeof done === "function") done();
    return true;
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return texts.join("");
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
    expect(await printed).toContain("1 created");
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
  expect(dry.text).toMatch(
    /^Nothing was changed\. An import would come to: 1 created, 0 changed, 0 unchanged, 1 skipped\.$/m,
  );
  const { text } = await importCalendarFile(server.db, id, file, { now });
  expect(text.split("\n")).toEqual(
    [
      "RESULT   TITLE    WHY                                 UID",
      'skipped  Nowhere  the time zone "Moon" is not known   b',
      `Calendar ${id}: 1 created, 0 changed, 0 unchanged, 1 skipped.`,
    ].map((line) =>
      expect.stringMatching(new RegExp(`^${line.replaceAll(/[.()]/g, "\\$&").replaceAll(/ +/g, " +")}$`)),
    ),
  );
  const copy = join(folder, "copy.ics");
  writeFileSync(copy, await written("stdout", () => exportCalendarFile(server.db, id)));
  expect(readFileSync(copy, "utf8")).toMatch(/^BEGIN:VCALENDAR\r\n[^]*UID:a\r\n[^]*END:VCALENDAR\r\n$/);
  expect((await importCalendarFile(server.db, id, copy, { now })).text).toContain(
    "0 created, 0 changed, 1 unchanged",
  );
  expect((await importCalendarFile(server.db, other, copy, { now })).text).toContain("1 created");
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

test("a sync is added, run, listed with its last error, and removed", async () => {
  const id = await newCalendar();
  const { now } = server;
  await expect(
    syncs.addSync(server.db, id, { url: "ftp://x.example/a.ics", every: 3600, now }),
  ).rejects.toThrow("The URL must begin with https://.");
  const added = await syncs.addSync(server.db, id, { url, every: 3600, now });
  const sync = Number(/^Sync (\d+) /.exec(added.text)?.[1]);
  answer = calendarFile(vevent());
  expect((await syncs.runNow(server.db, sync)).text).toMatch(
    /: 1 created, 0 changed, 0 unchanged, 0 skipped, 0 deleted\.$/,
  );
  expect((await syncs.runNow(server.db, sync)).text).toBe(`Sync ${sync}: the file has not changed.`);
  answer = "<html>";
  await expect(syncs.runNow(server.db, sync)).rejects.toThrow("The file is no iCalendar file");
  const listed = await syncs.showSyncs(server.db, id);
  expect(listed.text).toMatch(
    / 1h .*The file is no iCalendar file: it does not begin with BEGIN:VCALENDAR\. +http:/,
  );
  expect((await syncs.removeSync(server.db, sync)).text).toContain("stay in calendar");
  await expect(syncs.removeSync(server.db, sync)).rejects.toThrow(`There is no sync ${sync}`);
});

test("an interval is 15 minutes to 30 days", () => {
  expect(["15m", "1h", "2d", "30d"].map(interval)).toEqual([900, 3_600, 172_800, 2_592_000]);
  for (const text of ["14m", "31d", "1", "0h", "-1h", "1w", ""])
    expect(() => interval(text)).toThrow("15 minutes to 30 days");
});
