import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterAll, beforeEach, expect, test } from "vitest";
import { failedUnits, itemsApart, type Unit } from "../src/background/units.js";
import { machineJobs } from "../src/process/jobs.js";
import { readConfig } from "../src/settings/config.js";
import { createFailing } from "../src/background/failing.js";
import { startJobs } from "../src/background/scheduler.js";
import { openMetrics } from "../src/metrics/metrics.js";
import { insertSync } from "../src/syncs/queries.js";
import { runDueSyncs } from "../src/syncs/run.js";
import { type Database, openDatabase } from "../src/db/open-database.js";
import { Overloaded } from "../src/db/database.js";
import { createLostClaims } from "../src/db/set-aside.js";
import { createResolve } from "../src/webhooks/ssrf-guard.js";
import { startSender } from "../src/webhooks/sender.js";
import { calendarFile, vevent } from "./calendar-files.js";
import { runHere } from "./command.js";
import { createTestDatabase, onPostgres, type TestDatabase } from "./databases.js";
import { startTestServer } from "./harness.js";
import { seriesOf } from "./series-world.js";
import { parseMetrics } from "./metrics-text.js";
import { type Receiver, startReceiver } from "./webhook-receiver.js";
import { addEndpoint, announceEvents, deliveriesOf, newOwner } from "./webhook-world.js";

// What a unit of background work throws is logged with its id, counted in /metrics, and tried again later than its neighbours, which
// are done (docs/decisions/0016). The rows of one unit are refused by a trigger.

/** A database whose messages no server sends. */
const lines: string[] = [];
const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
const server = await startTestServer({ TRASH_DAYS: "0" }, { runsJobs: false });
const owner = await server.account();
const receiver: Receiver = await startReceiver();
const database: TestDatabase = await createTestDatabase("migrated");
const apart: Database = await openDatabase(database.url);
afterAll(async () => {
  await receiver.close();
  await apart.close();
  await database.remove();
  await server.stop();
});
beforeEach(() => void lines.splice(0));

/** Refuses changes of rows of a table from now on. Returns a function that permits them again. */
async function refuse(
  change: "delete" | "update",
  table: string,
  when: string,
  db = server.db,
): Promise<() => Promise<void>> {
  const each = `${change} on ${table} for each row when (${when})`;
  const run = (statements: readonly string[]): Promise<void> =>
    db.transaction(async (trx) => {
      for (const sql of statements) await trx.raw(sql);
    });
  if (!onPostgres) {
    await run([`create trigger refused before ${each} begin select raise(abort, 'refused'); end`]);
    return () => run(["drop trigger refused"]);
  }
  await run([
    "create function refuse() returns trigger language plpgsql as $f$ begin raise exception 'refused'; end $f$",
    `create trigger refused before ${each} execute function refuse()`,
  ]);
  return () => run([`drop trigger refused on ${table}`, "drop function refuse"]);
}

/** Runs a job of the server once. */
async function runJob(name: string): Promise<void> {
  const { signal } = new AbortController();
  const config = readConfig({ WEBHOOK_ALLOW_PRIVATE: "on" });
  const clock = (): number => server.now;
  const runItem = itemsApart(log, createFailing(server.db, clock)); // as after a restart
  const jobs = machineJobs({ db: server.db, config, clock, log, signal, runItem });
  const job = jobs.find((each) => each.name === name);
  if (job === undefined) throw new Error(`no job ${name}`);
  await job.run(() => false);
}

/** Expects that so many units of a kind failed during `work`, in the log with that id and in the metrics. */
async function expectFailures(
  kind: Unit["kind"],
  [id, count]: readonly [id: number | string, count: number],
  work: () => Promise<unknown>,
): Promise<void> {
  const before = failedUnits(kind);
  await work();
  const failed = lines
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter((line) => line.kind === kind);
  expect(failed).toHaveLength(count);
  for (const line of failed) expect(line).toMatchObject({ level: 50, id, err: expect.anything() });
  const printed = parseMetrics((await openMetrics("x", readConfig({}), () => 0).print()) ?? "");
  const { samples = [] } = printed.get("kalends_background_failures_total") ?? {};
  expect(samples.find(({ labels }) => labels.kind === kind)?.value).toBe(before + count);
}

