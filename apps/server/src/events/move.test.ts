import { expect, test } from "vitest";
import { calendarFile, importFile, vevent } from "../../test/calendar-files.js";
import { testServer } from "../../test/harness.js";
import { signIn } from "../../test/people.js";
import { council, seriesOf } from "../../test/series-world.js";

// Events that move between calendars (extensions X8.4): calendar_id of events/update/ and events/batch/.

const server = await testServer();
const owner = await server.account();
const { newCalendar, create, eventsOf, cursorOf } = seriesOf(owner);

const fair = {
  title: "Fair",
  start_date: "2027-03-27T20:00",
  end_date: "2027-03-28T04:00",
  timezone: "America/New_York",
  location: "Park",
  reminder: "30",
  categories: "Town",
  custom_data: '{"ref":"7"}',
  status: "tentative",
};

async function newEvent(calendar_id: string, params: Readonly<Record<string, string>> = fair) {
  return (await owner.call("eventsCreate", { calendar_id, ...fair, ...params })).body.event;
}
const move = (event_id: string, calendar_id: string, params: Readonly<Record<string, string>> = {}) =>
  owner.call("eventsUpdate", { event_id, calendar_id, ...params });
async function changesSince(calendar_id: string, since: string) {
  const { body } = await owner.call("eventsChanges", { calendar_id, since });
  return body.changes.map(({ event_id, change }: { event_id: string; change: string }) => [event_id, change]);
}
async function publicOf(calendar_id: string, path: string) {
  const { uniquekey } = await server.db.read("calendars").where({ id: calendar_id }).first();
  return server.request(`/c/${uniquekey}/${path}`);
}
const feedOf = async (calendar_id: string) => (await publicOf(calendar_id, "x.ics")).text;
/** Rows that an event is found by, and the counts of its calendar. */
async function tracesIn(calendar_id: string) {
  const rows = (table: string) => server.db.read(table).where({ calendar_id: Number(calendar_id) });
  const { events_total } = await server.db.read("calendars").where({ id: calendar_id }).first();
  const tables = ["event_search", "event_values", "event_categories", "events"];
  const lengths = await Promise.all(tables.map(async (table) => (await rows(table)).length));
  const counts = (await rows("event_counts")).reduce((sum, row) => sum + Number(row.events ?? row.total), 0);
  return [...lengths, counts, Number(events_total)];
}

test("keep their id, UID and fields: a deletion to one calendar, a new event to the other", async () => {
  const [from, to] = [await newCalendar(), await newCalendar()];
  await owner.call("webhooksCreate", { url: "https://localhost/k" });
  const before = await newEvent(from);
  const cursors = [await cursorOf(from), await cursorOf(to)] as const;
  const { body, status } = await move(before.id, to, { location: "Square" });
  expect(status).toBe(200);
  const { updated_times, date_modified: _modified, ...fields } = body.event;
  const { updated_times: _times, date_modified: _before, ...expected } = before;
  expect(fields).toEqual({ ...expected, calendar_id: to, location: "Square" });
  expect(updated_times).toBe(1);
  expect(await changesSince(from, cursors[0])).toEqual([[before.id, "deleted"]]);
  expect(await changesSince(to, cursors[1])).toEqual([[before.id, "saved"]]);
  expect([await tracesIn(from), await tracesIn(to)]).toEqual([
    [0, 0, 0, 0, 0, 0],
    [1, 1, 1, 1, 1, 1],
  ]);
  const [left, came] = [await feedOf(from), await feedOf(to)];
  expect(left).not.toContain("BEGIN:VEVENT");
  expect(came).toContain(`UID:${before.uid}`);
  expect(came).toContain("SEQUENCE:1");
  const pages = await Promise.all([from, to].map((id) => publicOf(id, `e/${before.uid}`)));
  expect(pages.map((page) => page.status)).toEqual([410, 200]);
  const messages = await server.db.read("webhook_deliveries").orderBy("id").select("calendar_id", "type");
  expect(messages.slice(-2).map(({ calendar_id, type }) => [String(calendar_id), type])).toEqual([
    [from, "event.deleted"],
    [to, "event.created"],
  ]);
});

test("go to and fro, are deleted and restored: each calendar knows its last state", async () => {
  const [one, two] = [await newCalendar(), await newCalendar()];
  const { id } = await newEvent(one);
  const cursors = [await cursorOf(one), await cursorOf(two)] as const;
  for (const target of [two, one, two]) expect((await move(id, target)).status).toBe(200);
  await owner.call("eventsDelete", { event_id: id });
  expect(await changesSince(one, cursors[0])).toEqual([[id, "deleted"]]);
  expect(await changesSince(two, cursors[1])).toEqual([[id, "deleted"]]);
  expect((await owner.call("eventsRestore", { event_id: id })).body.event.calendar_id).toBe(two);
  expect(await changesSince(one, cursors[0])).toEqual([[id, "deleted"]]);
  expect((await move(id, one)).body.event.updated_times).toBe(5);
  expect(await changesSince(one, cursors[0])).toEqual([[id, "saved"]]);
});

test("of a series leave it, and a colour that the other palette lacks is none", async () => {
  const { calendar_id, ids } = await create();
  const to = await newCalendar();
  const moved = (await move(ids[1] ?? "", to)).body.event;
  expect(moved).toMatchObject({ series_id: "", title: council.title, start_date: "2026-10-19T19:00" });
  const [first] = await eventsOf(calendar_id);
  const { body } = await owner.call("eventsSeriesDetails", { series_id: first?.series_id ?? "" });
  expect(body.deleted_dates).toEqual(["2026-10-19T19:00"]);
});

