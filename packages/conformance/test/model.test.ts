import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { fault, faultIds } from "./support/faults.js";
import { startModel } from "./support/model-server.js";

// What the model server says, held against service.md directly: the suite is not asked, so the two are not wrong together.

const model = await startModel({ pageSize: 3 });
afterAll(() => model.stop());

type Values = Readonly<Record<string, string>>;

async function get(path: string, params: Values = {}, token: string | undefined = model.token) {
  const query = new URLSearchParams(token === "" ? params : { ...params, token });
  const response = await fetch(`${model.url}/api/v1/${path}?${query.toString()}`);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

async function newCalendar(params: Values = {}): Promise<string> {
  const { body } = await get("calendars/create/", { title: "A", timezone: "America/New_York", ...params });
  return body.calendar.id;
}

async function newEvent(calendar_id: string, params: Values = {}) {
  const all = { calendar_id, title: "E", start_date: "07/04/2026 01:30 PM", ...params };
  return (await get("calendars/events/create/", all)).body.event;
}

async function titles(calendar_id: string, params: Values = {}): Promise<readonly string[]> {
  const { body } = await get("calendars/events/list/", { calendar_id, ...params });
  return body.events.map(({ title }: { title: string }) => title);
}

test("meta.code is the string 200, on the time zone list the integer (2.1, 4.12)", async () => {
  expect((await get("calendars/list/")).body.meta).toEqual({ code: "200" });
  expect((await get("timezones", {}, "")).body.meta).toEqual({ code: 200 });
});

test("a calendar is created with the fields of 2.3 and the defaults of 4.2", async () => {
  const { body } = await get("calendars/create/", { title: "Town", timezone: "", calendarname: "" });
  expect(body.calendar).toEqual({
    id: expect.stringMatching(/^\d+$/),
    uniquekey: expect.stringMatching(/^[a-z0-9]{12}$/),
    calendarname: "Town",
    title: "Town",
    description: "",
    timezone: "America/Los_Angeles",
    followers_active: "0",
    followers_total: "0",
    events_total: "0",
    palette_id: "1",
    date_create: expect.any(Number),
    date_modified: expect.any(Number),
  });
});

test("a save answers without timezone and moves the calendar to the front of the list (4.1, 4.3)", async () => {
  const first = await newCalendar({ title: "First" });
  const second = await newCalendar({ title: "Second" });
  const { body } = await get("calendars/save/", { calendar_id: first, title: "Saved" });
  expect(body.calendar).not.toHaveProperty("timezone");
  const { calendars } = (await get("calendars/list/")).body;
  expect(calendars.slice(0, 2).map(({ id }: { id: string }) => id)).toEqual([first, second]);
});

test("delete answers with id and status, and the calendar is gone (3, 4.4)", async () => {
  const calendar_id = await newCalendar();
  const { body } = await get("calendars/delete/", { calendar_id });
  expect(body.calendar).toEqual({ id: calendar_id, status: "deleted" });
  expect((await get("calendars/events/list/", { calendar_id })).status).toBe(404);
});

test("an event is created in the form of 2.4, an hour long, with updated_times 0 (4.6)", async () => {
  const calendar = await newCalendar();
  const event = await newEvent(calendar, { description: "one\ntwo", color_id: "20", reminder: "10" });
  expect(event).toMatchObject({
    id: expect.any(Number),
    calendar,
    description: "one\r\ntwo",
    date_start: "07/04/2026",
    date_start_time: "13:30:00",
    date_start_ampm: "PM",
    date_end: "07/04/2026",
    date_end_time: "14:30:00",
    date_end_ampm: "PM",
    all_day_event: "false",
    date_format: "MM/DD/YYYY",
    timezone: "America/New_York",
    color_id: "20",
    reminder: "10",
    organizer: "",
    updated_times: "0",
  });
  for (const absent of ["color", "date_start_unix", "date_end_unix"])
    expect(event).not.toHaveProperty(absent);
});

test("the list shows the event with a string id, color and Unix times (2.4, 4.5)", async () => {
  const calendar_id = await newCalendar();
  const { id } = await newEvent(calendar_id, { color_id: "4" });
  const { body } = await get("calendars/events/list/", { calendar_id });
  expect(body.calendar).toEqual({ id: calendar_id, events_count: 1 });
  // 13:30 in New York in July is 17:30 UTC.
  const start = Date.UTC(2026, 6, 4, 17, 30) / 1000;
  const times = { date_start_unix: start, date_end_unix: start + 3600 };
  expect(body.events[0]).toMatchObject({ id: String(id), color: "4", ...times });
  expect(body.events[0]).not.toHaveProperty("color_id");
});

test("the first save yields updated_times 1 (3, 4.7)", async () => {
  const event = await newEvent(await newCalendar());
  const params = { event_id: String(event.id), title: "Saved", start_date: "07/05/2026 09:00" };
  const saved = (await get("calendars/events/save/", params)).body.event;
  expect(saved).toMatchObject({
    id: event.id,
    title: "Saved",
    updated_times: "1",
    date_end_time: "10:00:00",
  });
});

describe("order and filters of events (4.5)", async () => {
  const calendar_id = await newCalendar({ timezone: "UTC" });
  for (const [title, start_date] of [
    ["late", "03/01/2031 00:30"],
    ["past", "01/01/2001 10:00"],
    ["early", "02/28/2031 23:30"],
  ] as const)
    await newEvent(calendar_id, { title, start_date });

  for (const [params, expected] of [
    [{}, ["early", "past", "late"]],
    [{ order_by: "id-asc" }, ["late", "past", "early"]],
    [{ order_by: "id-desc" }, ["early", "past", "late"]],
    [{ order_by: "date-desc" }, ["late", "early", "past"]],
    [{ month: "02", year: "2031" }, ["early"]],
    [{ upcoming: "now" }, ["early", "late"]],
    [{ upcoming: "now", order_by: "id-asc" }, ["early", "late"]],
    [{ upcoming: "2031-03-01 00:30:00" }, ["late"]],
    [{ upcoming: "01-03-2031 00:30:00" }, ["late"]],
    [{ upcoming: "2031/02/28 11:30pm" }, ["early", "late"]],
    [{ upcoming: "03/01/2031 12:30am" }, ["late"]],
  ] as const)
    test(JSON.stringify(params), async () => expect(await titles(calendar_id, params)).toEqual(expected));
});

test("next is the full URL of the next page, until it is empty (2.2)", async () => {
  const calendar_id = await newCalendar();
  for (let n = 0; n < 7; n++) await newEvent(calendar_id);
  const seen: string[] = [];
  const query = `calendar_id=${calendar_id}&order_by=id-asc&token=${model.token}`;
  let url = `${model.url}/api/v1/calendars/events/list/?${query}`;
  for (let page = 1; url !== ""; page++) {
    const body = JSON.parse(await (await fetch(url)).text());
    seen.push(...body.events.map(({ id }: { id: string }) => id));
    expect(body.calendar.events_count).toBe(7);
    expect(body.paging.previous === "").toBe(page === 1);
    expect(body.paging.next).toBe(
      page === 3 ? "" : `${model.url}/api/v1/calendars/events/list/?${query}&page=${page + 1}`,
    );
    url = body.paging.next;
  }
  expect(seen).toHaveLength(7);
  expect(seen).toEqual(seen.toSorted((one, other) => Number(one) - Number(other)));
});

test("the lists of subscribers: everyone, the inactive, the blocked (4.9)", async () => {
  const params = { calendar_id: model.subscribersCalendar };
  const all = (await get("calendars/subscribers/list/", params)).body;
  expect(all.calendar.subscribers_count).toBe(17);
  for (const [part, flag, value] of [
    ["inactive", "active", "false"],
    ["blocked", "blocked", "true"],
  ] as const) {
    const { body } = await get(`calendars/subscribers/list/${part}/`, params);
    expect(body.subscribers.length).toBeGreaterThan(0);
    for (const subscriber of body.subscribers) expect(subscriber[flag]).toBe(value);
  }
});

test("one subscriber is an array of one, and what is unknown is the text null (2.5, 4.10)", async () => {
  const params = { calendar_id: model.subscribersCalendar, subscriber_id: "1" };
  const { body } = await get("calendars/subscriber/", params);
  expect(body.calendar).toEqual({ id: model.subscribersCalendar });
  expect(body.subscribers).toHaveLength(1);
  expect(body.subscribers[0]).toMatchObject({ id: "1", postal: "null", city: "null", active: "true" });
  expect(body.subscribers[0].date).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/);
});

