import { expect, test } from "vitest";
import { startOfTests, testServer } from "../../test/harness.js";
import { callsOf } from "../../test/trash-world.js";
import { addEndpoint, deliveriesOf, everyType } from "../../test/webhook-world.js";
import { purgeDeletedCalendars } from "./calendar-purge-job.js";
import { keepTrash } from "../calendars/trash-days.js";
import { expireTrash, mostTrashed, purgeRequested } from "./trash-purge-job.js";

// How what is in the trash is removed for good (extensions X8.3).

const server = await testServer({ PAGE_SIZE: "3" });
const daySeconds = 86_400;
const { ok, newCalendar, addEvent, trash, refusal } = callsOf(await server.account());

test("after 30 days nothing can be restored, and it is removed", async () => {
  const account = await server.account();
  const calls = callsOf(account);
  const [kept, gone] = [await calls.newCalendar(), await calls.newCalendar()];
  const event_id = await calls.addEvent(kept.id);
  await calls.addEvent(gone.id);
  const stored = async () =>
    (
      await server.db
        .read("calendars")
        .where({ id: Number(kept.id) })
        .first()
    ).stored_bytes;
  const before = await stored();
  await calls.ok("deleteEvent", { event_id });
  await calls.ok("deleteCalendar", { calendar_id: gone.id });
  expect(await stored()).toBe(before);
  server.now += 30 * daySeconds - 1;
  await expireTrash(server.db, server.now);
  expect(await calls.trash()).toHaveLength(2);
  server.now += 1;
  expect(await calls.trash()).toEqual([]);
  expect(await calls.refusal("eventsRestore", { event_id })).toEqual([404, "event_not_found"]);
  expect(await calls.refusal("calendarsRestore", { calendar_id: gone.id })).toEqual([
    404,
    "calendar_not_found",
  ]);
  await expireTrash(server.db, server.now);
  await purgeDeletedCalendars(server.db);
  server.now = startOfTests;
  expect(await server.db.read("events").where({ state: "trashed", account_id: account.id })).toEqual([]);
  expect(await server.db.read("events").where({ account_id: account.id })).toEqual([]);
  expect(await stored()).toBeLessThan(before);
});

test("with TRASH_DAYS=0 nothing can be restored", async () => {
  const { id: calendar_id } = await newCalendar();
  const [event_id, other] = [await addEvent(calendar_id), await addEvent(calendar_id)];
  await ok("deleteEvent", { event_id: other });
  keepTrash(0);
  try {
    await ok("deleteEvent", { event_id });
    expect(await trash()).toEqual([]);
    for (const id of [event_id, other])
      expect(await refusal("eventsRestore", { event_id: id })).toEqual([404, "event_not_found"]);
    await ok("deleteCalendar", { calendar_id });
    expect(await refusal("calendarsRestore", { calendar_id })).toEqual([404, "calendar_not_found"]);
    expect(await purgeDeletedCalendars(server.db)).toBe(1);
  } finally {
    keepTrash(30);
  }
});

test("what is purged cannot be restored from then on, and is removed: an event, those of a calendar, or everything", async () => {
  const account = await server.account();
  const calls = callsOf(account);
  const [one, two, three] = [await calls.newCalendar(), await calls.newCalendar(), await calls.newCalendar()];
  const deleted = async (calendar_id: string) => {
    const event_id = await calls.addEvent(calendar_id);
    await calls.ok("deleteEvent", { event_id });
    return event_id;
  };
  const [a, b, c] = [await deleted(one.id), await deleted(one.id), await deleted(two.id)];
  await calls.ok("trashPurge", { event_id: a });
  expect(await calls.refusal("trashPurge", { event_id: a })).toEqual([404, "event_not_found"]);
  await calls.ok("trashPurge", { calendar_id: one.id });
  expect(await calls.refusal("eventsRestore", { event_id: b })).toEqual([404, "event_not_found"]);
  const later = await deleted(one.id);
  expect((await calls.trash()).map(({ id }: { id: string }) => id).toSorted()).toEqual([c, later].toSorted());
  await calls.ok("deleteCalendar", { calendar_id: three.id });
  await calls.ok("trashPurge", { calendar_id: three.id });
  expect(await calls.refusal("calendarsRestore", { calendar_id: three.id })).toEqual([
    404,
    "calendar_not_found",
  ]);
  expect(await calls.refusal("trashPurge", { calendar_id: three.id })).toEqual([404, "calendar_not_found"]);
  await purgeRequested(server.db);
  expect(
    await server.db
      .read("events")
      .where({ state: "trashed", account_id: account.id })
      .orderBy("id")
      .pluck("id"),
  ).toEqual([c, later].map(Number).toSorted((x, y) => x - y));
  await calls.ok("trashPurge", { all: "true" });
  expect(await calls.trash()).toEqual([]);
  await purgeRequested(server.db);
  expect(await server.db.read("events").where({ state: "trashed", account_id: account.id })).toEqual([]);
  for (const params of [{}, { event_id: a, all: "true" }])
    expect(await calls.refusal("trashPurge", params)).toEqual([400, "parameter_invalid"]);
});

