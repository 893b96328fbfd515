import { operations } from "@kalends/spec";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startReceiver } from "../webhook-receiver.js";
import { attempt, flood, newCalendar, nextYear } from "./attacks.js";
import { answerBytesOf, expectBounded, expectRestart, isFull, isShort, measure } from "./measure.js";
import { startTarget, type Target } from "./target.js";
import { makeWorld, type World } from "./world.js";
import { customDataOfManyNames, worstValues } from "./worst.js";

// Kinds: grow, starve, speak. Requests that are cheap one by one, by the hundred; with KALENDS_HOSTILE_SIZE=full by the thousand.

const many = isFull ? 3_000 : isShort ? 100 : 200;
let target: Target;
let world: World;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  receiver = await startReceiver();
  target = await startTarget({
    hasWebhook: true,
    settings: { FOLLOW_LIMIT_PER_ADDRESS: "1000000", FOLLOW_LIMIT_PER_CALENDAR: "1000000" },
  });
  world = await makeWorld(target, 50);
});
afterAll(async () => {
  await target.stop();
  await receiver.close();
});

test("a series with the longest texts, categories and names is stored or refused, with as many webhooks as may be", async (context) => {
  for (let n = 0; n < 9; n++) await attempt(target, operations.createWebhook.path, { url: receiver.url });
  const { id } = await newCalendar(target);
  const longest = (name: string): string => worstValues("createSeries", name)[0] ?? "";
  const params = {
    calendar_id: id,
    title: longest("title"),
    description: "x".repeat(65_535),
    categories: longest("categories"),
    custom_data: customDataOfManyNames(),
    start_date: `${nextYear}-01-01T10:00`,
  };
  const row = await measure(
    context,
    target,
    "series of 1, 10, 100 and 366 of the worst events, 10 webhooks",
    () =>
      flood(4, 1, (index) => {
        const rrule = `FREQ=DAILY;COUNT=${[1, 10, 100, 366][index]}`;
        return attempt(target, operations.createSeries.path, { ...params, rrule });
      }),
  );
  expectBounded(row);
  expect.soft(row.statuses["200"] ?? 0, "series that were stored").toBeGreaterThan(0);
  await expectRestart(context, target, row);
});

test("a backlog of changes is read in pages, by all who ask", async (context) => {
  const { calendar_id = "" } = world.read;
  const row = await measure(
    context,
    target,
    "changes of the longest texts from the beginning, 8 at once",
    () => flood(16, 8, () => attempt(target, operations.listEventChanges.path, { calendar_id })),
  );
  expectBounded(row, answerBytesOf("listEventChanges"));
});

test("pages far behind the last one cost no more than the first", async (context) => {
  const { calendar_id = "" } = world.read;
  const row = await measure(context, target, "page 2^31 of lists, 16 at once", () =>
    flood(many, 16, (index) => {
      const page = String(2 ** 31 + index);
      const lists = ["findEvents", "listEvents", "listSubscribers", "findCalendars"] as const;
      const { path } = operations[lists[index % lists.length] ?? "findEvents"];
      return attempt(target, path, { calendar_id, page });
    }),
  );
  expectBounded(row, answerBytesOf("findEvents"));
});

test("filters by custom data that match everything or nothing are bounded", async (context) => {
  const { calendar_id = "" } = world.read;
  const values = ["1", "none", "𝄞".repeat(1_000)];
  const row = await measure(context, target, "filters by custom data, 8 at once", () =>
    flood(many / 4, 8, (index) =>
      attempt(target, operations.findEvents.path, {
        calendar_id,
        custom_data_key: (index % 500).toString(36),
        custom_data_value: values[index % values.length] ?? "",
      }),
    ),
  );
  expectBounded(row, answerBytesOf("findEvents"));
});

test("idempotency keys with large answers are bounded", async (context) => {
  const { id } = await newCalendar(target);
  const row = await measure(context, target, "idempotency keys with the longest texts", () =>
    flood(many, 8, (index) =>
      attempt(
        target,
        operations.addEvent.path,
        { calendar_id: id, title: "x", description: "x".repeat(65_535), start_date: "2030-07-04T10:00" },
        { "Idempotency-Key": `key-${index % (many / 2)}` },
      ),
    ),
  );
  expectBounded(row);
});

test("test messages to webhooks, by the hundred, do not delay those of others", async (context) => {
  const { webhooks } = await target.call(operations.listWebhooks.path, {});
  const row = await measure(context, target, "test messages to webhooks", () =>
    flood(many, 8, (index) =>
      attempt(target, operations.testWebhook.path, { webhook_id: webhooks[index % webhooks.length].id }),
    ),
  );
  expectBounded(row);
  await expectRestart(context, target, row);
});

test("a flood of follow forms, and feeds of every choice of categories, are bounded", async (context) => {
  const { uniquekey } = world.address;
  const names = (worstValues("addEvent", "categories")[0] ?? "").split(",");
  const row = await measure(context, target, "follow forms of every choice, and their feeds", () =>
    flood(many, 8, async (index) => {
      const chosen = names.filter((_, bit) => ((index + 1) >> bit) % 2 === 1);
      const picks = chosen.map((name) => `category=${encodeURIComponent(name)}`);
      const { headers } = await target.send({
        method: "POST",
        path: `/c/${uniquekey}/follow`,
        headers: { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" },
        body: ["app=ical", "choose=1", ...picks].join("&"),
      });
      return target.send({ path: `${String(headers.location)}/a.ics` });
    }),
  );
  expectBounded(row);
  expect.soft(row.statuses["200"] ?? 0, "feeds that were answered").toBeGreaterThan(0);
});

test("long values are not written to the log", async (context) => {
  const before = target.logBytes();
  const long = "L".repeat(15_000);
  const row = await measure(context, target, "long values in paths and heads", () =>
    flood(many, 8, (index) =>
      target.send({
        path: index % 2 === 0 ? `/${long}` : `${operations.listCalendars.path}?${long}=1`,
        headers: { "User-Agent": long, Referer: long, "X-Request-Id": long, Authorization: `Bearer ${long}` },
      }),
    ),
  );
  expectBounded(row);
  expect.soft(target.logText().includes("LLLL"), "the values are in the log").toBe(false);
  const requests = many + row.noticed.health.count + 4 * row.noticed.write.count + 1_000;
  expect.soft(target.logBytes() - before, "bytes of the log").toBeLessThan(requests * 1_000);
  await expectRestart(context, target, row);
});