test("the time zones stand in the order of their names (4.12)", async () => {
  const { data } = (await get("timezones", {}, "")).body;
  const labels: readonly string[] = data.map(({ label }: { label: string }) => label);
  expect(labels).toEqual(labels.toSorted());
  expect(data).toContainEqual({ label: "America/Los_Angeles", offset: "-08:00" });
  expect(data).toContainEqual({ label: "Asia/Kathmandu", offset: "05:45" });
});

test("errors come with their HTTP status and in JSON, and each names what is wrong (7)", async () => {
  const calendar_id = await newCalendar();
  const event = { calendar_id, title: "E", start_date: "07/04/2026 13:30" };
  for (const [path, params, status] of [
    ["calendars/create/", { timezone: "UTC" }, 400],
    ["calendars/list/", { page: "0" }, 400],
    ["calendars/events/list/", { calendar_id: "987654321" }, 404],
    ["calendars/events/list/", { calendar_id, month: "13", year: "2026" }, 400],
    ["calendars/events/list/", { calendar_id, month: "12" }, 400],
    ["calendars/events/create/", { ...event, color_id: "21" }, 400],
    ["calendars/events/create/", { ...event, start_date: "02/30/2026 10:00" }, 400],
    ["calendars/events/create/", { ...event, start_date: "07/04/2026 13:30 AM" }, 400],
    ["nothing/", {}, 404],
  ] as const) {
    const answer = await get(path, params);
    expect(answer.status).toBe(status);
    expect(answer.body.meta).toMatchObject({ code: String(status), error_message: expect.any(String) });
  }
});

