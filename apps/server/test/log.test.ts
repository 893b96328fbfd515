import { afterAll, beforeAll, expect, test } from "vitest";
import { addFollower } from "./calls.js";
import { onPostgres } from "./databases.js";
import { type Answer, startTestServer, type TestAccount, type TestServer } from "./harness.js";

// What the log shows beside the line of each request: ids of writes, slow requests, and details at level debug.

const slowMs = 150;
const METRICS_TOKEN = "metrics-token-of-a-test";
let server: TestServer;
let account: TestAccount;
let calendar: { readonly id: string; readonly uniquekey: string };
beforeAll(async () => {
  server = await startTestServer({ LOG_LEVEL: "debug", SLOW_MS: String(slowMs), METRICS_TOKEN });
  account = await server.account();
  ({ calendar } = (await account.call("createCalendar", { title: "Concerts", timezone: "UTC" })).body);
});
afterAll(() => server.stop());

const event = (title: string) => ({ calendar_id: calendar.id, title, start_date: "07/04/2027 13:30" });

/** Waits for a line of the request of an answer, which is written when the request is over. */
async function lineOf(msg: string, { headers }: Pick<Answer, "headers">): Promise<Record<string, unknown>> {
  const id = headers.get("X-Request-Id");
  const find = () => server.logLines.find((line) => line.msg === msg && line.request_id === id);
  await expect.poll(find).toBeDefined();
  return find() ?? {};
}

const detailsOf = (answer: Pick<Answer, "headers">) => lineOf("request details", answer);

test("the line of a write has the ids of the calendar and of the event", async () => {
  const made = await account.call("createCalendar", { title: "x", timezone: "UTC" });
  const calendar_id = made.body.calendar.id;
  const of = { calendar_id: Number(calendar_id) };
  const created = await account.call("createEvent", { ...event("x"), calendar_id });
  const { id } = created.body.event;
  const fields = { event_id: String(id), title: "y", start_date: "07/05/2027 13:30" };
  const ofEvent = [
    ["createEvent", created],
    ["saveEvent", await account.call("saveEvent", fields)],
    ["deleteEvent", await account.call("deleteEvent", { event_id: String(id) })],
  ] as const;
  const ofCalendar = [
    ["createCalendar", made],
    ["saveCalendar", await account.call("saveCalendar", { calendar_id, title: "y" })],
    ["deleteCalendar", await account.call("deleteCalendar", { calendar_id })],
  ] as const;
  for (const [operation, answer] of ofEvent)
    expect(await lineOf("request", answer)).toMatchObject({ operation, ...of, event_id: id });
  for (const [operation, answer] of ofCalendar)
    expect(await lineOf("request", answer)).toMatchObject({ operation, ...of });
});

/** How many writes wait: on PostgreSQL for the row, on SQLite for their turn. */
async function waitingWrites(): Promise<number> {
  if (onPostgres) {
    const sql = "from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    return (await server.db.read.raw(`select count(*)::int as count ${sql}`)).rows[0].count;
  }
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const { text } = await server.request("/metrics", { headers });
  return Number(/^kalends_write_queue_length (\d+)$/m.exec(text)?.[1]);
}

test("a request over SLOW_MS has a line with its slowest query and its wait; others have none", async () => {
  const slow = await server.db.transaction(async (trx) => {
    await trx("calendars")
      .where({ id: Number(calendar.id) })
      .update({ searchable: 0 });
    const answer = account.call("createEvent", event("waits"));
    await expect.poll(waitingWrites).toBe(1);
    const since = performance.now();
    await expect.poll(() => performance.now() - since, { timeout: 5_000 }).toBeGreaterThan(2 * slowMs);
    return { answer };
  });
  const answer = await slow.answer;
  const line = await lineOf("slow request", answer);
  const queries: readonly { readonly query: string; readonly ms: number }[] = Object.values(
    (await detailsOf(answer)).queries ?? [],
  );
  const longest = Math.max(...queries.map(({ ms }) => ms)); // several may have it, since times are rounded
  expect(line).toMatchObject({ level: 40, query_ms: longest });
  expect(queries).toContainEqual({ query: line.query, ms: longest });
  expect(line.ms).toBeGreaterThanOrEqual(slowMs);
  const locks = queries.filter(({ query }) => query === "lock calendars").map(({ ms }) => ms);
  expect(onPostgres ? Math.max(...locks) : line.wait_ms).toBeGreaterThanOrEqual(slowMs);
  await lineOf("request", await server.request("/api/v1/timezones"));
  const requests = server.logLines.filter(({ msg }) => msg === "request");
  const slower = requests.filter(({ ms }) => Number(ms) >= slowMs);
  expect(slower.length).toBeLessThan(requests.length);
  const reported = server.logLines.filter(({ msg }) => msg === "slow request");
  expect(reported.map((each) => each.request_id)).toEqual(slower.map((each) => each.request_id));
});

test("at level debug each request has its queries, by name, and whether its response was cached", async () => {
  const list = async () => {
    return detailsOf(await account.call("listEvents", { calendar_id: calendar.id }));
  };
  const miss = await list();
  expect(miss).toMatchObject({ level: 20, cache: "miss", wait_ms: expect.any(Number) });
  expect(miss.queries).toContainEqual({ query: "list events", ms: expect.any(Number) });
  expect(await list()).toMatchObject({ cache: "hit" });

  const calendars = await account.call("listCalendars");
  const listed = await detailsOf(calendars);
  // SQLite's change counter takes no query.
  for (const query of [...(onPostgres ? ["change counter"] : []), "list calendars"])
    expect(listed.queries).toContainEqual({ query, ms: expect.any(Number) });

  const written = await account.call("createEvent", event("x"));
  const { queries } = await detailsOf(written);
  const names = ["lock calendars", "insert events", "count events", "commit"];
  for (const query of names) expect(queries).toContainEqual({ query, ms: expect.any(Number) });

  const { id, key } = await addFollower(server, account, calendar.id);
  const read = await account.call("getSubscriber", { calendar_id: calendar.id, subscriber_id: String(id) });
  const details = await detailsOf(read);
  expect(details.queries).toContainEqual({ query: "select subscribers", ms: expect.any(Number) });

  const feeds = [await server.request(`/f/${key}/x.ics`), await server.request(`/f/${key}/x.ics`)];
  const [first, second] = await Promise.all(feeds.map(detailsOf));
  expect([first?.cache, second?.cache]).toEqual(["miss", "hit"]);
  const page = await server.request(`/c/${calendar.uniquekey}`);
  expect(page.status).toBe(200);
  const shown = await detailsOf(page);
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
