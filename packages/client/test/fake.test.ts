import { afterEach, describe, expect, test, vi } from "vitest";
import { CalendarApiError, createCalendarClient, type CalendarClientOptions } from "../src/index.js";
import { createFakeServer, type FakeServer } from "../src/testing/index.js";

function clientOf(fake: FakeServer, options: Partial<CalendarClientOptions> = {}) {
  return createCalendarClient({ baseUrl: fake.baseUrl, token: fake.token, fetch: fake.fetch, ...options });
}

async function all<Item>(list: AsyncIterable<Item>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => new Error("nothing was thrown"),
    (error: unknown) => error,
  );
}

const trip = { title: "Trips", timezone: "Asia/Tokyo" };
const departure = { title: "Departure", start_date: "07/04/2026 19:30" };

describe("a fake server", () => {
  test("starts empty, keeps what is written, and shows it to the test", async () => {
    const fake = createFakeServer();
    const client = clientOf(fake);
    expect(await all(client.calendars.list())).toEqual([]);
    const { id } = await client.calendars.create(trip);
    const event = await client.events.create({ calendar_id: id, ...departure });
    await client.events.save({ event_id: event.id, title: "Late", start_date: "07/04/2026 20:30" });
    expect(fake.calendars).toEqual([
      expect.objectContaining({ id, account: "owner", title: "Trips", timezone: "Asia/Tokyo" }),
    ]);
    expect(fake.events).toEqual([
      expect.objectContaining({
        calendar_id: id,
        title: "Late",
        saves: 1,
        start: new Date("2026-07-04T11:30Z"),
      }),
    ]);
    await client.calendars.delete(id);
    expect([fake.calendars, fake.events]).toEqual([[], []]);
  });

  test("takes the time from its clock", async () => {
    let now = new Date("2030-01-01T00:00:00Z");
    const fake = createFakeServer({ clock: () => now });
    const client = clientOf(fake);
    const { id, date_create } = await client.calendars.create(trip);
    expect(date_create).toBe(Date.parse("2030-01-01T00:00:00Z") / 1000);
    await client.events.create({ calendar_id: id, title: "Over", start_date: "01/02/2030 09:00" });
    const upcoming = async () => (await all(client.events.list({ calendar_id: id, upcoming: "now" }))).length;
    expect(await upcoming()).toBe(1);
    now = new Date("2030-02-01T00:00:00Z");
    expect(await upcoming()).toBe(0);
  });

  test("reports the requests it received, without the token", async () => {
    const fake = createFakeServer();
    const client = clientOf(fake, { tokenIn: "query" });
    await client.calendars.create(trip);
    await errorOf(client.calendars.delete("99"));
    expect(fake.requests).toEqual([
      {
        method: "POST",
        path: "/api/v1/calendars/create/",
        operation: "createCalendar",
        params: trip,
        fault: undefined,
        status: 200,
      },
      expect.objectContaining({ operation: "deleteCalendar", params: { calendar_id: "99" }, status: 404 }),
    ]);
    expect(JSON.stringify(fake.requests)).not.toContain(fake.token);
  });

  test("isolates accounts and enforces scopes", async () => {
    const fake = createFakeServer();
    const { id } = await clientOf(fake).calendars.create(trip);
    expect(await all(clientOf(fake, { token: fake.otherToken }).calendars.list())).toEqual([]);
    const reader = clientOf(fake, { token: fake.readToken });
    expect((await all(reader.calendars.list())).map((calendar) => calendar.id)).toEqual([id]);
    expect(await errorOf(reader.calendars.delete(id))).toMatchObject({ errorType: "scope_insufficient" });
    const wrong = clientOf(fake, { token: "wrong" });
    expect(await errorOf(wrong.calendars.create(trip))).toMatchObject({ errorType: "token_unknown" });
  });

  test("does a write with a key once, and answers it again as it did (extensions.md X2.1)", async () => {
    let now = new Date("2030-01-01T00:00:00Z");
    const fake = createFakeServer({ clock: () => now });
    const create = async (
      key: string,
      fields: Readonly<Record<string, string>> = trip,
      token = fake.token,
    ) => {
      const init = { method: "POST", body: new URLSearchParams(fields) };
      const headers = { Authorization: `Bearer ${token}`, "Idempotency-Key": key };
      const url = `${fake.baseUrl}/api/v1/calendars/create/`;
      const response = await fake.fetch(url, { ...init, headers });
      const replayed = response.headers.get("Idempotency-Replayed");
      return { status: response.status, replayed, body: await response.text() };
    };
    const first = await create("a");
    expect([first.status, first.replayed]).toEqual([200, null]);
    const turned = { timezone: trip.timezone, title: trip.title };
    expect(await create("a", turned)).toEqual({ ...first, replayed: "true" });
    expect(await create("a", { ...trip, title: "Other" })).toMatchObject({ status: 422 });
    expect(await create("b", { title: "" })).toMatchObject({ status: 400 });
    for (const key of ["b", "c"]) expect(await create(key)).toMatchObject({ status: 200, replayed: null });
    expect(await create("a", trip, fake.otherToken)).toMatchObject({ status: 200, replayed: null });
    for (const bad of ["", "a b", "x".repeat(256)]) expect(await create(bad)).toMatchObject({ status: 400 });
    expect(fake.calendars).toHaveLength(4);
    now = new Date("2030-01-02T00:00:00Z");
    expect(await create("a")).toMatchObject({ status: 200, replayed: null });
    expect(fake.calendars).toHaveLength(5);
  });

  test("has the subscribers that a test adds", async () => {
    const fake = createFakeServer();
    const { calendars, subscribers } = clientOf(fake);
    const { id: calendar_id } = await calendars.create(trip);
    fake.addSubscriber({ calendar_id, name: "Ada", email: "ada@example.com" });
    const inactive = fake.addSubscriber({ calendar_id, active: false });
    const blocked = fake.addSubscriber({ calendar_id, blocked: true, since: new Date("2026-07-01T00:00Z") });
    const idsOf = async (list: AsyncIterable<{ readonly id: string }>) =>
      (await all(list)).map(({ id }) => id);
    expect(await idsOf(subscribers.list({ calendar_id }))).toHaveLength(3);
    expect(await idsOf(subscribers.listInactive({ calendar_id }))).toEqual([inactive]);
    expect(await idsOf(subscribers.listBlocked({ calendar_id }))).toEqual([blocked]);
    expect((await all(calendars.list()))[0]).toMatchObject({ followers_active: "1", followers_total: "3" });
    expect(() => fake.addSubscriber({ calendar_id: "99" })).toThrow(RangeError);
  });

  test("is empty after a reset, so that tests share no data", async () => {
    const fake = createFakeServer();
    const client = clientOf(fake, { retries: 0 });
    const first = await client.calendars.create(trip);
    fake.fail({ kind: "error", status: 503, times: Infinity });
    fake.reset();
    expect([fake.calendars, fake.requests]).toEqual([[], []]);
    expect((await client.calendars.create(trip)).id).toBe(first.id);
  });

  test("has pages of any size, below any base address", async () => {
    const fake = createFakeServer({ pageSize: 2, baseUrl: "https://example.com/kalends/" });
    const client = clientOf(fake);
    for (const title of ["a", "b", "c"]) await client.calendars.create({ ...trip, title });
    const pages = await all(client.calendars.list().pages());
    expect(pages.map(({ items }) => items.length)).toEqual([2, 1]);
    const response = await fake.fetch(
      `https://example.com/kalends/api/v1/calendars/list/?token=${fake.token}`,
    );
    expect(await response.json()).toMatchObject({
      paging: { next: `https://example.com/kalends/api/v1/calendars/list/?token=${fake.token}&page=2` },
    });
    expect((await fake.fetch("https://example.com/api/v1/timezones")).status).toBe(200);
    expect((await fake.fetch("https://example.com/elsewhere")).status).toBe(404);
  });
});

