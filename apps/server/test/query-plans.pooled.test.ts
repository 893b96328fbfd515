import type { Knex } from "knex";
import { describe, expect, test } from "vitest";
import { listEventsOfPart } from "../src/events/part-queries.js";
import type { CalendarRow } from "../src/db/rows.js";
import { listDeletions, listEventsByUid } from "../src/public/public-queries.js";
import { countSubscribers, subscribersQuery } from "../src/followers/subscriber-queries.js";
import { initial } from "../src/db/columns.js";
import { onPostgres, planOf, searches } from "./databases.js";
import { testServer } from "./harness.js";

const server = await testServer();

const page = { limit: 101, offset: 0 };

interface Query {
  toSQL(): { readonly sql: string; readonly bindings: readonly Knex.RawBinding[] };
}

function plan(query: Query): Promise<readonly string[]> {
  const { sql, bindings } = query.toSQL();
  return planOf(server.db, sql, bindings);
}

describe("a page of subscribers is read from an index in its order", () => {
  const between = [1, 2] as const;
  const lists = [
    ["newest first", { order: "id-desc" }, "subscribers_by_id (calendar_id=?)"],
    ["latest subscription first", { order: "date-desc" }, "subscribers_by_date (calendar_id=?)"],
    [
      "a month, latest first",
      { order: "date-desc", between },
      "subscribers_by_date (calendar_id=? AND subscribed_at>? AND subscribed_at<?)",
    ],
    ["inactive", { order: "id-desc", only: "inactive" }, "subscribers_inactive_by_id (calendar_id=?)"],
    [
      "inactive, latest first",
      { order: "date-desc", only: "inactive" },
      "subscribers_inactive_by_date (calendar_id=?)",
    ],
    ["blocked", { order: "id-asc", only: "blocked" }, "subscribers_blocked_by_id (calendar_id=?)"],
    [
      "blocked, latest first",
      { order: "date-desc", only: "blocked" },
      "subscribers_blocked_by_date (calendar_id=?)",
    ],
  ] as const;
  for (const [title, filter, index] of lists) {
    test(title, async () => {
      const { sql, values } = subscribersQuery(server.db, 1, { ...filter, ...page });
      const plan = await planOf(server.db, sql, values);
      expect(plan).toContain(searches(index));
      expect(plan).not.toContain("sort");
    });
  }
});

test("a page of calendars is read from an index in its order", async () => {
  expect(
    await planOf(
      server.db,
      "select * from calendars where account_id = ? and deleted_at is null order by modified_at desc, save_order desc limit 101",
      [1],
    ),
  ).toEqual([searches("calendars_by_save (account_id=?)")]);
});

test("a feed's batches are read from an index in order, from their first row on", async () => {
  const parts = [
    ["runningLong", "events_long (calendar_id=? AND end_at>?)"],
    ["running", "events_by_start (calendar_id=? AND start_at>? AND start_at<?)"],
    ["upcoming", "events_by_start (calendar_id=? AND start_at>?)"],
    ["past", "events_by_start (calendar_id=? AND start_at<?)"],
  ] as const;
  for (const [part, index] of parts) {
    const slice = listEventsOfPart(server.db.read, 1, { part, from: 1e9, after: { at: 9e8, id: 7 } }, 200);
    expect(await plan(slice)).toEqual([searches(index)]);
  }
});

test("the page of an event reads it by its UID, and so a deletion", async () => {
  await addManyEvents(); // of next to none PostgreSQL reads any index
  const [found] = await plan(listEventsByUid(server.db.read, "x"));
  expect(found).toContain("events_by_uid");
  const deletions = await plan(listDeletions(server.db.read, 1, "x"));
  expect(deletions).toContain(searches("deleted_events_uid (uid=? AND calendar_id=?)"));
});

test("without a filter, counts come from the stored counters without a query", async () => {
  const calendar = {
    id: 1,
    followers_total: 42,
    followers_inactive: 43,
    followers_blocked: 44,
  };
  const row: CalendarRow = { ...(await anyCalendar()), ...calendar };
  const queries: string[] = [];
  const listen = ({ sql }: { sql: string }): void => {
    if (sql.includes("subscribers")) queries.push(sql); // not those of background jobs
  };
  server.db.read.on("query", listen);
  expect(await countSubscribers(server.db.read, row, {})).toBe(42);
  expect(await countSubscribers(server.db.read, row, { only: "inactive" })).toBe(43);
  expect(await countSubscribers(server.db.read, row, { only: "blocked" })).toBe(44);
  expect(queries).toEqual([]);
  await countSubscribers(server.db.read, row, { between: [1, 2] });
  expect(queries).toHaveLength(1);
  server.db.read.off("query", listen);
});

const texts = {
  ...{ title: "", description: "", location: "", organizer: "", organizer_email: "", json: "" },
  ...{ timezone: "UTC", color_id: "", reminder: "" },
  ...{ start_local: 0, end_local: 0, start_month: 0, end_at: 400, all_day: 0 },
  ...{ created_at: 0, modified_at: 0, feed_version: 1 },
};

async function anyCalendar(): Promise<CalendarRow> {
  const account = await server.account();
  await account.call("createCalendar", { title: "x" });
  const row = await server.db.read<CalendarRow>("calendars").first();
  if (row === undefined) throw new Error("no calendar");
  return row;
}

async function addManyEvents(): Promise<void> {
  const { id: calendar_id, account_id } = await anyCalendar();
  const events = Array.from({ length: 300 }, (_, number) => ({
    ...initial,
    ...texts,
    account_id,
    calendar_id,
    uid: `many ${number}`,
    start_at: number,
  }));
  await server.db.transaction(async (trx) => {
    await trx.batchInsert("events", events, 25);
    if (onPostgres) await trx.raw("analyze events");
  });
}