test("a series: others are extended, and it is tried again after an hour", async () => {
  const { create } = seriesOf(owner);
  const [bad, good] = [await create({ rrule: "FREQ=MONTHLY" }), await create({ rrule: "FREQ=MONTHLY" })];
  const rowOf = async ({ first }: typeof bad) => {
    const { series_id } = await server.db
      .read("events")
      .where({ id: Number(first) })
      .first("series_id");
    return server.db.read("series").where({ id: series_id }).first();
  };
  const [{ id, made_until }, other] = [await rowOf(bad), await rowOf(good)];
  server.now += 70 * 86_400;
  const permit = await refuse("update", "series", `new.id = ${id} and new.made_until <> old.made_until`);
  await expectFailures("series", [id, 1], () => runJob("series"));
  expect(await rowOf(bad)).toMatchObject({
    made_until,
    claimed_until: 0,
    unfinished_starts: 0,
    next_at: server.now + 3_600,
  });
  expect((await rowOf(good)).made_until).toBeGreaterThan(other.made_until);
  await permit();
  await runJob("series");
  expect((await rowOf(bad)).made_until).toBe(made_until); // not yet
  server.now += 3_600;
  await runJob("series");
  expect((await rowOf(bad)).made_until).toBeGreaterThan(made_until);
});

test("a calendar that is purged: others are, and it is with the next run", async () => {
  const ids: number[] = [];
  for (let count = 0; count < 2; count++) {
    const calendar_id: string = (await owner.call("createCalendar", { title: "x", timezone: "UTC" })).body
      .calendar.id;
    await owner.call("deleteCalendar", { calendar_id });
    ids.push(Number(calendar_id));
  }
  const [bad = 0] = ids;
  const pending = () =>
    server.db.read("calendars").whereIn("id", ids).where({ purge_pending: 1 }).pluck("id");
  const permit = await refuse("update", "calendars", `new.id = ${bad} and new.purge_pending = 0`);
  await expectFailures("calendar", [bad, 1], () => runJob("purge"));
  expect(await pending()).toEqual([bad]);
  await permit();
  await runJob("purge");
  expect(await pending()).toEqual([]);
});

/** The text of doctor about what was set aside. */
async function doctor(): Promise<string> {
  const { stdout } = await runHere(["doctor", "--json"], { DATABASE_URL: server.databaseUrl });
  const { checks }: { readonly checks: readonly { readonly check: string; readonly detail: string }[] } =
    JSON.parse(stdout);
  return checks.find(({ check }) => check === "set aside")?.detail ?? "";
}

test("a calendar whose purge failed three times, over restarts, is tried an hour later, and doctor names it beside 1,100 accounts", async () => {
  const calendar_id: string = (await owner.call("createCalendar", { title: "x", timezone: "UTC" })).body
    .calendar.id;
  await owner.call("deleteCalendar", { calendar_id });
  const permit = await refuse("update", "calendars", `new.id = ${calendar_id} and new.purge_pending = 0`);
  const runs = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++) await runJob("purge");
  };
  const forgotten = server.now - 2 * 86_400 + 1_800; // half an hour later
  const others = Array.from({ length: 1_100 }, (_, id) => ({
    name: `failing account ${id}`,
    value: `${forgotten} 3`,
  }));
  await server.db.transaction((trx) => trx.batchInsert("properties", others, 100));
  await expectFailures("calendar", [Number(calendar_id), 2], () => runs(2));
  expect(await doctor()).not.toContain("calendar");
  lines.splice(0);
  await expectFailures("calendar", [Number(calendar_id), 1], () => runs(3));
  expect(await doctor()).toMatch(new RegExp(`: calendar ${calendar_id}, account 0, .*, and more$`));
  await permit();
  await runJob("purge");
  expect(await doctor()).toContain(`calendar ${calendar_id}`);
  server.now += 3_600;
  await runJob("purge");
  expect(await doctor()).toBe("nothing");
});