describe("a fault", () => {
  afterEach(() => void vi.useRealTimers());

  test("applies to one request, in the order given, and the client repeats a read", async () => {
    const fake = createFakeServer({ faults: [{ kind: "error", status: 503 }, { kind: "refused" }] });
    expect(await all(clientOf(fake).calendars.list())).toEqual([]);
    expect(fake.requests.map(({ fault, status }) => [fault, status])).toEqual([
      ["error", 503],
      ["refused", undefined],
      [undefined, 200],
    ]);
  });

  test.each([
    [429, "rate_limited"],
    [500, "internal_error"],
    [503, "overloaded"],
    [507, "storage_full"],
  ] as const)("of the kind error answers %i in the envelope, and changes nothing", async (status, type) => {
    const fake = createFakeServer({ faults: [{ kind: "error", status, retryAfter: 90 }] });
    const error = await errorOf(clientOf(fake).calendars.create(trip));
    expect(error).toMatchObject({ kind: "http", status, errorType: type, retryAfter: 90 });
    expect(fake.calendars).toEqual([]);
  });

  test("may name a date in Retry-After, which counts from the fake's clock", async () => {
    const clock = () => new Date("2030-01-01T00:00:00Z");
    const fake = createFakeServer({ clock });
    fake.fail({ kind: "error", status: 503, retryAfter: new Date("2030-01-01T01:00:00Z") });
    expect(await errorOf(all(clientOf(fake).calendars.list()))).toMatchObject({ retryAfter: 3600 });
  });

  test("of the kind lost carries a write out and loses the answer; refused does not carry it out", async () => {
    const fake = createFakeServer({ faults: [{ kind: "lost" }, { kind: "refused" }, { kind: "cut" }] });
    const client = clientOf(fake, { retries: 0 });
    for (const made of [1, 1, 2]) {
      expect(await errorOf(client.calendars.create(trip))).toMatchObject({ kind: "network" });
      expect(fake.calendars).toHaveLength(made);
    }
    expect(fake.requests.map(({ status }) => status)).toEqual([200, undefined, 200]);
  });

  test("of the kind html is what a proxy answers", async () => {
    const fake = createFakeServer({
      faults: [
        { kind: "html", status: 502 },
        { kind: "html", status: 200 },
      ],
    });
    const client = clientOf(fake, { retries: 0 });
    expect(await errorOf(client.calendars.create(trip))).toMatchObject({ kind: "http", status: 502 });
    expect(await errorOf(client.calendars.create(trip))).toMatchObject({ kind: "parse" });
    expect(fake.calendars).toEqual([]);
  });

  test("of the kind slow delays the response, or withholds it, with timers that a test can fake", async () => {
    vi.useFakeTimers();
    const fake = createFakeServer({
      faults: [
        { kind: "slow", ms: 5_000 },
        { kind: "slow", ms: Infinity },
      ],
    });
    const client = clientOf(fake, { timeoutMs: 10_000, retries: 0 });
    const late = client.calendars.create(trip);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await late).toMatchObject({ title: "Trips" });
    const never = errorOf(client.calendars.create(trip));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await never).toMatchObject({ kind: "timeout" });
    expect(fake.calendars).toHaveLength(2);
  });

  test("applies to its operation, as many times as it says", async () => {
    const fake = createFakeServer();
    const client = clientOf(fake, { retries: 0 });
    fake.fail({ kind: "error", status: 503, operation: "deleteCalendar", times: 2 });
    const { id } = await client.calendars.create(trip);
    expect(await errorOf(client.calendars.delete(id))).toBeInstanceOf(CalendarApiError);
    expect(await errorOf(client.calendars.delete(id))).toBeInstanceOf(CalendarApiError);
    expect(await client.calendars.delete(id)).toEqual({ id, status: "deleted" });
  });

  test("of the kind slow ends when the caller aborts", async () => {
    const fake = createFakeServer({ faults: [{ kind: "slow", ms: Infinity }] });
    const caller = new AbortController();
    const call = fake.fetch(`${fake.baseUrl}/api/v1/timezones`, { signal: caller.signal });
    caller.abort();
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
    await expect(fake.fetch(fake.baseUrl, { signal: caller.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
  });
});
