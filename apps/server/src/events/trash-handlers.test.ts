import { expect, test } from "vitest";
import { calendarFile, importFile, vevent } from "../../test/calendar-files.js";
import { addFollowers } from "../../test/followers.js";
import { startOfTests, testServer } from "../../test/harness.js";
import { council, seriesOf, weeks } from "../../test/series-world.js";
import { callsOf, fullEvent as full } from "../../test/trash-world.js";
import { addEndpoint, deliveriesOf, everyType } from "../../test/webhook-world.js";
import { purgeDeletedCalendars } from "./calendar-purge-job.js";
import { applyZoneData, rescheduleEvents } from "./rezone.js";

// What was deleted and can be restored (extensions X8.3).

const server = await testServer({ PAGE_SIZE: "3" });

const owner = await server.account();
const { ok, newCalendar, addEvent, refusal } = callsOf(owner);

test("a restored event has its id, its UID and every field, and its sequence rises", async () => {
  const { id: calendar_id, uniquekey } = await newCalendar();
  const event_id = await addEvent(calendar_id, full);
  const { event: before } = await ok("eventsDetails", { event_id });
  const feed = async () => (await server.request(`/c/${uniquekey}/x.ics`)).text;
  const uid = /UID:(\S+)/.exec(await feed())?.[1] ?? "";
  expect(await feed()).toContain("SEQUENCE:0");
  await ok("deleteEvent", { event_id });
  expect(await refusal("eventsDetails", { event_id })).toEqual([404, "event_not_found"]);
  expect(await feed()).not.toContain(uid);
  expect((await server.request(`/c/${uniquekey}/e/${uid}`)).status).toBe(410);
  server.now += 60;
  const { event } = await ok("eventsRestore", { event_id });
  server.now = startOfTests;
  expect(event).toEqual({ ...before, updated_times: 1, date_modified: "2026-07-02T12:01:00Z" });
  expect((await ok("eventsDetails", { event_id })).event).toEqual(event);
  expect(await feed()).toContain(`UID:${uid}`);
  expect(await feed()).toContain("SEQUENCE:1");
  expect((await server.request(`/c/${uniquekey}/e/${uid}`)).status).toBe(200);
  const found = { calendar_id, custom_data_key: "seats", custom_data_value: "40" };
  expect((await ok("eventsList", found)).events).toEqual([event]);
  expect((await ok("listEvents", { calendar_id })).calendar.events_count).toBe(1);
  const rows = await server.db.read("event_categories").where({ event_id: Number(event_id) });
  expect(rows.map(({ name }) => name).toSorted()).toEqual(["Children", "Concerts"]);
  expect(await refusal("eventsRestore", { event_id })).toEqual([404, "event_not_found"]);
});

test("no feed has an old entity tag when an event is deleted and restored", async () => {
  const { id: calendar_id, uniquekey } = await newCalendar();
  const event_id = await addEvent(calendar_id);
  const tags: string[] = [];
  const read = async () => {
    for (const tag of tags)
      expect(
        (await server.request(`/c/${uniquekey}/x.ics`, { headers: { "If-None-Match": tag } })).status,
      ).toBe(200);
    tags.push((await server.request(`/c/${uniquekey}/x.ics`)).headers.get("ETag") ?? "");
  };
  for (let round = 0; round < 3; round++) {
    await read();
    await ok("deleteEvent", { event_id });
    await read();
    await ok("eventsRestore", { event_id });
  }
  expect(new Set(tags).size).toBe(6);
});

