import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { calendarFile, importFile, vevent } from "../../test/calendar-files.js";
import { testServer } from "../../test/harness.js";
import { run } from "../../test/process.js";
import { Overloaded } from "../db/database.js";
import { type Imported, runImport } from "./import-run.js";
import { temporaryFolder } from "../../test/temporary.js";

// An import is all there or not at all: for those who read meanwhile, beside other writes, and when its process is killed.

const server = await testServer();
const account = await server.account();

async function newCalendar(): Promise<string> {
  return (await account.call("createCalendar", { title: "Town", timezone: "Europe/Berlin" })).body.calendar
    .id;
}

const file = (count: number, ...lines: readonly string[]): string =>
  calendarFile(...Array.from({ length: count }, (_, n) => vevent(`UID:all-${n}`, ...lines)));

async function rowsOf(table: string, where: object = {}): Promise<number> {
  const [row] = await server.db.read(table).where(where).count({ rows: "*" });
  return Number(row?.rows);
}

describe("an import", () => {
  test("is seen by readers as a whole, and found by the cursor and in the feed", async () => {
    const id = await newCalendar();
    const { body } = await account.call("eventsChanges", { calendar_id: id });
    const seen = new Set<number>();
    const state = { isOver: false };
    const importing = importFile(server, account, id, file(1_200, "CATEGORIES:One,Two")).finally(
      () => (state.isOver = true),
    );
    while (!state.isOver) seen.add(await rowsOf("events", { calendar_id: id }));
    expect((await importing).body.import).toMatchObject({ created: 1_200 });
    expect([...seen].filter((count) => count !== 0 && count !== 1_200)).toEqual([]);
    expect(await rowsOf("event_categories", { calendar_id: id })).toBe(2_400);
    let [since, found, isLast] = [String(body.cursor), 0, false];
    for (let pages = 0; !isLast && pages < 100; pages++) {
      const page = (await account.call("eventsChanges", { calendar_id: id, since })).body;
      found += page.changes.length;
      isLast = page.changes.length === 0;
      since = String(page.cursor);
    }
    expect(found).toBe(1_200);
  });

  test("of the same file twice at once creates its events once", async () => {
    const id = await newCalendar();
    const answers = await Promise.all([1, 2].map(() => importFile(server, account, id, file(300))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const created = answers.map(({ body }) => body.import.created);
    expect(created.toSorted((one, other) => one - other)).toEqual([0, 300]);
    expect(await rowsOf("events", { calendar_id: id })).toBe(300);
  });

  const request = (id: string, text: string) => ({
    accountId: account.id,
    calendarId: Number(id),
    text,
    now: server.now,
    isDryRun: false,
    syncId: null,
    takesPrivate: false,
  });

  /** The database, where the event is saved before each transaction of an import; `saves` times at most. */
  const savedMeanwhile = (event_id: string, saves: number) => {
    let saved = 0;
    const transaction: typeof server.db.transaction = async (work) => {
      if (saved++ < saves) await account.call("eventsUpdate", { event_id, color_id: String(saved) });
      return server.db.transaction(work);
    };
    return { ...server.db, transaction };
  };

  test("decides again when an event that it changes was changed meanwhile", async () => {
    const id = await newCalendar();
    const { body } = await importFile(server, account, id, file(3));
    const [{ event_id }] = body.events;
    const { report } = await runImport<Imported>(
      savedMeanwhile(event_id, 1),
      request(id, file(3, "SUMMARY:New")),
      (imported) => imported,
    );
    expect(report.totals).toMatchObject({ changed: 3 });
    const { event } = (await account.call("eventsDetails", { event_id })).body;
    expect(event).toMatchObject({ title: "New", color_id: "1", updated_times: 2 });
  });

  test("gives up when it is changed each time, and leaves nothing", async () => {
    const id = await newCalendar();
    const { body } = await importFile(server, account, id, file(3));
    const [{ event_id }, second] = body.events;
    const importing = runImport(savedMeanwhile(event_id, 100), request(id, file(3, "SUMMARY:New")), () => 1);
    await expect(importing).rejects.toThrow(Overloaded);
    expect((await account.call("eventsDetails", { event_id: second.event_id })).body.event.title).toBe("One");
  });

  test("that is killed before it is committed leaves nothing, and is done the next time", async () => {
    const id = await newCalendar();
    const path = join(temporaryFolder(), "town.ics");
    const text = file(900, "CATEGORIES:One");
    writeFileSync(path, text);
    const args = [server.databaseUrl, path, String(account.id), id, String(server.now)];
    const { child, finished } = run("../test/killed-import.ts", args, process.cwd());
    const { stderr } = await finished;
    expect([child.signalCode, stderr]).toEqual(["SIGKILL", ""]);
    for (const table of ["events", "imported_events", "event_categories"])
      expect(await rowsOf(table, { calendar_id: id })).toBe(0);
    expect((await importFile(server, account, id, text)).body.import).toMatchObject({ created: 900 });
  });
});
