import { expect, test } from "vitest";
import { onPostgres } from "./databases.js";
import { type TestAccount, testServer } from "./harness.js";

// What one account reads and writes does not delay another: they take turns. Order is judged, not time.

const server = await testServer({ PAGE_CACHE_MB: "0" });

interface TestCalendar {
  readonly owner: TestAccount;
  readonly id: string;
  readonly page: string;
}

async function newCalendar(): Promise<TestCalendar> {
  const owner = await server.account();
  const { id, uniquekey } = (await owner.call("createCalendar", { title: "Events", timezone: "Etc/UTC" }))
    .body.calendar;
  for (let n = 0; n < 20; n++) {
    const event = { title: `Event ${n}`, start_date: `2026-07-03T1${n % 10}:00`, timezone: "Etc/UTC" };
    await owner.call("addEvent", { calendar_id: id, ...event });
  }
  return { owner, id, page: `/c/${uniquekey}` };
}

const busy = await newCalendar();
const quiet = await newCalendar();

interface Outcome {
  readonly status: number;
  readonly retryAfter: string | null;
}

/** Sends many requests at once and then one; gives how many of the many were answered before the one, and all their outcomes. */
async function besideMany(
  many: readonly (() => Promise<{ readonly status: number; readonly headers: Headers }>)[],
  one: () => Promise<{ readonly status: number }>,
): Promise<{ readonly before: number; readonly outcomes: readonly Outcome[] }> {
  let answered = 0;
  const sent = many.map(async (send) => {
    const { status, headers } = await send();
    if (status === 200) answered++;
    return { status, retryAfter: headers.get("Retry-After") };
  });
  expect((await one()).status).toBe(200);
  const before = answered;
  return { before, outcomes: await Promise.all(sent) };
}

/** Fewer than wait too long on a busy machine, where each is answered all the same. */
const atOnce = 30;

const times = (count: number, send: (n: number) => ReturnType<typeof server.request>) =>
  Array.from({ length: count }, (_, n) => () => send(n));

const isServed = ({ status, retryAfter }: Outcome): boolean =>
  status === 200 || (status === 503 && retryAfter !== null);

/** What many clients request of one calendar at once, none of it cached. */
const publicAddresses: readonly (readonly [string, (page: string, n: number) => string])[] = [
  ["months", (page, n) => `${page}?month=2026-${String((n % 12) + 1).padStart(2, "0")}`],
  ["pages of a day", (page, n) => `${page}?month=2026-07&day=3&page=${n + 1}`],
];

for (const [title, address] of publicAddresses)
  test(`${title} of one calendar that many request do not delay another calendar's page, feed or list`, async () => {
    for (const other of [quiet.page, `${quiet.page}/feed.ics`, `${quiet.page}/upcoming.json`]) {
      const many = times(140, (n) => server.request(address(busy.page, n)));
      const { before, outcomes } = await besideMany(many, () => server.request(other));
      expect(before, other).toBeLessThan(70);
      expect(outcomes.filter((outcome) => !isServed(outcome))).toEqual([]);
    }
  });

test("lists of an account keep no page of it waiting, which holds one of the places of all pages", async () => {
  let end = (): void => undefined;
  const held = new Promise<void>((resolve) => (end = resolve));
  const lists = Array.from({ length: 10 }, () => server.db.list(busy.owner.id, () => held)); // all that it may have at a time
  for (const address of ["?month=2026-05", "/feed.ics", "/upcoming.json"])
    expect((await server.request(`${busy.page}${address}`)).status, address).toBe(200);
  end();
  await Promise.all(lists);
});

test("of more than a hundred pages of an account that wait, those that come last are refused at once", async () => {
  const many = times(300, (n) => server.request(`${busy.page}?month=2026-07&day=3&page=${n + 1}`));
  const { outcomes } = await besideMany(many, () => server.request("/healthz"));
  const refused = outcomes.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(300);
  expect(refused.every(({ retryAfter }) => retryAfter !== null)).toBe(true);
});

const lists: readonly (readonly [string, (of: TestCalendar, n: number) => ReturnType<TestAccount["get"]>])[] =
  [
    ["listEvents", ({ owner, id }, n) => owner.get("listEvents", { calendar_id: id, page: String(n + 1) })],
    ["findEvents", ({ owner, id }, n) => owner.get("findEvents", { calendar_id: id, page: String(n + 1) })],
    ["listEventChanges", ({ owner, id }) => owner.get("listEventChanges", { calendar_id: id })],
    ["listCalendars", ({ owner }, n) => owner.get("listCalendars", { page: String(n + 1) })],
  ];

/** Makes each page of the events of the busy account 800 kB, so that a list takes longer than a request takes to come. */
async function lengthenTexts(): Promise<void> {
  const description = "ä".repeat(20_000);
  const item = `"description":"${description}"}`;
  const own = { calendar_id: Number(busy.id) };
  await server.db.transaction((trx) => trx("events").where(own).update({ description, json: item }));
}

// listEventChanges has no test of its own: it reads slice by slice, so others come between them without turns too.
for (const [operation, list] of lists.slice(0, 2))
  test(`${operation} by one account does not delay another account's lists`, async () => {
    await lengthenTexts();
    for (const [, other] of lists) {
      const many = times(atOnce, () => list(busy, 0));
      const { before, outcomes } = await besideMany(many, () => other(quiet, 0));
      expect(before).toBeLessThan((2 * atOnce) / 3);
      expect(outcomes.filter(({ status }) => status !== 200)).toEqual([]);
    }
  });

const newEvent = ({ owner, id }: TestCalendar) =>
  owner.call("createEvent", { calendar_id: id, title: "x", start_date: "07/04/2026 10:00" });

test("transactions of one account do not delay another account's writes", async () => {
  for (const one of [
    newEvent,
    ({ owner, id }: TestCalendar) => owner.call("updateCalendar", { calendar_id: id }),
  ]) {
    const many = times(atOnce, () => busy.owner.call("updateCalendar", { calendar_id: busy.id }));
    const { before, outcomes } = await besideMany(many, () => one(quiet));
    expect(before).toBeLessThan((2 * atOnce) / 3);
    expect(outcomes.filter(({ status }) => status !== 200)).toEqual([]);
  }
});

test.runIf(onPostgres)("an account whose writes wait for a lock leaves connections to others", async () => {
  await lengthenTexts();
  const lock = { isHeld: true };
  const holder = server.db.transaction(async (trx) => {
    await trx("accounts").where({ id: busy.owner.id }).forUpdate().first("id");
    while (lock.isHeld) await trx.raw("select pg_sleep(0.05)");
  });
  const reads = Array.from({ length: 20 }, () => busy.owner.get("findEvents", { calendar_id: busy.id }));
  const writes = Array.from({ length: 20 }, () =>
    busy.owner.call("updateCalendar", { calendar_id: busy.id }),
  );
  await expect
    .poll(async () => {
      const sql = "select count(*)::int as waiting from pg_locks where not granted";
      return (await server.db.read.raw(sql)).rows[0].waiting;
    })
    .toBeGreaterThan(0);
  const { owner, id, page } = quiet;
  const answers = [
    await owner.get("listEvents", { calendar_id: id }),
    await newEvent(quiet),
    await owner.call("updateCalendar", { calendar_id: id }),
    await server.request(page),
    await server.request(`${page}/feed.ics`),
  ];
  lock.isHeld = false;
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  await holder;
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(reads.map(() => 200));
  await Promise.all(writes);
});