test("those who follow the changes and webhooks get a deletion, then the event again", async () => {
  const account = await server.account();
  const calls = callsOf(account);
  const { id: calendar_id } = await calls.newCalendar();
  const event_id = await calls.addEvent(calendar_id);
  const endpoint = await addEndpoint(server.db, account.id, { types: everyType });
  const { cursor } = await calls.ok("eventsChanges", { calendar_id });
  await calls.ok("deleteEvent", { event_id });
  const deleted = await calls.ok("eventsChanges", { calendar_id, since: cursor });
  await calls.ok("eventsRestore", { event_id });
  const restored = await calls.ok("eventsChanges", { calendar_id, since: deleted.cursor });
  const since = await calls.ok("eventsChanges", { calendar_id, since: cursor });
  const { event } = await calls.ok("eventsDetails", { event_id });
  expect(deleted.changes).toMatchObject([{ event_id, change: "deleted" }]);
  expect(restored.changes).toEqual([{ event_id, change: "saved", event }]);
  expect(since.changes).toEqual(restored.changes);
  const messages = await deliveriesOf(server.db, endpoint.id);
  expect(messages.map(({ type, payload }) => [type, JSON.parse(payload).data.event.updated_times])).toEqual([
    ["event.deleted", 0],
    ["event.created", 1],
  ]);
});

test("the list has what was deleted, newest first, in pages, of one account and where asked of one calendar", async () => {
  const [account, other] = [await server.account(), await server.account()];
  const calls = callsOf(account);
  const [one, two] = [await calls.newCalendar("one"), await calls.newCalendar("two")];
  const ids: string[] = [];
  for (const title of ["a", "b", "c", "d"])
    ids.push(await calls.addEvent(title === "d" ? two.id : one.id, { title }));
  for (const event_id of ids) {
    server.now += 1;
    await calls.ok("deleteEvent", { event_id });
  }
  server.now += 1;
  await calls.ok("deleteCalendar", { calendar_id: two.id });
  server.now = startOfTests;
  const shown = (items: readonly { readonly kind: string; readonly title: string }[]) =>
    items.map(({ kind, title }) => `${kind} ${title}`);
  const first = await calls.ok("trashList");
  expect(first.trash[0]).toEqual({
    kind: "calendar",
    id: two.id,
    calendar_id: two.id,
    title: "two",
    start_date: "",
    series_id: "",
    date_deleted: "2026-07-02T12:00:05Z",
    date_expires: "2026-08-01T12:00:05Z",
  });
  expect(shown(first.trash)).toEqual(["calendar two", "event d", "event c"]);
  expect(first.trash[1].start_date).toBe("2026-08-04T13:30");
  expect(first.paging.next).toContain("page=2");
  expect(shown(await calls.trash({ page: "2" }))).toEqual(["event b", "event a"]);
  expect(shown(await calls.trash({ calendar_id: one.id }))).toEqual(["event c", "event b", "event a"]);
  expect(shown(await calls.trash({ calendar_id: two.id }))).toEqual(["calendar two", "event d"]);
  const foreign = callsOf(other);
  expect(await foreign.trash()).toEqual([]);
  expect(await foreign.refusal("trashList", { calendar_id: one.id })).toEqual([404, "calendar_not_found"]);
  for (const event_id of ids)
    expect(await foreign.refusal("eventsRestore", { event_id })).toEqual([404, "event_not_found"]);
  expect(await foreign.refusal("calendarsRestore", { calendar_id: two.id })).toEqual([
    404,
    "calendar_not_found",
  ]);
  expect(await foreign.refusal("trashPurge", { event_id: ids[0] ?? "" })).toEqual([404, "event_not_found"]);
});

test("an event of a deleted calendar is refused until the calendar is restored", async () => {
  const { id: calendar_id } = await newCalendar();
  const event_id = await addEvent(calendar_id);
  await ok("deleteEvent", { event_id });
  await ok("deleteCalendar", { calendar_id });
  expect(await refusal("eventsRestore", { event_id })).toEqual([409, "calendar_deleted"]);
  await ok("calendarsRestore", { calendar_id });
  expect((await ok("eventsRestore", { event_id })).event.id).toBe(event_id);
});

