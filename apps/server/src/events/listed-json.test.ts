import fc from "fast-check";
import { expect, test } from "vitest";
import { testServer } from "../../test/harness.js";
import type { CalendarRow, EventCountRow, EventRow, StoredEventRow } from "../db/rows.js";
import { listedJson, listItemSql } from "./listed-json.js";
import { readEventPage } from "./page-queries.js";
import { rescheduleEvents } from "./rezone.js";
import { listedEvent } from "./serialize.js";

/** The same in each run; KALENDS_SEED sets another one. */
const seed = Number(process.env.KALENDS_SEED ?? 7);

// What lists read instead of rows: ready list items, and how many events start from a time on.

const server = await testServer();
const owner = await server.account();

const newCalendar = async (): Promise<string> =>
  (await owner.call("createCalendar", { title: "x", timezone: "Europe/Paris" })).body.calendar.id;
/** Every list item is that of its row; and what is kept of the numbers of events is what counting them gives. */
async function expectTrue(): Promise<void> {
  const rows = await server.db
    .read<StoredEventRow>("events")
    .select<(StoredEventRow & { readonly item: string })[]>(
      "*",
      server.db.read.raw(`${listItemSql} as item`),
    );
  for (const row of rows) expect(row.item).toBe(JSON.stringify(listedEvent(row)));
  const kept = await server.db.read<EventCountRow>("event_counts").select("*");
  const counted = new Map<string, number>();
  for (const { calendar_id, start_at } of await server.db.read<EventRow>("published_events").select("*")) {
    const key = `${calendar_id} ${Math.floor(start_at / 2 ** 18)}`;
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  const sorted = (entries: readonly (readonly [string, number])[]) => new Map(entries.toSorted());
  expect(sorted(kept.map(({ calendar_id, bucket, events }) => [`${calendar_id} ${bucket}`, events]))).toEqual(
    sorted([...counted]),
  );
}

/** Moves an event, and its list item, to instants that other zone data might have given it. */
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
          await rescheduleEvents(server.db, -1e12);
        }
      }
      await expectTrue();
    }),
    { numRuns: 15, seed },
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
    const options = { startsFrom, order: "date-asc", limit: 1, offset: 0 } as const;
    const page = await readEventPage(server.db, calendar, () => options);
    expect(page?.total).toBe(starts.filter((at) => at >= startsFrom).length);
  }
});

test("a list that is cached is not repeated where a promoted standby has lost its state and made another of its number", async () => {
  const { id: calendar_id } = (await owner.call("createCalendar", { title: "Standby", timezone: "UTC" })).body
    .calendar;
  const titles = async (): Promise<unknown> =>
    (await owner.call("listEvents", { calendar_id })).body.events.map(
      (event: { title: string }) => event.title,
    );
  const create = (title: string) =>
    owner.call("createEvent", { calendar_id, title, start_date: "07/04/2026 10:00" });
  const before = await server.db.read("calendars").where({ id: calendar_id }).first();
  await create("Lost");
  for (const _ of ["made", "cached"]) expect(await titles()).toEqual(["Lost"]);
  const { feed_version, feed_modified_at, events_total } = before ?? {};
  await server.db.transaction(async (trx) => {
    await trx("events").where({ calendar_id }).delete();
    await trx("calendars")
      .where({ id: calendar_id })
      .update({ feed_version, feed_modified_at, events_total });
  });
  server.now += 60;
  await create("New");
  expect(await titles()).toEqual(["New"]);
});
