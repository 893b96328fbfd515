import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addSubscriber } from "../../apps/server/test/calls.js";
import { startTestServer, type TestAccount, type TestServer } from "../../apps/server/test/harness.js";
import {
  CalendarApiError,
  createCalendarClient,
  formatStartDate,
  type CalendarClient,
  type CalendarClientOptions,
} from "@kalends/client";

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startTestServer({ PAGE_SIZE: "4" });
});
afterAll(() => server.stop());

async function newClient(options: Partial<CalendarClientOptions> = {}): Promise<CalendarClient> {
  account = await server.account();
  return createCalendarClient({ baseUrl: server.url, token: account.token, ...options });
}

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

const ways = [
  { title: "by form, the token in the header", options: {} },
  { title: "by form, the token in the query", options: { tokenIn: "query" } },
  { title: "by plain URL, the token in the header", options: { mutationMethod: "GET" } },
  { title: "by plain URL, the token in the query", options: { tokenIn: "query", mutationMethod: "GET" } },
] as const;

describe.each(ways)("$title", ({ options }) => {
  test("a calendar and its event are made, saved, listed and deleted", async () => {
    const client = await newClient(options);
    const title = "100 % & more + “🎉” =?#";
    const calendar = await client.calendars.create({
      title,
      timezone: "Europe/Paris",
      description: "a\r\nb",
    });
    expect(calendar).toMatchObject({ title, timezone: "Europe/Paris", events_total: "0" });
    const saved = await client.calendars.save({
      calendar_id: calendar.id,
      title: "Concerts",
      timezone: "Europe/Rome",
    });
    expect(saved).toMatchObject({ id: calendar.id, title: "Concerts", description: calendar.description });
    expect(saved).not.toHaveProperty("timezone");
    const start = formatStartDate(new Date("2026-07-04T11:30:00Z"), "Europe/Rome");
    const event = await client.events.create({ calendar_id: calendar.id, title, start_date: start });
    expect(event).toMatchObject({
      title,
      date_start: "07/04/2026",
      date_start_time: "13:30:00",
      color_id: "",
    });
    const again = await client.events.save({ event_id: event.id, title: "Opening night", start_date: start });
    expect(again).toMatchObject({ id: event.id, updated_times: "1" });
    const listed = await all(client.events.list({ calendar_id: calendar.id }));
    expect(listed).toMatchObject([{ id: String(event.id), title: "Opening night", color: "" }]);
    expect(listed[0]?.date_start_unix).toBe(Date.parse("2026-07-04T11:30:00Z") / 1000);
    expect(await client.events.delete(event.id)).toEqual({ id: String(event.id), status: "deleted" });
    expect(await client.calendars.delete(calendar.id)).toEqual({ id: calendar.id, status: "deleted" });
    expect(await all(client.calendars.list())).toEqual([]);
  });
});

