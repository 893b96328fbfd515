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

test("a request and a query over SLOW_MS have a line; others have none", async () => {
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
  const line = await lineOf("slow request", await slow.answer);
  expect(line).toMatchObject({ level: 40, operation: "createEvent" });
  expect(line.ms).toBeGreaterThanOrEqual(slowMs);
  if (onPostgres)
    expect(queriesOf("slow query")).toContainEqual(expect.stringMatching(/^select c\.id, c\.account_id/));
  await lineOf("request", await server.request("/api/v1/timezones"));
  const requests = server.logLines.filter(({ msg }) => msg === "request");
  const slower = requests.filter(({ ms }) => Number(ms) >= slowMs);
  expect(slower.length).toBeLessThan(requests.length);
  const reported = server.logLines.filter(({ msg }) => msg === "slow request");
  expect(reported.map((each) => each.request_id)).toEqual(slower.map((each) => each.request_id));
  for (const { ms } of server.logLines.filter(({ msg }) => msg === "slow query"))
    expect(ms).toBeGreaterThanOrEqual(slowMs);
});

/** What the lines of queries show of them. */
const queriesOf = (msg: string) =>
  server.logLines.filter((line) => line.msg === msg).map(({ query }) => query);

test("at level debug each query has a line, without its values, and each request says whether it was cached", async () => {
  const list = async () => detailsOf(await account.call("listEvents", { calendar_id: calendar.id }));
  expect(await list()).toMatchObject({ level: 20, operation: "listEvents", cache: "miss" });
  expect(await list()).toMatchObject({ cache: "hit" });

  const { id, key } = await addFollower(server, account, calendar.id);
  const feeds = [await server.request(`/f/${key}/x.ics`), await server.request(`/f/${key}/x.ics`)];
  const [first, second] = await Promise.all(feeds.map(detailsOf));
  expect([first?.cache, second?.cache]).toEqual(["miss", "hit"]);

  await account.call("createEvent", event("a text that no line shows"));
  await account.call("getSubscriber", { calendar_id: calendar.id, subscriber_id: String(id) });
  const queries = queriesOf("query");
  for (const one of [
    /^insert into events /,
    / from subscribers as s join /,
    /^select \* from .subscribers. where /,
  ])
    expect(queries).toContainEqual(expect.stringMatching(one)); // a write, a look-up, Knex
  expect(server.logLines.filter(({ msg }) => msg === "query")[0]).toMatchObject({
    level: 20,
    ms: expect.any(Number),
  });
  for (const secret of [account.token, key, "a text that no line shows"])
    expect(server.logText()).not.toContain(secret);
});

test("with SLOW_MS=0 no request is reported as slow, and level info has no details", async () => {
  const quiet = await startTestServer({ SLOW_MS: "0" });
  const { headers } = await quiet.request("/api/v1/timezones");
  await expect.poll(() => quiet.logText()).toContain(headers.get("X-Request-Id"));
  const messages = quiet.logLines.map(({ msg }) => msg);
  for (const absent of ["slow request", "slow query", "query", "request details"])
    expect(messages).not.toContain(absent);
  await quiet.stop();
});