test("are refused: by If-Match, another's or no calendar, a UID that the other calendar has", async () => {
  const [from, to] = [await newCalendar(), await newCalendar()];
  const { id } = await newEvent(from);
  const stale = await server.request("/api/kalends/v1/events/update/", {
    method: "POST",
    headers: { Authorization: `Bearer ${owner.token}`, "If-Match": '"7"' },
    body: new URLSearchParams({ event_id: id, calendar_id: to }),
  });
  expect([stale.status, stale.body.meta.error_type]).toEqual([412, "event_changed"]);
  const other = await server.account();
  const foreign: string = (await other.call("createCalendar", { title: "Other" })).body.calendar.id;
  for (const target of [foreign, "999999"]) expect((await move(id, target)).status).toBe(404);
  await importFile(server, owner, from, calendarFile(vevent("UID:twice")));
  await importFile(server, owner, to, calendarFile(vevent("UID:twice")));
  const imported = (await eventsOf(from)).find(({ title }) => title === "One");
  const refused = await move(imported?.id ?? "", to);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("without an event of the same UID");
  const batch = await owner.call("eventsBatch", { events: `${id},${imported?.id}`, calendar_id: to });
  expect(batch.body).toMatchObject({ done: false, event_ids: [id], failed: [{ event_id: imported?.id }] });
  expect(await eventsOf(from)).toHaveLength(2);
  const twice = [imported?.id, (await eventsOf(to))[0]?.id];
  const both = await owner.call("eventsBatch", { events: twice.join(), calendar_id: await newCalendar() });
  expect(both.body).toMatchObject({ event_ids: [twice[0]], failed: [{ event_id: twice[1] }] });
});

test("that were imported are found by the next import of the file into the other calendar", async () => {
  const [from, to] = [await newCalendar(), await newCalendar()];
  const file = calendarFile(vevent("UID:found"));
  await importFile(server, owner, from, file);
  await move((await eventsOf(from))[0]?.id ?? "", to);
  expect((await importFile(server, owner, to, file)).body.import).toMatchObject({ unchanged: 1 });
  expect((await importFile(server, owner, from, file)).body.import).toMatchObject({ created: 1 });
});

test("of several calendars move at once", async () => {
  const [one, two, three] = [await newCalendar(), await newCalendar(), await newCalendar()];
  const events = await Promise.all([newEvent(one), newEvent(two), newEvent(three)]);
  const ids = events.map(({ id }) => id);
  const params = { events: ids.join(), calendar_id: three, shift_days: "1", location: "Hall" };
  const dry = await owner.call("eventsBatch", { ...params, dry_run: "true" });
  expect(dry.body).toMatchObject({ done: false, event_ids: ids, failed: [] });
  const { body, text } = await owner.call("eventsBatch", params);
  expect(body, text).toMatchObject({ done: true, event_ids: ids, failed: [] });
  const moved = await eventsOf(three);
  expect(moved.map(({ id, start_date, location }) => [id, start_date, location]).toSorted()).toEqual(
    ids.map((id) => [id, "2027-03-28T20:00", "Hall"]).toSorted(),
  );
  expect([await eventsOf(one), await eventsOf(two)]).toEqual([[], []]);
});

test("in opposite directions at once do not wait for each other for ever, and none is lost", async () => {
  const [one, two] = [await newCalendar(), await newCalendar()];
  const [first, second] = [await newEvent(one), await newEvent(two)];
  for (let round = 0; round < 15; round++) {
    const [to, fro] = round % 2 === 0 ? [two, one] : [one, two];
    const answers = await Promise.all([
      move(first.id, to),
      move(second.id, fro),
      move(first.id, to),
      owner.call("eventsBatch", { events: `${second.id},${first.id}`, location: String(round) }),
      owner.call("eventsUpdate", { event_id: first.id, title: `Round ${round}` }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const at = await Promise.all([one, two].map(async (id) => (await eventsOf(id)).map((event) => event.id)));
    expect(at).toEqual(to === two ? [[second.id], [first.id]] : [[first.id], [second.id]]);
  }
});

test("leave those behind who may change the calendar of before alone, also when they ask at once", async () => {
  const [from, to, other] = [await newCalendar(), await newCalendar(), await newCalendar()];
  const grants = [from, other].map((id) => ({
    calendar_id: Number(id),
    role: "editor" as const,
    sees_followers: 0,
  }));
  const editor = await signIn(server, owner.id, grants);
  const start_dates = "2027-04-01T10:00";
  for (const [operation, params] of [
    ["eventsUpdate", { title: "Taken" }],
    ["eventsUpdate", { calendar_id: other }],
    ["eventsDelete", {}],
    ["eventsCopy", { calendar_id: other, start_dates }],
    ["eventsRevert", {}],
    ["eventsSeriesDelete", { scope: "all" }],
    ["eventsDetails", {}],
  ] as const) {
    const { id: event_id } = await newEvent(from);
    const [{ id: entry_id }] = (await owner.call("historyList", { event_id })).body.history;
    const moving = move(event_id, to, { title: "Elsewhere" });
    const asked = Array.from({ length: 5 }, () => editor.call(operation, { event_id, entry_id, ...params }));
    const texts = (await Promise.all(asked)).map(({ text }) => text).join();
    expect(texts, operation).not.toContain("Elsewhere");
    if ((await moving).status !== 200) continue; // it was deleted before
    const { history } = (await owner.call("historyList", { event_id })).body;
    expect(history[0], operation).toMatchObject({ by: { kind: "token" }, action: "moved" });
  }
  expect(await eventsOf(other)).not.toContainEqual(expect.objectContaining({ title: "Elsewhere" }));
});
