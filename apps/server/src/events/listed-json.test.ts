import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "../../test/databases.js";
import { startTestServer, type TestAccount, type TestServer } from "../../test/harness.js";
import { openDatabase } from "../db/connect.js";
import { migrate, migrations } from "../db/migrate.js";
import type { CalendarRow, EventCountRow, EventRow, StoredEventRow } from "../db/rows.js";
import { fillListedJson } from "./fill-json.js";
import { hasListedJson, lacksListedJson, listedJson, listItemSql } from "./listed-json.js";
import { moveEvents } from "./moves.js";
import { countEvents } from "./queries.js";
import { listedEvent } from "./serialize.js";

// What lists read instead of rows: ready list items, and how many events start from a time on.

let server: TestServer;
let owner: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  owner = await server.account();
});
afterAll(() => server.stop());

const newCalendar = async (): Promise<string> =>
  (await owner.call("createCalendar", { title: "x", timezone: "Europe/Paris" })).body.calendar.id;
const create = async (calendar_id: string): Promise<string> =>
  String(
    (await owner.call("createEvent", { calendar_id, title: "x", start_date: "12/01/2026 09:00" })).body.event
      .id,
  );
const lacking = () => server.db.read<EventRow>("events").whereRaw(lacksListedJson).orderBy("id").pluck("id");

/** Every list item there is, is that of its row; and what is kept of the numbers of events is what counting them says. */
async function expectTrue(): Promise<void> {
  const rows = await server.db
    .read<StoredEventRow>("events")
    .whereRaw(hasListedJson)
    .select<(EventRow & { readonly item: string })[]>("*", server.db.read.raw(`${listItemSql} as item`));
  for (const row of rows) expect(row.item).toBe(JSON.stringify(listedEvent(row)));
  const kept = await server.db.read<EventCountRow>("event_counts").select("*");
  const counted = new Map<string, number>();
  for (const { calendar_id, start_at } of await server.db.read<EventRow>("events").select("*")) {
    const key = `${calendar_id} ${Math.floor(start_at / 2 ** 18)}`;
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  const sorted = (entries: readonly (readonly [string, number])[]) => new Map(entries.toSorted());
  expect(sorted(kept.map(({ calendar_id, bucket, events }) => [`${calendar_id} ${bucket}`, events]))).toEqual(
    sorted([...counted]),
  );
}

/** Puts an event, and what its list item tells, to instants that other zone data might have given it. */
async function putElsewhere(id: number): Promise<void> {
  const row = await server.db.read<EventRow>("events").where({ id }).first();
  if (row === undefined) return;
  const instants = { start_at: row.start_at + 300_000, end_at: row.end_at + 300_000 };
  const json = listedJson({ ...row, ...instants });
  await server.db.transaction((trx) =>
    trx<StoredEventRow>("events")
      .where({ id })
      .update({ ...instants, json }),
  );
}

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).map((given) => `x${given}`);
const date = fc
  .date({ min: new Date(Date.UTC(1900, 0, 2)), max: new Date(Date.UTC(9999, 11, 30)), noInvalidDate: true })
  .map((at) => at.toISOString().replace(/^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d).*/, "$2/$3/$1 $4"));
const fields = fc.record(
  {
    title: text,
    start_date: fc.oneof(date, fc.constantFrom("07/04/2026 13:30", "07/05/2026 13:30", "07/09/2026 13:30")),
    description: text,
    location: text,
    organizer: text,
    reminder: fc.constantFrom("", "15"),
    color_id: fc.constantFrom("", "3"),
    all_day_event: fc.constantFrom("true", "false"),
    timezone: fc.constantFrom("UTC", "Asia/Kathmandu", "America/New_York"),
  },
  { requiredKeys: ["title", "start_date"] },
);
const step = fc.record({
  kind: fc.constantFrom("create", "create", "save", "save", "move", "delete"),
  event: fc.nat(),
  later: fc.integer({ min: -100, max: 100 }),
  fields,
});

test("after any creates, saves, zone moves and deletions, each list item is its row's and the counts are right", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const calendar_id = await newCalendar();
      const ids: string[] = [];
      for (const { kind, event, later, fields: given } of steps) {
        server.now += later;
        const event_id = ids[event % Math.max(1, ids.length)];
        if (kind === "create" || event_id === undefined) {
          const { body } = await owner.call("createEvent", { calendar_id, ...given });
          if (body.event !== undefined) ids.push(String(body.event.id));
        } else if (kind === "save") await owner.call("saveEvent", { event_id, ...given });
        else if (kind === "delete") await owner.call("deleteEvent", { event_id });
        else {
          await putElsewhere(Number(event_id));
          // Only what is to come moves: the others go back as they came.
          await moveEvents(server.db, -1e12);
        }
      }
      expect(await lacking()).toEqual([]);
      await expectTrue();
    }),
    { numRuns: 15 },
  );
});

