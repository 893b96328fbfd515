import { expect, test } from "vitest";
import { calendarFile, importFile, vevent } from "../../test/calendar-files.js";
import { startOfTests, testServer } from "../../test/harness.js";
import { addFollowers } from "../../test/followers.js";
import { council } from "../../test/series-world.js";
import { columnsExcept, eventColumns } from "../db/columns.js";
import { insertSubscriber } from "../followers/subscriber-queries.js";
import { insertSync } from "../files/sync-queries.js";
import { purgeDeletedCalendars } from "./calendar-purge-job.js";

const server = await testServer({ TRASH_DAYS: "0" });

test("what a deleted calendar held is removed from the database, and nothing else", async () => {
  const account = await server.account();
  const secret = "a private text";
  const make = async () => {
    const { id } = (await account.call("createCalendar", { title: secret, timezone: "UTC" })).body.calendar;
    await account.call("createEvent", { calendar_id: id, title: secret, start_date: "07/04/2026 13:30" });
    const calendar = { account_id: account.id, calendar_id: Number(id) };
    const person = {
      name: secret,
      email: "ada@example.com",
      ip: "203.0.113.7",
      postal: null,
      city: "London",
      state: null,
      country: "GB",
    };
    const sync = { every_seconds: 3600, next_at: startOfTests + 9_999, created_at: startOfTests };
    await server.db.transaction((trx) =>
      insertSync(trx, { ...calendar, ...sync, url: "https://x/private.ics" }),
    );
    await importFile(server, account, id, calendarFile(vevent("UID:private@example.com")));
    await server.db.transaction((trx) =>
      insertSubscriber(trx, {
        ...calendar,
        ...person,
        calendar_type: "apple",
        active: 1,
        blocked: 0,
        subscribed_at: startOfTests,
      }),
    );
    return String(id);
  };
  const [gone, kept] = [await make(), await make()];
  await account.call("deleteCalendar", { calendar_id: gone });
  expect(await purgeDeletedCalendars(server.db)).toBe(1);
  expect(await purgeDeletedCalendars(server.db)).toBe(0);
  for (const table of ["events", "subscribers", "calendars", "imported_events", "calendar_syncs"]) {
    const column = table === "calendars" ? "id" : "calendar_id";
    expect(JSON.stringify(await server.db.read(table).where(column, gone))).not.toMatch(
      /private|ada@|203\.0|London/,
    );
    expect(JSON.stringify(await server.db.read(table).where(column, kept))).toMatch(/private/);
  }
  expect((await account.call("listEvents", { calendar_id: kept })).body.calendar.events_count).toBe(2);
});

test("thousands of events go in batches that let others write", async () => {
  const account = await server.account();
  const { id } = (await account.call("createCalendar", { title: "big", timezone: "UTC" })).body.calendar;
  await account.call("createEvent", { calendar_id: id, title: "x", start_date: "07/04/2026 13:30" });
  const copied = columnsExcept(eventColumns, "id", "uid").join(", ");
  await server.db.transaction((trx) =>
    trx.raw(
      `insert into events (id, uid, ${copied}) select 1000000 + n.value, uid || n.value, ${copied} from events,
       (with recursive s(value) as (select 1 union all select value + 1 from s where value < 1800) select value from s) n
       where calendar_id = ?`,
      [Number(id)],
    ),
  );
  await account.call("deleteCalendar", { calendar_id: id });
  const purged = purgeDeletedCalendars(server.db);
  expect((await account.call("createCalendar", { title: "meanwhile" })).status).toBe(200);
  expect(await purged).toBe(1);
  expect(await server.db.read("events").where({ calendar_id: Number(id) })).toEqual([]);
});

test("few values by which events are found go at a time, since a transaction removes those of its events", async () => {
  const account = await server.account();
  const { id } = (await account.call("createCalendar", { title: "found", timezone: "UTC" })).body.calendar;
  const custom_data = JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [n, 1])));
  for (let n = 0; n < 12; n++)
    await account.call("eventsCreate", {
      calendar_id: id,
      title: "x",
      start_date: "2026-07-04T13:30",
      custom_data,
    });
  const stored = async () =>
    (
      await server.db
        .read("event_values")
        .where({ calendar_id: Number(id) })
        .select("name")
    ).length;
  await account.call("deleteCalendar", { calendar_id: id });
  const left = [await stored()];
  const transaction: typeof server.db.transaction = async (work) => {
    const result = await server.db.transaction(work);
    left.push(await stored());
    return result;
  };
  await purgeDeletedCalendars({ ...server.db, transaction });
  expect([left[0], left.at(-1)]).toEqual([6_000, 0]);
  expect(Math.max(...left.slice(1).map((count, index) => (left[index] ?? 0) - count))).toBe(2_000);
});

test("a purge that is stopped ends after its batch and goes on the next time", async () => {
  const account = await server.account();
  const { id } = (await account.call("createCalendar", { title: "stop", timezone: "UTC" })).body.calendar;
  await account.call("createEvent", { calendar_id: id, title: "x", start_date: "07/04/2026 13:30" });
  await account.call("deleteCalendar", { calendar_id: id });
  expect(await purgeDeletedCalendars(server.db, () => true)).toBe(0);
  expect(await purgeDeletedCalendars(server.db)).toBe(1);
});

test("followers and series go in batches too", async () => {
  const account = await server.account();
  const calendar = await addFollowers(server.db, account);
  await account.call("eventsSeriesCreate", { calendar_id: calendar, ...council });
  const calendar_id = Number(calendar);
  for (const table of ["subscribers", "series"]) {
    const { id: _id, ...row } = await server.db.read(table).where({ calendar_id }).first();
    const copied = Object.keys(row).join(", ");
    await server.db.transaction((trx) =>
      trx.raw(
        `insert into ${table} (${copied}) select ${copied} from ${table},
         (with recursive s(value) as (select 1 union all select value + 1 from s where value < 600) select value from s) n
         where calendar_id = ?`,
        [calendar_id],
      ),
    );
  }
  await account.call("deleteCalendar", { calendar_id: calendar });
  expect(await purgeDeletedCalendars(server.db)).toBe(1);
  const people = await server.db
    .read("subscribers")
    .where({ calendar_id })
    .distinct("name", "email", "ip", "city");
  expect(people).toEqual([{ name: "", email: "", ip: "", city: null }]);
  expect(await server.db.read("series").where({ calendar_id })).toEqual([]);
});