test("an imported event keeps what it is known as in files; one that was imported again is refused", async () => {
  const { id: calendar_id } = await newCalendar();
  const file = calendarFile(vevent("UID:fair@town.example", "SUMMARY:Fair"));
  const imported = async () => (await importFile(server, owner, calendar_id, file)).body.events;
  const [{ event_id }] = await imported();
  await ok("deleteEvent", { event_id });
  await ok("eventsRestore", { event_id });
  expect(await imported()).toMatchObject([{ result: "unchanged", event_id }]);
  await ok("deleteEvent", { event_id });
  const [again] = await imported();
  expect(again).toMatchObject({ result: "created" });
  expect(await refusal("eventsRestore", { event_id })).toEqual([409, "event_replaced"]);
  await ok("deleteEvent", { event_id: again.event_id });
  expect((await ok("eventsRestore", { event_id })).event.id).toBe(event_id);
});

test("an event whose categories no longer fit is refused", async () => {
  const { id: calendar_id } = await newCalendar();
  const event_id = await addEvent(calendar_id, { categories: "one" });
  await ok("deleteEvent", { event_id });
  const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
  await addEvent(calendar_id, { categories: names.join(",") });
  const answer = await owner.call("eventsRestore", { event_id });
  expect([answer.status, answer.body.meta.errors]).toMatchObject([
    400,
    [{ parameter: "event_id", code: "too_many", limit: 20 }],
  ]);
});

test("an event of a series has its place again, and a deleted series goes on", async () => {
  const series = seriesOf(owner);
  const { calendar_id, ids, series: before } = await series.create();
  const [first = "", second = "", third = "", fourth = ""] = ids;
  const shown = async () =>
    (await series.eventsOf(calendar_id)).map(({ start_date, series_id }) => [start_date, series_id]);
  const whole = weeks.map((start) => [start, before.id]);
  await ok("deleteEvent", { event_id: second });
  await ok("eventsSeriesDelete", { event_id: third, scope: "following" });
  expect((await ok("eventsSeriesRestore", { series_id: before.id })).event_ids).toEqual([third, fourth]);
  expect((await ok("eventsSeriesRestore", { series_id: before.id })).event_ids).toEqual([second]);
  expect(await shown()).toEqual(whole);
  await ok("eventsSeriesDelete", { event_id: first, scope: "all" });
  const listed = await callsOf(owner).trash({ calendar_id });
  expect(listed.map(({ series_id }: { readonly series_id: string }) => series_id)).toEqual([
    before.id,
    before.id,
    before.id, // a page of 3
  ]);
  expect((await ok("eventsRestore", { event_id: third })).event.series_id).toBe(before.id);
  await ok("eventsSeriesRestore", { series_id: before.id });
  expect(await shown()).toEqual(whole);
  await ok("eventsSeriesUpdate", { event_id: first, scope: "all", title: "Open council" });
  expect((await series.eventsOf(calendar_id)).map(({ title }) => title)).toEqual(
    weeks.map(() => "Open council"),
  );
  expect(await refusal("eventsSeriesRestore", { series_id: before.id })).toEqual([404, "series_not_found"]);
});

test("an endless series whose end was deleted is endless again with it", async () => {
  const series = seriesOf(owner);
  const { ids, series: before } = await series.create({ rrule: "FREQ=MONTHLY" });
  for (const scope of ["following", "all"] as const) {
    await ok("eventsSeriesDelete", { event_id: ids[2] ?? "", scope });
    await ok("eventsSeriesRestore", { series_id: before.id });
    const { series: after } = await ok("eventsSeriesUpdate", {
      event_id: ids[0] ?? "",
      scope: "all",
      title: scope,
    });
    expect([after.endless, after.events_count]).toEqual([true, ids.length]);
  }
});

test("an endless series goes on once all of it is restored, also where one of its events was before", async () => {
  const { ids, series: before } = await seriesOf(owner).create({ rrule: "FREQ=MONTHLY" });
  await ok("eventsSeriesDelete", { event_id: ids[0] ?? "", scope: "all" });
  const { event } = await ok("eventsRestore", { event_id: ids[2] ?? "" });
  const alone = await ok("eventsSeriesDetails", { series_id: event.series_id });
  expect([alone.series.endless, alone.series.events_count]).toEqual([false, 1]);
  await ok("eventsSeriesRestore", { series_id: before.id });
  const { series: after } = await ok("eventsSeriesDetails", { series_id: before.id });
  expect([after.endless, after.events_count]).toEqual([true, ids.length]);
});