test("the texts of a purged event are in no row any more, those of messages to webhooks neither", async () => {
  const account = await server.account();
  const calls = callsOf(account);
  const { id: calendar_id } = await calls.newCalendar();
  const endpoint = await addEndpoint(server.db, account.id, { types: everyType });
  const fields = { title: "Secret one", description: "Secret two", custom_data: '{"key":"Secret three"}' };
  const event_id = await calls.addEvent(calendar_id, { ...fields, categories: "Secret four" });
  await calls.addEvent(calendar_id, { title: "Kept" });
  const tables = ["events", "event_search", "webhook_deliveries", "event_values", "event_categories"];
  const texts = async () => {
    const rows = tables.map((table) => server.db.read(table).where({ calendar_id: Number(calendar_id) }));
    return JSON.stringify(await Promise.all(rows));
  };
  await calls.ok("deleteEvent", { event_id });
  expect(await texts()).toContain("Secret");
  await calls.ok("trashPurge", { event_id });
  expect(await purgeRequested(server.db)).toBe(1);
  expect(await texts()).not.toContain("Secret");
  expect(await texts()).toContain("Kept");
  const messages = await deliveriesOf(server.db, endpoint.id);
  expect(messages.map(({ type, payload }) => [type, JSON.parse(payload).data.event.id === event_id])).toEqual(
    [
      ["event.created", true],
      ["event.created", false],
      ["event.deleted", true],
    ],
  );
});

test("what has a long history is purged too", async () => {
  const { id: calendar_id } = await newCalendar();
  const event_id = await addEvent(calendar_id);
  await ok("eventsUpdate", { event_id, title: "secret" });
  await ok("eventsDelete", { event_id });
  const history = () => server.db.read("history").where({ event_id: Number(event_id) });
  const { id: _id, ...texts } = await history().where({ action: "changed" }).first();
  const copies = Array.from({ length: 1_200 }, () => texts);
  await server.db.transaction((trx) => trx.batchInsert("history", copies, 60));
  await ok("trashPurge", { calendar_id });
  expect(await purgeRequested(server.db)).toBe(1);
  expect(await history().whereNot("changes", "{}")).toEqual([]);
  expect(await server.db.read("events").where({ state: "trashed", id: Number(event_id) })).toEqual([]);
});

test("of an account the last events are kept, the oldest go", async () => {
  const account = await server.account();
  const calls = callsOf(account);
  const { id: calendar_id } = await calls.newCalendar();
  const event_id = await calls.addEvent(calendar_id);
  await calls.ok("deleteEvent", { event_id });
  const { id: _id, ...row } = await server.db
    .read("events")
    .where({ id: Number(event_id) })
    .first();
  const newer = Array.from({ length: mostTrashed }, (_, index) => ({
    ...row,
    id: 5_000_000 + index,
    uid: `copy ${index}`,
    deleted_at: row.deleted_at + 1,
  }));
  await server.db.transaction((trx) => trx.batchInsert("events", newer, 100));
  expect(await expireTrash(server.db, server.now)).toBe(1);
  expect(await calls.refusal("eventsRestore", { event_id })).toEqual([404, "event_not_found"]);
  await calls.ok("trashPurge", { all: "true" });
  expect(await purgeRequested(server.db)).toBe(mostTrashed);
});

test("more calendars than a statement takes parameters are purged and expire", async () => {
  const account = await server.account();
  const calls = callsOf(account);
  const { id } = await calls.newCalendar();
  const row: object = await server.db.read("calendars").where({ id }).first("*");
  const names = Object.keys(row).filter((name) => name !== "id");
  const values = names.map((name) => (name === "uniquekey" ? "uniquekey || '-' || n" : name));
  const copies = `insert into calendars (${names.join()}) select ${values.join()} from calendars,
    (with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 66000) select n from numbers) as numbers
    where id = ?`;
  await server.db.transaction((trx) => trx.raw(copies, [id]));
  expect(await calls.ok("trashPurge", { all: "true" })).toMatchObject({ trash: { status: "purged" } });
  const own = () => server.db.read("calendars").where({ account_id: account.id });
  await server.db.transaction((trx) =>
    trx("calendars").where({ account_id: account.id }).update({ deleted_at: server.now, trashed: 1 }),
  );
  await expireTrash(server.db, server.now + 31 * daySeconds);
  expect(await own().where({ trashed: 1 }).first("id")).toBeUndefined();
});
