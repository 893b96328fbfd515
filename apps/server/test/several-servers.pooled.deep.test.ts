import { tmpdir } from "node:os";
import { afterAll, expect, test } from "vitest";
import { prepareAccounts } from "../src/people/first-start.js";
import { listAccounts, listTokens, revokeToken } from "../src/accounts/queries.js";
import { purgeDeletedCalendars } from "../src/events/calendar-purge-job.js";
import { insertCalendar } from "../src/calendars/queries.js";
import { createAccount, deleteAccount } from "../src/cli/accounts.js";
import { openDatabase } from "../src/db/open-database.js";
import { migrate } from "../src/db/migrate.js";
import type { CalendarRow, EventRow } from "../src/db/rows.js";
import { openFeedSecret } from "../src/public/feed-validators.js";
import { createTestDatabase, faultsOf } from "./databases.js";
import { startTestServer, testAccount } from "./harness.js";
import { run } from "./process.js";
import { raceDeletes, raceEverything, raceSaves } from "./races.js";

// What several servers on one database must not do to each other. The full sizes are in bench/RACES.md.

const database = await createTestDatabase("migrated");
const servers = [
  await startTestServer({ DATABASE_URL: database.url, TRASH_DAYS: "0" }),
  await startTestServer({ DATABASE_URL: database.url, TRASH_DAYS: "0" }),
] as const;
const [one, two] = servers;
const owner = await one.account();
const accounts = servers.map(({ url }) => testAccount(url, owner.id, owner.token));
afterAll(async () => {
  for (const server of servers) await server.stop();
  await database.remove();
});

test("100 saves of 3 events at once through two servers: each is counted and returns a different updated_times", async () => {
  const { responses, faults } = await raceSaves(accounts, { events: 3, saves: 100, clients: 8 });
  expect(faults).toStrictEqual([]);
  expect(responses[200]).toBe(104);
});

test("10 calendars deleted through one server while the other makes events in them: no orphan, only 200 and 404", async () => {
  const { responses, faults } = await raceDeletes(accounts, one.db, { races: 10, creates: 6, clients: 4 });
  expect(faults).toStrictEqual([]);
  expect(responses[404]).toBeGreaterThanOrEqual(10); // one in each came too late for certain
});

test("everything at once through two servers: only 200 and 404, and every counter is right", async () => {
  const { responses, faults } = await raceEverything(accounts, one.db, { steps: 100, clients: 8 });
  expect(faults).toStrictEqual([]);
  expect(responses[404]).toBeGreaterThan(0);
  expect(await faultsOf(one.db)).toStrictEqual([]);
});

test("a token that is revoked through one server opens nothing on the other within 5 seconds", async () => {
  const account = await one.account();
  const elsewhere = testAccount(two.url, account.id, account.token);
  const { calendar } = (await account.call("createCalendar", { title: "x" })).body;
  // Asked for twice: what a server remembers of the token and of the list is there.
  for (const _ of [1, 2])
    expect((await elsewhere.call("listEvents", { calendar_id: calendar.id })).status).toBe(200);
  const [token] = (await listTokens(one.db.read)).filter(({ account_id }) => account_id === account.id);
  await one.db.transaction((trx) => revokeToken(trx, token?.id ?? 0, one.now));
  const revoked = performance.now();
  for (const caller of [account, elsewhere]) {
    let lastOpened = revoked;
    const status = async () => {
      const sent = performance.now();
      const answer = await caller.call("listEvents", { calendar_id: calendar.id });
      if (answer.status === 200) lastOpened = sent;
      return answer.status;
    };
    await expect.poll(status).toBe(401);
    expect(lastOpened - revoked).toBeLessThan(5_000);
    expect((await caller.call("saveCalendar", { calendar_id: calendar.id, title: "y" })).status).toBe(401);
  }
});