describe("lists", () => {
  test("go over all pages, page by page or from a later one, anew each time, and know the total", async () => {
    const client = await newClient({ tokenIn: "query" });
    const { id } = await client.calendars.create({ title: "Many", timezone: "Etc/UTC" });
    for (let day = 1; day <= 10; day += 1) {
      const start_date = formatStartDate({ year: 2026, month: 8, day });
      await client.events.create({ calendar_id: id, title: String(day), start_date });
    }
    const list = client.events.list({ calendar_id: id, order_by: "id-asc" });
    const titles = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
    expect((await all(list)).map(({ title }) => title)).toEqual(titles);
    expect((await all(list)).map(({ title }) => title)).toEqual(titles);
    const pages = await all(list.pages());
    expect(pages.map(({ page, items, total }) => [page, items.length, total])).toEqual([
      [1, 4, 10],
      [2, 4, 10],
      [3, 2, 10],
    ]);
    expect(JSON.stringify(pages)).not.toContain(account.token);
    const rest = client.events.list({ calendar_id: id, order_by: "id-asc", page: "3" });
    expect((await all(rest)).map(({ title }) => title)).toEqual(["9", "10"]);
    const none = client.events.list({ calendar_id: id, month: "09", year: "2026" });
    expect(await all(none.pages())).toEqual([{ page: 1, items: [], total: 0 }]);
  });

  test("of time zones need no token and send none", async () => {
    const client = createCalendarClient({ baseUrl: server.url });
    const zones = await all(client.timezones.list());
    expect(zones.length).toBeGreaterThan(300);
    expect(zones.find(({ label }) => label === "Asia/Kolkata")).toEqual({
      label: "Asia/Kolkata",
      offset: "05:30",
    });
    await expect(all(client.calendars.list())).rejects.toThrow(new TypeError("token: is missing"));
  });

  test("of subscribers have everyone, the inactive or the blocked, and each can be read alone", async () => {
    const client = await newClient();
    const { id } = await client.calendars.create({ title: "Followed", timezone: "Etc/UTC" });
    const person = { active: 1, blocked: 0, subscribed_at: server.now };
    const ids: string[] = [];
    for (const choice of [{}, { active: 0 }, { blocked: 1 }, {}, {}])
      ids.push(String((await addSubscriber(server, account, id, { ...person, ...choice })).id));
    const { subscribers } = client;
    const idsOf = async (list: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> =>
      (await all(list)).map((subscriber) => subscriber.id);
    const params = { calendar_id: id, order_by: "id-asc" } as const;
    expect(await idsOf(subscribers.list(params))).toEqual(ids);
    expect(await idsOf(subscribers.listInactive(params))).toEqual([ids[1]]);
    expect(await idsOf(subscribers.listBlocked(params))).toEqual([ids[2]]);
    const one = await subscribers.get({ calendar_id: id, subscriber_id: ids[2] ?? "" });
    expect(one).toMatchObject({ id: ids[2], blocked: "true", active: "true", email: "ada@example.com" });
  });

  test("of subscribers are empty without followers, and one that is not there is a 404", async () => {
    const client = await newClient();
    const { id } = await client.calendars.create({ title: "Quiet", timezone: "Etc/UTC" });
    const { subscribers } = client;
    for (const list of [subscribers.list, subscribers.listInactive, subscribers.listBlocked])
      expect(await all(list({ calendar_id: id }).pages())).toEqual([{ page: 1, items: [], total: 0 }]);
    await expect(subscribers.get({ calendar_id: id, subscriber_id: "1" })).rejects.toMatchObject({
      kind: "http",
      status: 404,
      errorType: "subscriber_not_found",
    });
  });
});

describe("errors of the server", () => {
  test("have the status, the type, the sentence, the failing parameters and the request's id", async () => {
    const client = await newClient();
    const failed = client.calendars.create({ title: "", timezone: "Mars/Olympus" });
    const error = await failed.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CalendarApiError);
    expect(error).toMatchObject({ name: "CalendarApiError", kind: "http", status: 400 });
    expect(error).toMatchObject({
      errorType: expect.stringMatching(/^parameter_/),
      message: expect.stringContaining("title"),
      parameters: expect.arrayContaining([{ parameter: "timezone", message: expect.any(String) }]),
      requestId: expect.stringMatching(/^\w{8,}/),
      retryAfter: undefined,
    });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      kind: "http",
      status: 400,
      message: expect.any(String),
    });
  });

  test("are the same with a wrong token, which they do not show", async () => {
    const client = createCalendarClient({
      baseUrl: server.url,
      token: "wrong-token-canary",
      tokenIn: "query",
    });
    const error = await all(client.calendars.list()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: "http", status: 401, errorType: "token_unknown" });
    expect(String(error)).not.toContain("canary");
  });
});

describe("raw", () => {
  test("is the typed openapi-fetch client, with the token", async () => {
    const client = await newClient();
    const created = await client.raw.POST("/api/v1/calendars/create/", {
      body: { title: "Raw", timezone: "Etc/UTC" },
    });
    expect(created.data?.calendar.title).toBe("Raw");
    const missing = await client.raw.GET("/api/v1/calendars/events/list/", {
      params: { query: { calendar_id: "999999" } },
    });
    expect([missing.response.status, missing.error?.meta.error_type]).toEqual([404, "calendar_not_found"]);
  });

  test("shows the token to no other server", async () => {
    const client = await newClient();
    const call = client.raw.GET("/api/v1/calendars/list/", { baseUrl: "http://127.0.0.1:9" });
    await expect(call).rejects.toThrow("raw: the baseUrl is fixed");
  });
});