test("a job whose last three runs failed is named by doctor, and goes on being run", async () => {
  let [runs, isBroken] = [0, true];
  const run = async (): Promise<void> => {
    await server.db.transaction(() => Promise.resolve());
    runs++;
    if (isBroken) throw new Error("planted");
  };
  const failing = createFailing(server.db, () => server.now);
  const stop = startJobs([{ name: "planted", everyMs: 10, run }], log, failing);
  await expect.poll(doctor, { timeout: 10_000 }).toContain("job planted");
  expect(runs).toBeGreaterThanOrEqual(3);
  isBroken = false;
  await expect.poll(doctor, { timeout: 10_000 }).toBe("nothing");
  await stop();
});

test("a job that fails since the database is away is not named", async () => {
  const failing = createFailing(server.db, () => server.now);
  const run = (): Promise<void> => Promise.reject(new Overloaded("it waited for too long"));
  for (let time = 0; time < 3; time++)
    await startJobs([{ name: "away", everyMs: 1_000_000, atStart: true, run }], log, failing)();
  expect(await doctor()).toBe("nothing");
});

test("a job: it is run again with its next turn", async () => {
  const event = { title: "x", start_date: "07/04/2026 10:00" };
  const { calendar_id } = (await seriesOf(owner).create()).series;
  const { id } = (await owner.call("createEvent", { calendar_id, ...event })).body.event;
  await owner.call("deleteEvent", { event_id: id });
  await server.db.transaction((trx) => trx("deleted_events").update({ deleted_at: 1 }));
  const permit = await refuse("delete", "deleted_events", "true");
  const job = { name: "forgets", everyMs: 10, run: () => runJob("deleted events") };
  let stop = startJobs([{ ...job, everyMs: 1_000_000, atStart: true }], log);
  await expectFailures("job", ["forgets", 1], () => stop());
  await permit();
  stop = startJobs([job], log);
  await expect.poll(() => server.db.read("deleted_events").where({ deleted_at: 1 })).toEqual([]);
  await stop();
});

/** Starts to send, with a clock that `server.now` moves, what names mean, and what is counted. */
function startSending(resolve = createResolve()) {
  const outcomes: string[] = [];
  const sender = startSender({
    db: apart,
    log,
    clock: () => server.now,
    sending: { timeoutMs: 20_000, allowsPrivate: true, resolve },
    observe: (outcome) => void outcomes.push(outcome),
  });
  return { outcomes, stop: () => sender.stop() };
}

/** Stores a message for an endpoint. Returns a function that reads its row. */
async function waitingFor(url: string) {
  const { accountId, calendarId } = await newOwner(apart);
  const endpoint = await addEndpoint(apart, accountId, { url });
  await announceEvents(apart, { accountId, calendarId }, ["x"]);
  return { endpoint, row: async () => (await deliveriesOf(apart, endpoint.id))[0] };
}

test("a webhook: others are sent to, and it is looked at again later", async () => {
  const [bad, good] = [await waitingFor(receiver.url), await waitingFor(receiver.url)];
  const { id } = bad.endpoint;
  const permit = await refuse(
    "update",
    "webhook_deliveries",
    `new.endpoint_id = ${id} and new.sender <> ''`,
    apart,
  );
  const sending = startSending();
  await expectFailures("webhook", [id, 1], async () => {
    await expect.poll(good.row).toMatchObject({ state: "sent" });
    await expect.poll(() => lines.length).toBeGreaterThan(0);
  });
  expect(await bad.row()).toMatchObject({ state: "pending", attempts: 0, sender: "" });
  await permit();
  server.now += 600;
  await expect.poll(bad.row).toMatchObject({ state: "sent", attempts: 1 });
  await sending.stop();
});