test("servers that start at once on a new database make one account, one token and one secret of the feeds", async () => {
  const fresh = await createTestDatabase();
  const dbs = await Promise.all([1, 2, 3].map(() => openDatabase(fresh.url)));
  const [db] = dbs;
  if (db === undefined) throw new Error("no database");
  const applied = await Promise.all(dbs.map((each) => migrate(each, 1)));
  expect(applied.filter(({ length }) => length > 0)).toHaveLength(1);
  const secrets = await Promise.all(dbs.map(openFeedSecret));
  expect(new Set([...secrets, await openFeedSecret(db)]).size).toBe(1); // else their ETags of a feed would differ
  const prepare = (settingToken: string | undefined) =>
    Promise.all(dbs.map((each) => prepareAccounts(each, { settingToken, makesDemo: true }, 1)));
  const shown = await prepare(undefined);
  expect(shown.filter((made) => typeof made === "object")).toHaveLength(1);
  await prepare("a-token-of-the-settings");
  expect(await listAccounts(db.read)).toHaveLength(1);
  expect(await listTokens(db.read)).toHaveLength(2);

  // The setting stays after its account was deleted: it must not open the account of another owner.
  const [demo] = await listAccounts(db.read);
  const created = await createAccount(db, "Parks", 2);
  const texts = { title: "x", calendarname: "x", description: "x", timezone: "UTC", palette_id: "1" };
  await db.transaction((trx) => insertCalendar(trx, demo?.id ?? 0, { ...texts, uniquekey: "of-demo" }, 2));
  expect(await deleteAccount(db, demo?.id ?? 0, { yes: true }, 2)).toMatchObject({ calendars: 1 });
  expect(await db.read("calendars").pluck("title")).toEqual([""]);
  await prepare("a-token-of-the-settings");
  const names = (await listAccounts(db.read)).map(({ name }) => name);
  expect(names).toEqual(["Parks", "Demo"]);
  const parks = await listTokens(db.read, Number(created.account_id));
  expect(parks.map(({ name }) => name)).toEqual(["first"]);
  for (const each of dbs) await each.close();
  await fresh.remove();
});

test("a server that remembers the token of a deleted account creates and saves nothing in its name", async () => {
  const account = await one.account();
  const { calendar } = (await account.call("createCalendar", { title: "x" })).body;
  await deleteAccount(one.db, account.id, { yes: true }, 2);
  expect((await account.call("createCalendar", { title: "y" })).status).toBe(401);
  const saved = await account.call("saveCalendar", { calendar_id: calendar.id, title: "y" });
  expect([401, 404]).toContain(saved.status); // as soon as the token is looked up again
  expect(await one.db.read("calendars").where({ account_id: account.id }).pluck("title")).toEqual([""]);
});

test("a calendar that two servers purge at once is purged to the last event", async () => {
  const account = await one.account();
  const { calendar } = (await account.call("createCalendar", { title: "x" })).body;
  const calendar_id = Number(calendar.id);
  const { event } = (
    await account.call("createEvent", {
      calendar_id: calendar.id,
      title: "x",
      start_date: "07/04/2026 10:00",
    })
  ).body;
  const row = await one.db
    .read<EventRow>("events")
    .where({ id: Number(event.id) })
    .first();
  if (row === undefined) throw new Error("no event");
  const { id: _id, ...rest } = row;
  const copies = Array.from({ length: 1_200 }, (_, n) => ({ ...rest, uid: `copy ${n}` }));
  await one.db.transaction((trx) => trx.batchInsert("events", copies, 100));
  await account.call("deleteCalendar", { calendar_id: calendar.id });
  const stops = [() => true, () => false]; // the first is stopped after a batch
  await Promise.all(servers.map(({ db }, index) => purgeDeletedCalendars(db, stops[index])));
  const left = await one.db.read<EventRow>("events").where({ calendar_id }).select("id");
  expect(left).toStrictEqual([]);
  const [after] = await one.db.read<CalendarRow>("calendars").where({ id: calendar_id });
  expect(after?.purge_pending).toBe(0);
});

test("a server killed in the midst of its writes: what it acknowledged is there, nothing is half done, and others write on", async () => {
  const { calendar } = (await owner.call("createCalendar", { title: "x" })).body;
  const settings = { PORT: "0", DATABASE_URL: database.url, LOG_LEVEL: "error" };
  const killed = run("main.ts", [], tmpdir(), settings);
  const [, url = ""] = await killed.until(/Listening on (\S+)/);
  const victim = testAccount(url, owner.id, owner.token);
  const titles: string[] = [];
  const create = async (n: number): Promise<void> => {
    for (let k = 0; ; k++) {
      const params = { calendar_id: calendar.id, title: `${n} ${k}`, start_date: "07/04/2026 10:00" };
      const answer = await victim.call("createEvent", params).catch(() => undefined);
      if (answer?.status !== 200) return;
      titles.push(params.title);
    }
  };
  const writers = [1, 2, 3, 4, 5, 6, 7, 8].map(create);
  await expect.poll(() => titles.length, { timeout: 120_000 }).toBeGreaterThan(10);
  killed.child.kill("SIGKILL");
  await killed.finished;
  await Promise.all(writers);
  expect((await owner.call("saveCalendar", { calendar_id: calendar.id, title: "y" })).status).toBe(200);
  const rows = await one.db
    .read<EventRow>("events")
    .where({ calendar_id: Number(calendar.id) })
    .select("title");
  const stored = new Set(rows.map(({ title }) => title));
  expect(titles.filter((title) => !stored.has(title))).toStrictEqual([]);
  const [row] = await one.db.read<CalendarRow>("calendars").where({ id: Number(calendar.id) });
  expect(row?.events_total).toBe(rows.length);
});