test("a token is mandatory, and one account cannot reach another's calendar (5)", async () => {
  const calendar_id = await newCalendar();
  expect((await get("calendars/list/", {}, "")).status).toBe(401);
  expect((await get("calendars/list/", {}, model.token.toUpperCase())).status).toBe(401);
  const absent = await get("calendars/events/list/", { calendar_id: "987654321" }, model.otherToken);
  const foreign = await get("calendars/events/list/", { calendar_id }, model.otherToken);
  expect(foreign.body.meta.error_type).toBe(absent.body.meta.error_type);
  expect(foreign.status).toBe(404);
  expect((await get("calendars/delete/", { calendar_id }, model.otherToken)).status).toBe(404);
  expect(await titles(calendar_id)).toEqual([]);
});

test("local times in gaps and overlaps follow RFC 5545 3.3.5 (rulings R4.3)", async () => {
  const calendar_id = await newCalendar();
  const gap = await newEvent(calendar_id, { start_date: "03/08/2026 02:30" });
  expect(gap.date_start_time).toBe("03:30:00");
  await newEvent(calendar_id, { title: "twice", start_date: "11/01/2026 01:30" });
  const { events } = (await get("calendars/events/list/", { calendar_id, month: "11", year: "2026" })).body;
  expect(events[0].date_start_unix).toBe(Date.UTC(2026, 10, 1, 5, 30) / 1000);
});

test("every fault has a clause and a title of its own", () => {
  const faults = faultIds.map(fault);
  expect(faults.filter(({ id }) => id.startsWith("M"))).toHaveLength(40);
  expect(faults.filter(({ id }) => id.startsWith("K")).length).toBeGreaterThanOrEqual(22);
  expect(new Set(faults.map(({ title }) => title)).size).toBe(faults.length);
  for (const { clause } of faults)
    expect(clause).toMatch(/^(service\.md \d+(\.\d+)?|rulings R\d\.\d+|extensions\.md X\d\.\d)$/);
});

const folder = new URL("../../client/src/testing/", import.meta.url);
const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));

test("the model imports itself and nothing else, so it runs on every platform", () => {
  const imported = sources.flatMap((source) =>
    [...source.matchAll(/ from "([^"]+)"/g)].map(([, from]) => from),
  );
  expect(imported.length).toBeGreaterThan(20);
  expect(imported.filter((from = "") => !from.startsWith("./"))).toEqual([]);
});

test("the published fake has no table of faults", () => {
  const code = sources.join("");
  expect(faultIds.map(fault).filter(({ title }) => code.includes(title))).toEqual([]);
});

test("every fault has its switch in the code", () => {
  const code = sources.join("");
  expect(faultIds.filter((id) => !code.includes(`aulty("${id}")`))).toEqual([]);
});
