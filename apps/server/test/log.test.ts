import { afterAll, beforeAll, expect, test } from "vitest";
import { addFollower } from "./calls.js";
import { onPostgres } from "./databases.js";
import { startTestServer, type TestAccount, type TestServer } from "./harness.js";

// What the log shows beside the line of each request: ids of writes, slow requests, and details at level debug.

const slowMs = 150;
let server: TestServer;
let account: TestAccount;
let calendar: { readonly id: string; readonly uniquekey: string };
beforeAll(async () => {
  server = await startTestServer({ LOG_LEVEL: "debug", SLOW_MS: String(slowMs) });
  account = await server.account();
  ({ calendar } = (await account.call("createCalendar", { title: "Concerts", timezone: "UTC" })).body);
});
afterAll(() => server.stop());

const event = (title: string) => ({ calendar_id: calendar.id, title, start_date: "07/04/2027 13:30" });

/** Waits for the line of the last request of an operation. */
async function lineOf(msg: string, operation: string): Promise<Record<string, unknown>> {
  const find = () => server.logLines.findLast((line) => line.msg === msg && line.operation === operation);
  await expect.poll(find).toBeDefined();
  return find() ?? {};
}

/** Returns the details of a request, whose line is written when it is over. */
async function detailsOf(requestId: string | null): Promise<Record<string, unknown>> {
  const find = () =>
    server.logLines.find((line) => line.msg === "request details" && line.request_id === requestId);
  await expect.poll(find).toBeDefined();
  return find() ?? {};
}

test("the line of a write has the ids of the calendar and of the event", async () => {
  const made = (await account.call("createCalendar", { title: "x", timezone: "UTC" })).body.calendar;
  const of = { calendar_id: Number(made.id) };
  const { id } = (await account.call("createEvent", { ...event("x"), calendar_id: made.id })).body.event;
  expect(await lineOf("request", "createCalendar")).toMatchObject(of);
  expect(await lineOf("request", "createEvent")).toMatchObject({ ...of, event_id: id });
  await account.call("saveEvent", { event_id: String(id), title: "y", start_date: "07/05/2027 13:30" });
  await account.call("deleteEvent", { event_id: String(id) });
  await account.call("saveCalendar", { calendar_id: made.id, title: "y" });
  await account.call("deleteCalendar", { calendar_id: made.id });
  for (const operation of ["saveEvent", "deleteEvent"])
    expect(await lineOf("request", operation)).toMatchObject({ ...of, event_id: id });
  for (const operation of ["saveCalendar", "deleteCalendar"])
    expect(await lineOf("request", operation)).toMatchObject(of);
});

test("a request over SLOW_MS has a line with its slowest query and its wait; others have none", async () => {
  const slow = await server.db.transaction(async (trx) => {
    await trx("calendars")
      .where({ id: Number(calendar.id) })
      .update({ searchable: 0 });
    const answer = account.call("createEvent", event("waits"));
    const since = performance.now();
    await expect.poll(() => performance.now() - since, { timeout: 5_000 }).toBeGreaterThan(2 * slowMs);
    return { answer };
  });
  const requestId = (await slow.answer).headers.get("X-Request-Id");
  const line = await lineOf("slow request", "createEvent");
  expect(line).toMatchObject({ level: 40, request_id: requestId, query: expect.any(String) });
  expect(line.ms).toBeGreaterThanOrEqual(slowMs);
  // On PostgreSQL it waits for the row, on SQLite for its turn.
  if (onPostgres) expect(line.query).toBe("lock calendars");
  expect(onPostgres ? line.query_ms : line.wait_ms).toBeGreaterThanOrEqual(slowMs);
  await server.request("/healthz");
  await lineOf("request", "healthz");
  const requests = server.logLines.filter(({ msg }) => msg === "request");
  const slower = requests.filter(({ ms }) => Number(ms) >= slowMs);
  expect(slower.length).toBeLessThan(requests.length);
  const reported = server.logLines.filter(({ msg }) => msg === "slow request");
  expect(reported.map((each) => each.request_id)).toEqual(slower.map((each) => each.request_id));
});

test("at level debug each request has its queries, by name, and whether its response was cached", async () => {
  const list = async () => {
    const { headers } = await account.call("listEvents", { calendar_id: calendar.id });
    return detailsOf(headers.get("X-Request-Id"));
  };
  const miss = await list();
  expect(miss).toMatchObject({ level: 20, cache: "miss", wait_ms: expect.any(Number) });
  expect(miss.queries).toContainEqual({ query: "list events", ms: expect.any(Number) });
  expect(await list()).toMatchObject({ cache: "hit" });

  const calendars = await account.call("listCalendars");
  const listed = await detailsOf(calendars.headers.get("X-Request-Id"));
  // SQLite's change counter takes no query.
  for (const query of [...(onPostgres ? ["change counter"] : []), "list calendars"])
    expect(listed.queries).toContainEqual({ query, ms: expect.any(Number) });

  const written = await account.call("createEvent", event("x"));
  const { queries } = await detailsOf(written.headers.get("X-Request-Id"));
  const names = ["lock calendars", "insert events", "count events", "commit"];
  for (const query of names) expect(queries).toContainEqual({ query, ms: expect.any(Number) });

  const { id, key } = await addFollower(server, account, calendar.id);
  const read = await account.call("getSubscriber", { calendar_id: calendar.id, subscriber_id: String(id) });
  const details = await detailsOf(read.headers.get("X-Request-Id"));
  expect(details.queries).toContainEqual({ query: "select subscribers", ms: expect.any(Number) });

  const feeds = [await server.request(`/f/${key}/x.ics`), await server.request(`/f/${key}/x.ics`)];
  const [first, second] = await Promise.all(
    feeds.map(({ headers }) => detailsOf(headers.get("X-Request-Id"))),
  );
  expect([first?.cache, second?.cache]).toEqual(["miss", "hit"]);
  const page = await server.request(`/c/${calendar.uniquekey}`);
  expect(page.status).toBe(200);
  const shown = await detailsOf(page.headers.get("X-Request-Id"));
  expect(shown.queries).toContainEqual({ query: "select calendars", ms: expect.any(Number) });

  for (const secret of [account.token, key]) expect(server.logText()).not.toContain(secret);
});

test("with SLOW_MS=0 no request is reported as slow, and level info has no details", async () => {
  const quiet = await startTestServer({ SLOW_MS: "0" });
  const { headers } = await quiet.request("/api/v1/timezones");
  await expect.poll(() => quiet.logText()).toContain(headers.get("X-Request-Id"));
  const messages = quiet.logLines.map(({ msg }) => msg);
  for (const absent of ["slow request", "request details"]) expect(messages).not.toContain(absent);
  await quiet.stop();
});