test("a message that cannot be signed: others are sent, and it is tried again after a pause", async () => {
  const [bad, good] = [await waitingFor(receiver.url), await waitingFor(receiver.url)];
  const secretOf = (secret: string) =>
    apart.transaction((trx) => trx("webhook_endpoints").where({ id: bad.endpoint.id }).update({ secret }));
  await secretOf("");
  const id = (await bad.row())?.id ?? 0;
  const sending = startSending();
  await expectFailures("delivery", [id, 1], async () => {
    await expect.poll(good.row).toMatchObject({ state: "sent" });
    await expect
      .poll(bad.row)
      .toMatchObject({ state: "pending", attempts: 1, error: "The server could not send the message." });
  });
  expect((await bad.row())?.next_at).toBeGreaterThan(server.now);
  await secretOf(bad.endpoint.secret);
  server.now += 600;
  await expect.poll(bad.row).toMatchObject({ state: "sent", attempts: 2 });
  await sending.stop();
});

test("a look-up: the attempt has failed and is counted, others are sent, and it is tried again after a pause", async () => {
  const port = new URL(receiver.url).port;
  const [bad, good] = [
    await waitingFor(`http://bad.test:${port}`),
    await waitingFor(`http://good.test:${port}`),
  ];
  let isBroken = true;
  const { outcomes, stop } = startSending((hostname) => {
    if (isBroken && hostname === "bad.test") throw new Error("broken");
    return Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
  });
  await expect.poll(good.row).toMatchObject({ state: "sent" });
  await expect.poll(bad.row).toMatchObject({ state: "pending", attempts: 1, sender: "" });
  await expect.poll(() => outcomes.toSorted()).toEqual(["retried", "sent"]);
  expect((await bad.row())?.next_at).toBeGreaterThan(server.now);
  isBroken = false;
  server.now += 600;
  await expect.poll(bad.row).toMatchObject({ state: "sent", attempts: 2 });
  await stop();
});

/** A sync of a file, on a host of its own. */
async function syncOf(url: string, host: string) {
  const calendar_id = Number(
    (await owner.call("createCalendar", { title: host, timezone: "UTC" })).body.calendar.id,
  );
  const source = { url, host, every_seconds: 900, next_at: 0, created_at: 1 };
  const { id } = await server.db.transaction((trx) =>
    insertSync(trx, { ...source, account_id: owner.id, calendar_id }),
  );
  return { id, calendar_id, row: () => server.db.read("calendar_syncs").where({ id }).first() };
}

test.each([
  ["whose file cannot be stored", "calendars", "new.id = $calendar"],
  ["whose outcome cannot be stored", "calendar_syncs", "new.id = $sync and new.claim = ''"],
])("a sync %s: others are run, and it is tried again later", async (_what, table, when) => {
  await server.db.transaction((trx) => trx("calendar_syncs").delete());
  const source = createServer((_req, res) => void res.end(calendarFile(vevent())));
  await new Promise<void>((resolve) => source.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = source.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const [bad, good] = [await syncOf(url, "bad"), await syncOf(url, "good")];
  const condition = when.replace("$calendar", String(bad.calendar_id)).replace("$sync", String(bad.id));
  const permit = await refuse("update", table, condition);
  const lost = createLostClaims();
  const sending = { allowsPrivate: true, resolve: createResolve() };
  const { signal } = new AbortController();
  const run = () =>
    runDueSyncs({ db: server.db, log, clock: () => server.now, sending, signal, lost }, () => false);
  await expectFailures("sync", [bad.id, 1], run);
  expect(await good.row()).toMatchObject({ error: "", claim: "", failures: 0 });
  expect((await good.row()).read_at).toBe(server.now);
  const { next_at, claimed_until, read_at } = await bad.row();
  expect(read_at).toBe(null);
  expect(Math.max(next_at, claimed_until)).toBeGreaterThan(server.now);
  await permit();
  server.now = Math.max(next_at, claimed_until) + 1;
  await run();
  expect(await bad.row()).toMatchObject({
    error: "",
    claim: "",
    failures: 0,
    read_at: server.now,
    unfinished_starts: 0,
  });
  source.close();
});
