import { describe, expect, test } from "vitest";
import { exchange } from "./calls.js";
import { startTestServer, testServer, type TestServer } from "./harness.js";
import { sendBytes } from "./sockets.js";

// Odd requests and odd settings on the public side.

const server = await testServer();
const owner = await server.account();

async function calendar() {
  const { id, uniquekey } = (await owner.call("createCalendar", { title: "Tides", timezone: "UTC" })).body
    .calendar;
  return { id: String(id), page: `/c/${uniquekey}`, feed: `/c/${uniquekey}/tides.ics` };
}

const event = (calendar_id: string, fields: Readonly<Record<string, string>> = {}) =>
  owner.call("createEvent", { calendar_id, title: "High", start_date: "07/04/2026 13:30", ...fields });

describe("a request", () => {
  test("whose target is a whole address, as a proxy may send it, gets its feed", async () => {
    const { feed } = await calendar();
    const head = `GET http://calendars.example${feed} HTTP/1.1\r\nHost: calendars.example\r\nConnection: close`;
    const answer = await sendBytes(server, `${head}\r\n\r\n`);
    expect([answer.status, answer.text.slice(0, 15)]).toEqual([200, "BEGIN:VCALENDAR"]);
  });

  test("with a Host longer than any is refused, and no fault of ours", async () => {
    const { page } = await calendar();
    for (const [length, status] of [
      [255, 200],
      [256, 400],
      [60_000, 400],
    ] as const) {
      const answer = await exchange(server, page, { headers: { Host: "a".repeat(length) } });
      expect([length, answer.status]).toEqual([length, status]);
    }
  });

  test("with an If-Modified-Since that is no HTTP date, or not the one that was sent, gets the feed", async () => {
    const { feed } = await calendar();
    const statuses = ["9999", "2999-01-01", "Jan 1 2999", "Tue, 01 Jan 2999 00:00:00 GMT"].map(
      async (date) => (await exchange(server, feed, { headers: { "If-Modified-Since": date } })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200]);
  });
});

test("an event's LAST-MODIFIED and SEQUENCE grow with every save, also within a second and when the clock is set back", async () => {
  const { id, feed } = await calendar();
  const { id: made } = (await event(id)).body.event;
  const dates: string[] = [];
  for (const [index, step] of [0, 0, 0, -100, 0, 50, 200].entries()) {
    server.now += step;
    const text = (await server.request(feed)).text;
    dates.push(text.split("BEGIN:VEVENT")[1]?.match(/^LAST-MODIFIED:(.*)\r$/m)?.[1] ?? "");
    expect(text).toContain(`SEQUENCE:${index}\r\n`);
    const fields = { title: `High ${index}`, start_date: "07/04/2026 13:30" };
    expect((await owner.call("saveEvent", { event_id: String(made), ...fields })).status).toBe(200);
  }
  expect([...new Set(dates)].toSorted()).toEqual(dates);
});

test("a month of long events is cut to what a phone can show, and goes on by page", async () => {
  const { id, page } = await calendar();
  const days = { start_date: "07/01/2026 00:00", end_date: "07/31/2026 00:00", all_day_event: "true" };
  for (let number = 0; number < 40; number++) await event(id, { title: '"'.repeat(255), ...days });
  const { text } = await server.request(page);
  expect(text.length).toBeLessThan(700_000);
  expect(text.match(/class="agenda-title"/g)?.length).toBeLessThanOrEqual(300);
  expect(text).toContain('href="?month=2026-07&amp;day=4#day-4"');
  const targets = [...text.matchAll(/href="#(day-\d+)"/g)].map(([, day]) => day);
  for (const day of targets) expect(text).toContain(`id="${day}"`);
});

test("a page that contains the host of the request is cached only by its visitor", async () => {
  const { page } = await calendar();
  for (const path of [page, `${page}/embed`])
    expect((await server.request(path)).headers.get("Cache-Control")).toBe("private, max-age=60");
});

test("the log has the size of a feed", async () => {
  const { feed } = await calendar();
  const before = server.logLines.length;
  const { text } = await server.request(feed, { headers: { "Accept-Encoding": "identity" } });
  const line = { operation: "feed", status: 200, bytes: Buffer.byteLength(text) };
  await expect.poll(() => server.logLines.slice(before)).toContainEqual(expect.objectContaining(line));
});

test("behind a proxy that serves it under a path of its own, every link, form and answer keeps to that path", async () => {
  const below = await startTestServer({ PUBLIC_URL: "https://calendars.example/base/" });
  const account = await below.account();
  const made = await account.call("createCalendar", { title: "Tides" });
  const page = `/c/${made.body.calendar.uniquekey}`;
  const form = (path: string, fields = "") =>
    exchange(below, path, {
      method: "POST",
      body: fields,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
  const followed = (await form(`${page}/follow`, "app=apple")).headers.get("Location") ?? "";
  expect(followed).toMatch(/^\/base\/f\/[\w-]{22}$/);
  const follower = followed.replace("/base", "");
  const texts = [
    (await form(`${page}/follow`, "app=none")).text, // names a field that is wrong
    ...(await Promise.all(
      [page, `${page}/embed`, `${page}/poster`, `${page}/print`, `${page}/frame`, follower, "/c/none"].map(
        async (path) => (await below.request(path)).text,
      ),
    )),
  ];
  for (const text of texts) {
    const links = [...text.matchAll(/(?:href|src|action|calendar)="([^"#?][^"]*)"/g)].map(([, link]) => link);
    expect(links.length).toBeGreaterThan(3);
    const foreign =
      /^(?:https:\/\/calendars\.example\/base\/|\/base\/|webcal:|https:\/\/(?!calendars)|mailto:.*calendars\.example%2Fbase%2F)/;
    expect(links.filter((link) => link === undefined || !foreign.test(link))).toEqual([]);
  }
  expect((await form(`${follower}/unfollow`)).headers.get("Location")).toBe(followed);
  expect((await form(`${follower}/delete`)).headers.get("Location")).toBe(`/base${page}?left=1`);
  await below.stop();
});

test("settings change a feed's refresh interval, with another ETag, and turn its compression off", async () => {
  const set = await startTestServer({ FEED_REFRESH_MINUTES: "30", FEED_GZIP: "off" });
  const feedOf = async (on: TestServer) => {
    const made = await (await on.account()).call("createCalendar", { title: "Tides" });
    return exchange(on, `/c/${made.body.calendar.uniquekey}/tides.ics`, {
      headers: { "Accept-Encoding": "gzip" },
    });
  };
  const other = await startTestServer();
  const [plain, usual] = [await feedOf(set), await feedOf(other)];
  expect(plain.text).toContain("REFRESH-INTERVAL;VALUE=DURATION:PT30M\r\nX-PUBLISHED-TTL:PT30M\r\n");
  expect([plain.headers.get("Content-Encoding"), usual.headers.get("Content-Encoding")]).toEqual([
    null,
    "gzip",
  ]);
  expect(plain.headers.get("ETag")).not.toBe(usual.headers.get("ETag")); // the same calendar and version
  await Promise.all([set.stop(), other.stop()]);
});
