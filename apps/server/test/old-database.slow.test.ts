import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bytesOfCalendar, bytesOfEvent } from "../src/calendars/stored-bytes.js";
import { runMove } from "../src/cli/move.js";
import { readConfig } from "../src/settings/config.js";
import { eventColumns } from "../src/db/columns.js";
import { type Database, openDatabase } from "../src/db/open-database.js";
import { migrations } from "../src/db/migrations/all.js";
import type { CalendarRow, StoredEventRow } from "../src/db/rows.js";
import { listedJson } from "../src/events/listed-json.js";
import { startServer } from "../src/process/server.js";
import { createTestDatabase, faultsOf, onPostgres, type TestDatabase } from "./databases.js";
import { startOfTests, testAccount } from "./harness.js";
import { run } from "./process.js";
import { temporaryFolder } from "./temporary.js";

// A database of a build from before the first release is carried over by `kalends move` (src/move/old.ts).

type Row = Readonly<Record<string, string | number | null>>;

/** What such a build made: its schema on both databases, and what it stored. */
const old: {
  readonly schema: Readonly<Record<"sqlite" | "postgres", readonly string[]>>;
  readonly rows: Readonly<Record<string, readonly Row[]>>;
} = JSON.parse(readFileSync(new URL("fixtures/old-database.json", import.meta.url), "utf8"));

/** Kept by triggers of the schema. */
const counted = "event_counts";

async function restore(db: Database): Promise<void> {
  await db.exclusively(async (trx) => {
    for (const sql of old.schema[onPostgres ? "postgres" : "sqlite"]) await trx.raw(sql);
    for (const [table, rows] of Object.entries(old.rows)) {
      if (table !== counted) for (const row of rows) await trx(table).insert(row);
      const ids = rows.flatMap(({ id }) => (typeof id === "number" ? [id] : []));
      if (onPostgres && ids.length > 0 && table !== "deleted_events")
        await trx.raw("select setval(pg_get_serial_sequence(?, 'id'), ?)", [table, Math.max(...ids)]);
    }
  });
}

let folder = "";
let source: TestDatabase;
let target: TestDatabase;
beforeEach(async () => {
  folder = temporaryFolder();
  [source, target] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await withDatabase(source.url, restore);
});
afterEach(async () => {
  await Promise.all([source.remove(), target.remove()]);
});

async function withDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(url);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

const allOf = (db: Database, table: string): Promise<readonly Row[]> => db.read<Row>(table).select("*");

test("no server starts on it, and the message names the command; older builds do not start on a new one", async () => {
  const server = run("main.ts", [], folder, { DATABASE_URL: source.url, PORT: "0" });
  expect(await server.finished).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'made before the first release: copy it into a new one with "kalends move',
    ),
  });
  // They refuse a database with a migration whose name they do not know.
  const known = old.rows.migrations?.map(({ name }) => name);
  expect(migrations.filter(({ name }) => known?.includes(name))).toEqual([]);
});

test.each(["the same kind of database", "a SQLite file"])(
  "all of it is copied into %s, with the columns that are new",
  async (kind) => {
    const to = kind === "a SQLite file" ? `sqlite:${join(folder, "new.sqlite")}` : target.url;
    await runMove({ from: source.url, to });
    await runMove({ from: source.url, to, check: true });
    await withDatabase(to, async (db) => {
      const events = await db.read<StoredEventRow>("events").select("*");
      for (const { json, ...row } of events) expect(json).toBe(listedJson(row));
      const calendars = await db.read<CalendarRow>("calendars").select("*");
      expect(calendars.map(({ stored_bytes }) => stored_bytes)).toEqual(
        calendars.map((calendar) => {
          const own = events.filter(({ calendar_id }) => calendar_id === calendar.id);
          const bytes = own.reduce((sum, event) => sum + bytesOfEvent(event), 0);
          return bytesOfCalendar(calendar) + bytes; // until it is purged, what a deleted one holds counts too
        }),
      );
      for (const [table, rows] of Object.entries(old.rows)) {
        if (table === "migrations") continue;
        const names = Object.keys(rows[0] ?? {}).filter((name) => name !== "json_of");
        const expected = table === "calendar_syncs" ? rows.map((row) => ({ ...row, read_at: null })) : rows;
        const sorted = (those: readonly Row[]) =>
          those.map((row) => JSON.stringify(names.map((name) => row[name]))).toSorted();
        expect({ table, rows: sorted(await allOf(db, table)) }).toEqual({ table, rows: sorted(expected) });
      }
      expect(Object.keys(events[0] ?? {}).toSorted()).toEqual(Object.keys(eventColumns).toSorted());
      if (to.startsWith("sqlite:") !== onPostgres) expect(await faultsOf(db)).toEqual([]);
    });
  },
);

test("a server on the copy answers with what was stored, and goes on with the ids", async () => {
  await runMove({ from: source.url, to: target.url });
  const server = await startServer({
    config: readConfig({ PORT: "0", DATABASE_URL: target.url }),
    log: pino({ level: "silent" }),
    clock: () => startOfTests,
  });
  try {
    const { call } = testAccount(server.url, 1, "token-of-an-old-database");
    const { events } = (await call("listEvents", { calendar_id: "1", order_by: "id-asc" })).body;
    expect(events.map(({ title }: { title: string }) => title)).toEqual(
      old.rows.events?.filter((row) => row.calendar_id === 1).map((row) => row.title),
    );
    const next = 1 + Math.max(...(old.rows.events ?? []).map(({ id }) => Number(id)));
    const created = await call("createEvent", {
      calendar_id: "2",
      title: "New",
      start_date: "07/04/2031 13:30",
    });
    expect(created.body.event.id).toBe(next);
    expect((await call("deleteEvent", { event_id: "1" })).status).toBe(200);
  } finally {
    await server.stop();
  }
});