test("counts of what is to come are exact at every edge", async () => {
  const id = Number(await newCalendar());
  const step18 = 2 ** 18;
  for (const hours of [0, 1, 72, 73, 74, 500, 5000]) {
    const at = new Date(Date.UTC(2026, 6, 1) + hours * 3_600_000).toISOString();
    await owner.call("createEvent", {
      calendar_id: String(id),
      title: "x",
      timezone: "UTC",
      start_date: at.replace(/^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d).*/, "$2/$3/$1 $4"),
    });
  }
  const calendar = await server.db.read<CalendarRow>("calendars").where({ id }).first();
  if (calendar === undefined) throw new Error("no calendar");
  const starts: readonly number[] = await server.db
    .read("events")
    .where({ calendar_id: id })
    .pluck("start_at");
  const edges = starts.flatMap((at) => [
    at,
    Math.floor(at / step18) * step18,
    Math.ceil(at / step18) * step18,
  ]);
  for (const startsFrom of [...edges, 0, -5_000_000_000].flatMap((at) => [at - 1, at, at + 1])) {
    expect(await countEvents(server.db.read, calendar, { startsFrom })).toBe(
      starts.filter((at) => at >= startsFrom).length,
    );
  }
});

test("what a server of an older version writes is not taken for a list item, and gets one while others save", async () => {
  const calendar_id = await newCalendar();
  const ids = await Promise.all(Array.from({ length: 60 }, async () => create(calendar_id)));
  await server.db.transaction(async (trx) => {
    const older = trx("events").whereIn("id", ids.slice(0, 55));
    await older
      .clone()
      .update({ title: "saved by an older server", updated_times: trx.raw("updated_times + 1") });
    await trx("events").where({ id: ids[55] }).update({ moves: 1, start_at: 5, end_at: 6 });
    await trx("events").where({ id: ids[56] }).update({ json: null, json_of: -1 });
  });
  expect(await lacking()).toHaveLength(57);
  await expectTrue();
  const saves = ids.map(async (event_id) =>
    owner.call("saveEvent", { event_id, title: `saved ${event_id}`, start_date: "12/02/2026 09:00" }),
  );
  await Promise.all([fillListedJson(server.db), fillListedJson(server.db), ...saves.slice(0, 30)]);
  expect(await lacking()).toEqual([]);
  await Promise.all(saves);
  await expectTrue();
});

test("events that were there before the columns get both, and an older server's rows are counted", async () => {
  const made = await createTestDatabase();
  const db = await openDatabase(made.url);
  await db.transaction(async (trx) => {
    for (const { up } of migrations.slice(0, 2)) await up(trx);
    await trx.raw("create table migrations (name text primary key, applied_at bigint not null)");
    for (const { name } of migrations.slice(0, 2)) await trx("migrations").insert({ name, applied_at: 1 });
    const blank = { created_at: 1, modified_at: 1, description: "", timezone: "UTC" };
    await trx("accounts").insert({ id: 1, name: "x", created_at: 1 });
    await trx("calendars").insert({
      ...blank,
      id: 1,
      account_id: 1,
      uniquekey: "x",
      calendarname: "x",
      title: "x",
      palette_id: "1",
      save_order: 1,
    });
    const nothing = { location: "", organizer: "", organizer_email: "", color_id: "", reminder: "" };
    for (let n = 0; n < 120; n++) {
      const times = {
        start_local: n,
        end_local: n,
        start_month: 1,
        start_at: n * 100_000 - 6_000_000,
        end_at: n,
      };
      const event = { ...blank, ...nothing, ...times, account_id: 1, calendar_id: 1, title: "x", all_day: 0 };
      await trx("events").insert({ ...event, uid: `${n}` });
    }
  });
  await migrate(db, 2);
  expect(await fillListedJson(db)).toBe(120);
  expect(await fillListedJson(db)).toBe(0);
  const kept: readonly { events: number }[] = await db.read("event_counts").select("events");
  expect(kept.reduce((sum, { events }) => sum + events, 0)).toBe(120);
  await db.close();
  await made.remove();
});
