import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { addFollower } from "./calls.js";
import { testServer } from "./harness.js";

// What public addresses read of the database. /proc/self/io counts what this process reads of SQLite's file, and of a connection to
// PostgreSQL: bytes, whatever the machine does besides.

const server = await testServer();

const categories = Array.from({ length: 20 }, (_, n) => `Category ${String(n).padStart(2, "0")}`);
const days = 31;
/** The events are next year's, so that they are also the next ones. */
const year = new Date().getUTCFullYear() + 1;
const perDay = 8;
/** Texts at their limits (extensions X2.4): 130 kB in UTF-8. */
const long = {
  description: "ä".repeat(65_535),
  custom_data: JSON.stringify({ x: "x".repeat(4_000) }),
};

interface TestCalendar {
  readonly page: string;
  readonly uid: string;
  readonly follower: string;
}

/** A calendar with eight events on each day of next July, whose texts are replaced by these. */
async function newCalendar(texts: Partial<typeof long>): Promise<TestCalendar> {
  const owner = await server.account();
  const { id, uniquekey } = (await owner.call("createCalendar", { title: "Events", timezone: "Etc/UTC" }))
    .body.calendar;
  for (let n = 0; n < perDay; n++) {
    const [start_date = "", ...others] = Array.from(
      { length: days },
      (_, day) => `${year}-07-${String(day + 1).padStart(2, "0")}T1${n}:00`,
    );
    const texts = { title: `Event ${n}`, description: "Short", location: "Hall", organizer: "Choir" };
    const fields = { ...texts, start_date, timezone: "Etc/UTC", categories: JSON.stringify(categories) };
    const { event } = (await owner.call("eventsCreate", { calendar_id: id, ...fields })).body;
    const copied = await owner.call("eventsCopy", { event_id: event.id, start_dates: others.join(",") });
    expect(copied.status).toBe(200);
  }
  const own = { calendar_id: Number(id) };
  await server.db.transaction(async (trx) => {
    if (texts.description === undefined) return;
    const item = JSON.stringify({ text: texts.description });
    await trx("events")
      .where(own)
      .update({ ...texts, json: trx.raw("? || ?", ["", item]) });
  });
  const event = await server.db.read("events").where(own).orderBy("start_at").first("uid");
  return { page: `/c/${uniquekey}`, uid: event.uid, follower: (await addFollower(server, owner, id)).key };
}

const shortTexts = await newCalendar({});
const longTexts = await newCalendar(long);

/** Addresses that print times, titles, places and the beginnings of descriptions. */
const listsOf = ({ page, follower }: TestCalendar): readonly string[] => [
  `${page}?month=${year}-07&day=1`,
  `${page}?month=${year}-07&day=15&page=1`,
  `${page}?month=${year}-08`,
  page,
  `${page}/embed`,
  `${page}/upcoming.json?limit=50`,
  `/f/${follower}`,
  "/",
];

/**
 * How many bytes the process reads to answer: the least of several requests, once two of them have nearly the same. What else reads
 * meanwhile, as a checkpoint of the rows just written, adds other amounts, and may last longer than any number of requests.
 */
async function bytesRead(path: string): Promise<number> {
  const counts: number[] = [];
  while (!agree(counts.sort((a, b) => a - b))) {
    await server.db.transaction((trx) => trx("calendars").increment("feed_version")); // nothing is cached
    const before = readSoFar();
    expect((await server.request(path, { headers: { Accept: "text/html" } })).status).toBe(200);
    counts.push(readSoFar() - before);
  }
  return counts[0] ?? Number.NaN;
}

/** Whether the two least of them, which are in ascending order, differ by less than a page of SQLite's file. */
const agree = ([least = Number.NaN, next = Number.NaN]: readonly number[]): boolean => next - least < 4_096;

function readSoFar(): number {
  return Number(/^rchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}

const kB = 1_000;

/** Rows that are longer than a page of SQLite's file fill one each, and a text that is cut one or two of an index. */
const pagesOf = (events: number): number => events * 3 * 4_096;

/** Events that the next ones are looked for among, and those of a month. */
const [next, ofMonth] = [50, days * perDay];

test("a list reads no more of long texts than of short ones", async () => {
  for (const [index, path] of listsOf(longTexts).entries()) {
    const usual = await bytesRead(listsOf(shortTexts)[index] ?? "");
    const events = path.includes("?month=") ? ofMonth + next : next;
    expect.soft(await bytesRead(path), path).toBeLessThan(usual + pagesOf(events));
  }
});

test("an event's page and file read its texts, not those of others or what they do not print", async () => {
  for (const path of [`${longTexts.page}/e/${longTexts.uid}`, `${longTexts.page}/e/${longTexts.uid}.ics`])
    expect(await bytesRead(path), path).toBeLessThan(1_000 * kB);
});

test("a feed reads no more texts than it has room for", async () => {
  // A feed ends at 1 MB; a row has its description twice, and the last one does not fit.
  expect(await bytesRead(`${longTexts.page}/feed.ics?x=1`)).toBeLessThan(5_000 * kB);
});
