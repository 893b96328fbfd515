import { afterAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "./databases.js";
import { request, startTestServer, type TestAccount, testAccount, type TestServer } from "./harness.js";

// Whatever is remembered, in whichever process: an answer to a request that began after a write was acknowledged shows it.

const saves = 12;

const database: TestDatabase = await createTestDatabase("migrated");
const settings = { DATABASE_URL: database.url };
const servers: readonly TestServer[] = [await startTestServer(settings), await startTestServer(settings)];
const [first] = servers;
if (first === undefined) throw new Error("no server");
const owner = await first.account();
const others: readonly TestAccount[] = servers.map(({ url }) => testAccount(url, owner.id, owner.token));
afterAll(async () => {
  for (const server of servers) await server.stop();
  await database.remove();
});

/** The number in a title such as "save 12". */
const numberIn = (text: string): number => Number(/save (\d+)/.exec(text)?.[1]);

test("12 saves while every list and feed is read through two servers: no response is older than the writes acknowledged before its request", async () => {
  const { calendar } = (
    await owner.call("createCalendar", { calendarname: "x", title: "save 0", timezone: "Etc/UTC" })
  ).body;
  const { event } = (
    await owner.call("createEvent", {
      calendar_id: calendar.id,
      title: "save 0",
      start_date: "07/04/2026 10:00",
    })
  ).body;
  const month = { month: "07", year: "2026" };
  const reads = others.flatMap(({ call }, index) => [
    async () => (await call("listEvents", { calendar_id: calendar.id })).body.events[0].title,
    async () => (await call("listEvents", { calendar_id: calendar.id, ...month })).body.events[0].title,
    async () => (await call("listCalendars")).body.calendars[0].title,
    async () => (await request(`${servers[index]?.url}/c/${calendar.uniquekey}/x.ics`)).text,
  ]);
  const seen = { acknowledged: 0, answers: 0, isOver: false };
  const stale: string[] = [];
  const readers = reads.map(async (read, index) => {
    while (!seen.isOver) {
      const before = seen.acknowledged;
      const shown = numberIn(await read());
      seen.answers++;
      if (!(shown >= before)) stale.push(`read ${index}: ${shown} after ${before}`);
    }
  });
  try {
    for (let n = 1; n <= saves; n++) {
      const title = `save ${n}`;
      const saved = await owner.call("saveEvent", {
        event_id: String(event.id),
        title,
        start_date: "07/04/2026 10:00",
      });
      const named = await owner.call("saveCalendar", { calendar_id: calendar.id, title });
      expect([saved.status, named.status]).toEqual([200, 200]);
      seen.acknowledged = n;
      await Promise.all(reads.map(async (read) => expect(numberIn(await read())).toBe(n)));
    }
  } finally {
    seen.isOver = true;
  }
  await Promise.all(readers);
  expect(stale).toEqual([]);
  expect(seen.answers).toBeGreaterThan(0);
});