test("a place of a series that another event has taken is refused", async () => {
  const { ids } = await seriesOf(owner).create();
  const [first = "", second = ""] = ids;
  await ok("eventsSeriesUpdate", { event_id: first, scope: "all", rrule: "FREQ=WEEKLY;INTERVAL=2;COUNT=2" });
  await ok("eventsSeriesUpdate", { event_id: first, scope: "all", rrule: council.rrule });
  expect(await refusal("eventsRestore", { event_id: second })).toEqual([409, "event_replaced"]);
});

test("a deleted event follows its series where that is split", async () => {
  const series = seriesOf(owner);
  const { ids } = await series.create();
  const [, second = "", third = ""] = ids;
  await ok("deleteEvent", { event_id: third });
  const { series: split } = await ok("eventsSeriesUpdate", {
    event_id: second,
    scope: "following",
    title: "New",
  });
  expect((await ok("eventsRestore", { event_id: third })).event.series_id).toBe(split.id);
});

test("zone data that is newer than the deletion counts for what is restored", async () => {
  const { id: calendar_id } = await newCalendar();
  const event_id = await addEvent(calendar_id);
  const { event: before } = await ok("eventsDetails", { event_id });
  const shift = () =>
    server.db.transaction((trx) =>
      trx("events")
        .where({ id: Number(event_id) })
        .update({ start_at: trx.raw("start_at + 3600") }),
    );
  await ok("deleteEvent", { event_id });
  await shift();
  expect((await ok("eventsRestore", { event_id })).event.start_at).toBe(before.start_at);
  await shift();
  await ok("deleteCalendar", { calendar_id });
  await applyZoneData(server.db, server.now);
  expect(await rescheduleEvents(server.db, server.now)).toBeGreaterThan(0);
  await ok("calendarsRestore", { calendar_id });
  expect((await ok("eventsDetails", { event_id })).event.start_at).toBe(before.start_at);
});

test("a restored calendar has its key, its events, its followers, and its series go on", async () => {
  const account = await server.account();
  const calls = callsOf(account);
  const calendar_id = await addFollowers(server.db, account);
  await calls.ok("eventsSeriesCreate", { calendar_id, ...council, rrule: "FREQ=YEARLY" });
  const endpoint = await addEndpoint(server.db, account.id, { types: everyType });
  const state = async () => {
    const [{ uniquekey, feed_version: _version, feed_modified_at: _at, ...row }] = await server.db
      .read("calendars")
      .where({ id: Number(calendar_id) });
    const tables = ["events", "subscribers"].map((table) =>
      server.db
        .read(table)
        .where({ calendar_id: Number(calendar_id) })
        .orderBy("id"),
    );
    return { page: (await server.request(`/c/${uniquekey}`)).status, row, tables: await Promise.all(tables) };
  };
  const before = await state();
  await calls.ok("deleteCalendar", { calendar_id });
  expect(await purgeDeletedCalendars(server.db)).toBe(0);
  expect((await state()).page).toBe(410);
  expect(await calls.refusal("listEvents", { calendar_id })).toEqual([404, "calendar_not_found"]);
  const { calendar } = await calls.ok("calendarsRestore", { calendar_id });
  expect(calendar).toEqual((await calls.ok("calendarsDetails", { calendar_id })).calendar);
  expect(await state()).toEqual(before);
  const messages = await deliveriesOf(server.db, endpoint.id);
  expect(messages.map(({ type }) => type)).toEqual(["calendar.deleted", "calendar.created"]);
  const [due] = await server.db.read("series").where({ calendar_id: Number(calendar_id) });
  expect(due.next_at).toBe(server.now);
  expect(await calls.refusal("calendarsRestore", { calendar_id })).toEqual([404, "calendar_not_found"]);
});
