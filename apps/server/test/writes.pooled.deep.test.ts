import { expect, test } from "vitest";
import { openDatabase } from "../src/db/open-database.js";
import type { CalendarRow, EventCountRow, EventRow, StoredEventRow } from "../src/db/rows.js";
import { listedJson } from "../src/events/listed-json.js";
import { createTestDatabase, faultsOf, onPostgres } from "./databases.js";
import { type Answer, testAccount, testServer } from "./harness.js";
import { run } from "./process.js";
import { temporaryFolder } from "./temporary.js";

// Creates and saves that come together are written together.

const server = await testServer();
const owner = await server.account();
const stranger = await server.account();

const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const start = { title: "x", start_date: "07/04/2026 10:00" } as const;
const newCalendar = async (fields: Readonly<Record<string, string>> = {}): Promise<string> =>
  (await owner.call("createCalendar", { title: "x", timezone: "UTC", ...fields })).body.calendar.id;
const newEvent = async (calendar_id: string): Promise<string> =>
  String((await owner.call("createEvent", { calendar_id, ...start })).body.event.id);

async function calendarRow(id: string): Promise<CalendarRow> {
  const row = await server.db
    .read<CalendarRow>("calendars")
    .where({ id: Number(id) })
    .first();
  if (row === undefined) throw new Error(`there is no calendar ${id}`);
  return row;
}

/**
 * Sends a write until it is not refused. On PostgreSQL one gives up on a row that is locked for two seconds, which a group of saves
 * takes on a busy machine; it has changed nothing then.
 */
async function settled(...[id, params]: Parameters<typeof owner.call>): Promise<Answer> {
  const answer = await owner.call(id, params);
  return answer.body.meta.error_type === "overloaded" ? settled(id, params) : answer;
}

/** What is kept of a calendar's events is what they say themselves. */
async function expectCounted(db: typeof server.db, calendar_id: number): Promise<void> {
  const rows = await db.read<StoredEventRow>("published_events").where({ calendar_id }).select("*");
  const calendar = await db.read<CalendarRow>("calendars").where({ id: calendar_id }).first();
  const kept: readonly EventCountRow[] = await db.read<EventCountRow>("event_counts").where({ calendar_id });
  expect(calendar?.events_total).toBe(rows.length);
  expect(kept.reduce((sum, { events }) => sum + events, 0)).toBe(rows.length);
  for (const row of rows) expect(row.json).toBe(listedJson(row));
}

test("among 50 good writes each bad one fails alone, as it would by itself", async () => {
  await server.db.transaction(async (trx) => {
    if (onPostgres) await trx.raw("alter table events add constraint no_boom check (title <> 'boom')");
    else
      for (const change of ["insert", "update"])
        await trx.raw(`create trigger boom_${change} before ${change} on events when new.title = 'boom'
          begin select raise(abort, 'boom'); end`);
  });
  const calendar_id = await newCalendar({ palette_id: "2" });
  const gone = await newCalendar();
  const event_id = await newEvent(calendar_id);
  const other = await newEvent(calendar_id);
  const hanging = await newEvent(gone);
  await owner.call("deleteCalendar", { calendar_id: gone });
  const before = await calendarRow(calendar_id);
  const bad = [
    [() => owner.call("createEvent", { calendar_id, ...start, color_id: "9" }), 400],
    [() => owner.call("createEvent", { calendar_id, ...start, end_date: "07/04/2026 09:00" }), 400],
    [() => owner.call("createEvent", { calendar_id: gone, ...start }), 404],
    [() => stranger.call("createEvent", { calendar_id, ...start }), 404],
    [() => owner.call("createEvent", { calendar_id, ...start, title: "boom" }), 500],
    [() => owner.call("saveEvent", { event_id, ...start, color_id: "9" }), 400],
    [() => owner.call("saveEvent", { event_id: "9007199254740991", ...start }), 404],
    [() => owner.call("saveEvent", { event_id: hanging, ...start }), 404],
    [() => stranger.call("saveEvent", { event_id, ...start }), 404],
    [() => owner.call("saveEvent", { event_id: other, ...start, title: "boom" }), 500],
  ] as const;
  const good = times(50).map(
    (n) => () =>
      n % 2 === 0
        ? owner.call("createEvent", { calendar_id, ...start, title: `Good ${n}` })
        : owner.call("saveEvent", { event_id, ...start, title: `Good ${n}` }),
  );
  // A bad one before every fifth.
  const all = good.flatMap((call, index) => [
    ...(index % 5 === 0 ? bad.slice(index / 5, index / 5 + 1).map(([worse]) => worse) : []),
    call,
  ]);
  const answers = await Promise.all(all.map((call) => call()));
  const statuses = new Map(all.map((call, index) => [call, answers[index]?.status]));
  expect(bad.map(([call]) => statuses.get(call))).toEqual(bad.map(([, status]) => status));
  expect(good.map((call) => statuses.get(call))).toEqual(good.map(() => 200));
  const after = await calendarRow(calendar_id);
  expect(after.feed_version - before.feed_version).toBe(50);
  expect(after.events_total).toBe(27);
  await expectCounted(server.db, Number(calendar_id));
});

test("40 saves at once keep the largest texts, and those that would end a statement", async () => {
  const calendar_id = await newCalendar();
  const made = await Promise.all(times(40).map(() => newEvent(calendar_id)));
  const largest = 65_535;
  const hostile = ["'", "''; drop table events; --", "?", "$&", "\\'", '"', "\u2028", "\u{10FFFF}"];
  const textOf = (index: number): string => {
    const text = hostile[index % hostile.length] ?? "";
    return text.repeat(Math.floor(largest / [...text].length));
  };
  const save = (event_id: string, index: number) =>
    owner.call("saveEvent", { event_id, ...start, description: textOf(index) });
  const answers = await Promise.all(made.map(save));
  expect(answers.map(({ status }) => status)).toEqual(made.map(() => 200));
  const rows = await server.db.read<EventRow>("events").where({ calendar_id: Number(calendar_id) });
  const saved = new Map(rows.map(({ id, description }) => [String(id), description]));
  for (const [index, id] of made.entries()) expect(saved.get(id) === textOf(index)).toBe(true);
  await expectCounted(server.db, Number(calendar_id));
});

// PostgreSQL takes a round trip for each statement of each.
const many = onPostgres ? 40 : 200;

test(`${many} saves of one event at once count 1 to ${many}, each once, while others create, rename and delete`, async () => {
  const calendar_id = await newCalendar();
  const event_id = await newEvent(calendar_id);
  const dying = await Promise.all(times(4).map(async () => newEvent(calendar_id)));
  const before = await calendarRow(calendar_id);
  const [saves, ...others] = await Promise.all([
    Promise.all(times(many).map((n) => settled("saveEvent", { event_id, ...start, title: `Save ${n}` }))),
    Promise.all(dying.map((id) => settled("deleteEvent", { event_id: id }))),
    Promise.all(times(20).map(() => settled("createEvent", { calendar_id, ...start }))),
    Promise.all(times(3).map(() => settled("saveCalendar", { calendar_id, title: "y" }))),
  ]);
  expect(others.flat().map(({ status }) => status)).toEqual(others.flat().map(() => 200));
  const counts = saves.map(({ body }) => Number(body.event.updated_times)).toSorted((a, b) => a - b);
  expect(counts).toEqual(times(many));
  const last = saves.find(({ body }) => body.event.updated_times === String(many));
  const row = await server.db
    .read<EventRow>("events")
    .where({ id: Number(event_id) })
    .first();
  expect(row?.title).toBe(last?.body.event.title);
  expect((await calendarRow(calendar_id)).feed_version - before.feed_version).toBe(many + 27);
  await expectCounted(server.db, Number(calendar_id));
});

test("each write takes the time zone and palette that its calendar has when it is written", async () => {
  const calendar_id = await newCalendar({ palette_id: "1" });
  const [answers] = await Promise.all([
    Promise.all(times(40).map(() => owner.call("createEvent", { calendar_id, ...start, color_id: "20" }))),
    owner.call("saveCalendar", { calendar_id, title: "y", timezone: "Asia/Tokyo", palette_id: "2" }),
  ]);
  const made = answers.filter(({ status }) => status === 200);
  // Palette 2 has eight colours: after the change none is made any more.
  expect(new Set(made.map(({ body }) => body.event.timezone))).toEqual(
    new Set(made.length > 0 ? ["UTC"] : []),
  );
  expect(answers.filter(({ status }) => status !== 200 && status !== 400)).toEqual([]);
  await expectCounted(server.db, Number(calendar_id));
});

test("ids rise with each group, and an acknowledged event is in every list from then on", async () => {
  const calendar_id = await newCalendar();
  let newest = 0;
  const lane = async (): Promise<void> => {
    for (let round = 0; round < 6; round++) {
      const known = newest;
      const { id } = (await owner.call("createEvent", { calendar_id, ...start })).body.event;
      expect(id).toBeGreaterThan(known);
      newest = Math.max(newest, id);
      const lists = await Promise.all([
        owner.call("listEvents", { calendar_id, order_by: "id-asc" }),
        owner.call("listEvents", { calendar_id, upcoming: "2026-01-01" }),
      ]);
      for (const { body } of lists)
        expect(body.events.map((event: { id: string }) => event.id)).toContain(String(id));
    }
  };
  await Promise.all(times(12).map(lane));
  await expectCounted(server.db, Number(calendar_id));
});

test("no acknowledged write is lost when the process is killed in the middle of groups", async () => {
  const made = await createTestDatabase();
  const folder = temporaryFolder();
  const token = "kal_test_of_a_killed_process";
  const settings = { PORT: "0", DATABASE_URL: made.url, CALENDAR_TOKEN: token };
  const victim = run("main.ts", [], folder, settings);
  const [, url = ""] = await victim.until(/Listening on (http:\/\/127\.0\.0\.1:[0-9]+)/);
  const account = testAccount(url, 1, token);
  const { id: calendar_id } = (await account.call("createCalendar", { title: "x" })).body.calendar;
  const acknowledged = new Map<number, number>();
  const lane = async (): Promise<void> => {
    for (;;) {
      const { id } = (await account.call("createEvent", { calendar_id, ...start })).body.event;
      acknowledged.set(id, 0);
      const saved = await account.call("saveEvent", { event_id: String(id), ...start });
      acknowledged.set(id, Number(saved.body.event.updated_times));
      if (acknowledged.size >= 60) victim.child.kill("SIGKILL");
    }
  };
  await Promise.allSettled(times(16).map(lane)); // each ends with its connection
  await victim.finished;
  const db = await openDatabase(made.url);
  const rows = await db.read<EventRow>("events").select("*");
  const kept = new Map(rows.map(({ id, updated_times }) => [id, updated_times]));
  const lost = [...acknowledged].filter(([id, saves]) => (kept.get(id) ?? -1) < saves);
  expect(acknowledged.size).toBeGreaterThanOrEqual(60);
  expect(lost).toEqual([]);
  await expectCounted(db, Number(calendar_id));
  expect(await faultsOf(db)).toEqual([]);
  await db.close();
  await made.remove();
});
