import { tmpdir } from "node:os";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CalendarRow, EventRow } from "../src/db/rows.js";
import { type Answer, startTestServer, type TestAccount, type TestServer } from "./harness.js";
import { type PostgresServer, startPostgres } from "./postgres.js";
import { startProxy } from "./postgres-proxy.js";
import { run } from "./process.js";
import { startStandby } from "./standby.js";

// What callers see while PostgreSQL, or the way to it, fails: 503 and nothing worse, and all is well again afterwards.

let postgres: PostgresServer;
let control: pg.Pool;
let server: TestServer;
let account: TestAccount;
let calendar_id = "";
let uniquekey = "";

const start = { title: "x", start_date: "07/04/2026 10:00" };
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

async function connectControl(): Promise<void> {
  control = new pg.Pool({ connectionString: `${postgres.url}/postgres`, application_name: "control" });
  control.on("error", () => undefined); // it is stopped with the sessions of the others
  await control.query("select 1");
}

const sessions = (condition: string) =>
  control.query(`select ${condition} from pg_stat_activity where application_name = 'kalends'`);

const create = (title = "x", other: TestAccount = account): Promise<Answer> =>
  other.call("createEvent", { calendar_id, ...start, title });

/** Lists and pages; nothing of them is remembered by the server. */
const reads: readonly (() => Promise<Answer>)[] = [
  () => account.call("listCalendars"),
  () => account.call("listEvents", { calendar_id }),
  () => server.request(`/c/${uniquekey}`),
];

async function expectRefused(answers: readonly Answer[], status = 503): Promise<void> {
  // Too many of one account that wait are a 429.
  const refused = answers.map((answer) => (answer.status === 429 ? 503 : answer.status));
  expect(refused).toStrictEqual(answers.map(() => status));
  expect(answers.map(({ headers }) => headers.get("Retry-After"))).toStrictEqual(
    answers.map(() => expect.stringMatching(/^[1-5]$/)),
  );
}

const expectUnready = (of: TestServer) =>
  expect.poll(async () => (await of.request("/readyz")).status).toBe(503);

async function expectWell(): Promise<void> {
  const answers = await Promise.all([...reads.map((read) => read()), create()]);
  expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 200, 200]);
  await expect.poll(async () => (await server.request("/readyz")).status).toBe(200);
}

/** Returns the lines of the log about failures, without those about requests. */
const failureLines = () => server.logLines.filter(({ msg, level }) => level === 50 && msg !== "request");

describe("PostgreSQL", () => {
  beforeAll(async () => {
    postgres = await startPostgres("-c", "max_connections=30");
    await connectControl();
    server = await startTestServer({ DATABASE_URL: `${postgres.url}/postgres` });
    account = await server.account();
    await account.call("accountUpdate", { name: "Club", key: "club" });
    const { calendar } = (await account.call("calendarsCreate", { title: "x", listed: "true" })).body;
    ({ id: calendar_id, uniquekey } = calendar);
  });
  afterAll(async () => {
    await server.stop();
    await control.end();
    await postgres.remove();
  });

  test("with every connection in use clients get 503 with Retry-After, and the liveness check still passes", async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holders = times(10).map(() => server.db.read.transaction(() => released));
    await expect.poll(async () => (await sessions("count(*)::int")).rows[0].count).toBe(10);
    const answers = await Promise.all([...reads.map((read) => read()), create()]);
    await expectRefused(answers);
    await expectUnready(server);
    expect(answers[0]?.body.meta.error_type).toBe("overloaded");
    expect((await server.request("/healthz")).status).toBe(200);
    release();
    await Promise.all(holders);
    await expectWell();
  });

  test.each(["fast", "immediate"] as const)(
    "a restart (%s) in the midst of writes: 200 or 503, no acknowledged write lost, and well again without help",
    async (how) => {
      const lines = failureLines().length;
      const began = performance.now();
      const titles = new Set<string>();
      const refused: Answer[] = [];
      const over = new AbortController();
      const writers = times(8).map(async (writer) => {
        for (let n = 1; !over.signal.aborted; n++) {
          const title = `${how} ${writer} ${n}`;
          const answer = await create(title);
          if (answer.status === 200) titles.add(title);
          else refused.push(answer);
        }
      });
      try {
        await expect.poll(() => titles.size).toBeGreaterThan(20);
        await postgres.stop(how);
        await expect.poll(() => refused.length).toBeGreaterThan(20);
        await postgres.start();
        const before = titles.size;
        await expect.poll(() => titles.size).toBeGreaterThan(before + 20);
      } finally {
        over.abort();
        await Promise.all(writers);
      }
      await expectRefused(refused);
      const rows = await server.db
        .read<EventRow>("events")
        .where("title", "like", `${how} %`)
        .select("title");
      const stored = new Set(rows.map(({ title }) => title));
      expect([...titles].filter((title) => !stored.has(title))).toStrictEqual([]);
      expect(rows).toHaveLength(stored.size); // nothing was written twice
      // One line when it begins, and one for each second.
      expect(failureLines().length - lines).toBeLessThanOrEqual((performance.now() - began) / 1000 + 1);
      await expectWell();
    },
  );

  test("while PostgreSQL is down feeds that were served lately are served, and any other is a 503", async () => {
    const { calendar } = (await account.call("createCalendar", { title: "unseen" })).body;
    const fields = { app: "apple", name: "", email: "", calendar: uniquekey };
    const body = new URLSearchParams(fields);
    const followed = await server.request("/follow", { method: "POST", body, redirect: "manual" });
    expect(followed.status).toBe(303);
    const follower = followed.headers.get("Location") ?? "";
    // Of one calendar, and of what one person follows.
    const paths = [`/c/${uniquekey}/x.ics`, `${follower}/x.ics`];
    const poll = (headers: Readonly<Record<string, string>> = {}) =>
      Promise.all(paths.map((path) => server.request(path, { headers })));
    const bodies = async () => (await poll()).map(({ status, text }) => ({ status, text }));
    const before = await bodies();
    expect(before.map(({ status }) => status)).toEqual([200, 200]);
    // The server knows of a change, and has not made its feeds.
    await create("not in memory");
    expect((await poll({ "If-None-Match": "*" })).map(({ status }) => status)).toEqual([304, 304]);
    await postgres.stop();
    for (const _ of times(3)) expect(await bodies()).toEqual(before);
    await expectRefused([await server.request(`/c/${calendar.uniquekey}/x.ics`)]);
    await postgres.start();
    await expect.poll(async () => (await create("after the outage")).status).toBe(200);
    for (const path of paths)
      await expect.poll(async () => (await server.request(path)).text).toContain("after the outage");
    await expectWell();
  });

  test("sessions that are ended under their requests: 200 or 503, and what was acknowledged is there", async () => {
    const [row] = await server.db.read<CalendarRow>("calendars").where({ id: Number(calendar_id) });
    const over = new AbortController();
    const write = async (): Promise<Awaited<ReturnType<typeof create>>[]> => {
      const answers = await Promise.all(times(80).map((n) => create(`ended ${n}`)));
      // Groups are written in moments: it goes on until one of them is hit.
      return answers.every(({ status }) => status === 200) ? [...answers, ...(await write())] : answers;
    };
    const writing = write().finally(() => over.abort());
    while (!over.signal.aborted) await sessions("pg_terminate_backend(pid)");
    const answers = await writing;
    const made = answers.filter(({ status }) => status === 200).length;
    await expectRefused(answers.filter(({ status }) => status !== 200));
    const [after] = await server.db.read<CalendarRow>("calendars").where({ id: Number(calendar_id) });
    const total = (after?.events_total ?? 0) - (row?.events_total ?? 0);
    expect(total).toBeGreaterThanOrEqual(made); // one that was ended after its commit is there too
    const [count] = await server.db
      .read<EventRow>("events")
      .where({ calendar_id: Number(calendar_id) })
      .count();
    expect(Number(count?.count)).toBe(after?.events_total);
    await expectWell();
  });

  test("after a failover to a real standby the first refused write gives up every connection to the old server", async () => {
    const standby = await startStandby(postgres.url);
    const proxy = await startProxy(`${postgres.url}/postgres`);
    const far = await startTestServer({ DATABASE_URL: proxy.url });
    const owner = await far.account();
    const { calendar } = (await owner.call("createCalendar", { title: "before" })).body;
    await Promise.all(times(40).map(() => owner.call("listCalendars"))); // all connections are there
    const promoted = new pg.Pool({
      connectionString: `${standby.url}/postgres`,
      application_name: "control",
    });
    promoted.on("error", () => undefined); // it is removed with our sessions
    const isThere = () => promoted.query("select 1 from calendars where id = $1", [calendar.id]);
    await expect.poll(async () => (await isThere()).rowCount).toBe(1);
    // The old server lives on, with our sessions, and takes no writes any more.
    await control.query("alter system set default_transaction_read_only = on");
    await control.query("select pg_reload_conf()");
    const save = () => owner.call("saveCalendar", { calendar_id: calendar.id, title: "after" });
    await expect.poll(async () => (await save()).status).toBe(503);
    await promoted.query("select pg_promote()");
    await Promise.all(times(40).map(() => owner.call("listCalendars")));
    proxy.leadTo(standby.url);
    await expectRefused([await save()]);
    for (const _ of times(20)) expect((await save()).status).toBe(200);
    const { rows } = await promoted.query("select title from calendars where id = $1", [calendar.id]);
    expect(rows).toStrictEqual([{ title: "after" }]);
    await control.query("alter system reset default_transaction_read_only");
    await control.query("select pg_reload_conf()");
    await far.stop();
    await proxy.stop();
    await promoted.end();
    await standby.remove();
    await expect.poll(async () => (await create()).status).toBe(200);
  });

  test("a standby that is about to be promoted: lists are refused like writes", async () => {
    const standby = await startStandby(postgres.url);
    const far = await startTestServer({ DATABASE_URL: `${standby.url}/postgres` });
    const headers = { Authorization: `Bearer ${account.token}` };
    await expectRefused([
      await far.request("/api/v1/calendars/list/", { headers }),
      await far.request(`/api/v1/calendars/subscribers/list/?calendar_id=${calendar_id}`, { headers }),
    ]);
    await far.stop();
    await standby.remove();
  });

  test("a row that another session has locked: the write is refused, all else goes on", async () => {
    const holder = await control.connect();
    await holder.query("begin");
    await holder.query("update calendars set title = title where id = $1", [calendar_id]);
    const refused = create();
    expect((await account.call("listEvents", { calendar_id })).status).toBe(200);
    expect((await account.call("createCalendar", { title: "other" })).status).toBe(200);
    await expectRefused([await refused]);
    await holder.query("rollback");
    holder.release();
    await expectWell();
  });

  test("a server that takes no more connections: 503, and well again when it does", async () => {
    await sessions("pg_terminate_backend(pid)");
    const others = times(30).map(() => new pg.Client({ connectionString: `${postgres.url}/postgres` }));
    for (const other of others) other.on("error", () => undefined);
    await Promise.all(others.map((other) => other.connect().catch(() => undefined)));
    await expectRefused([await create(), ...(await Promise.all(reads.map((read) => read())))]);
    await Promise.all(others.map((other) => other.end()));
    await expect.poll(async () => (await create()).status).toBe(200);
    await expectWell();
  });

  test("a network that forwards nothing: every request ends, and well again when it does", async () => {
    const proxy = await startProxy(`${postgres.url}/postgres`);
    // Shorter than the server's own: the test would take so long.
    const far = await startTestServer({ DATABASE_URL: `${proxy.url}?query_timeout=500` });
    const owner = await far.account();
    const { calendar } = (await owner.call("createCalendar", { title: "x" })).body;
    const known: string = calendar.uniquekey; // its feed is in memory
    const unknown = times(61).map((n) => `${known.slice(0, -2)}${n + 22}`);
    const sendAll = (): Promise<readonly Answer[]> =>
      Promise.all([
        ...times(20).map(() => owner.call("createEvent", { calendar_id: calendar.id, ...start })),
        ...unknown.filter((key) => key !== known).map((key) => far.request(`/c/${key}/x.ics`)),
      ]);
    await sendAll(); // connections are there
    proxy.stall();
    await expectRefused(await sendAll());
    await expectUnready(far);
    proxy.resume();
    await expect.poll(async () => (await far.request("/readyz")).status).toBe(200);
    const create = async () => (await owner.call("createCalendar", { title: "y" })).status;
    await expect.poll(create).toBe(200); // queries of more than 500 ms still fail
    await far.stop();
    await proxy.stop();
  });

  // One second for the state, one for a feed that is being made, and what a busy machine takes.
  test.each([
    ["between two polls", 1_900],
    ["while the feed is made", 2_900],
  ])("PostgreSQL falls silent %s: the feed in memory comes within %d ms", async (when, mostMs) => {
    const isBeingMade = when !== "between two polls";
    const proxy = await startProxy(`${postgres.url}/postgres`);
    const far = await startTestServer({ DATABASE_URL: proxy.url });
    const owner = await far.account();
    const { calendar } = (await owner.call("createCalendar", { title: "silent" })).body;
    const poll = async () => {
      const began = performance.now();
      const { status, text } = await far.request(`/c/${calendar.uniquekey}/x.ics`);
      return { status, text, ms: performance.now() - began };
    };
    const { status, text } = await poll();
    await owner.call("createEvent", { calendar_id: calendar.id, ...start });
    const blocker = await control.connect();
    await blocker.query(`begin${isBeingMade ? "; lock table events in access exclusive mode" : ""}`);
    const blocked = async () => (await control.query("select 1 from pg_locks where not granted")).rowCount;
    if (!isBeingMade) proxy.stall();
    const polling = poll();
    if (isBeingMade) await expect.poll(blocked).toBe(1);
    proxy.stall();
    const [first, next] = [await polling, await poll()];
    await blocker.query("rollback");
    blocker.release();
    proxy.resume();
    await expect.poll(async () => (await poll()).text).toContain("SUMMARY:x");
    await far.stop();
    await proxy.stop();
    expect([first, next]).toEqual([1, 2].map(() => ({ status, text, ms: expect.any(Number) })));
    expect(first.ms).toBeLessThan(mostMs);
    expect(next.ms).toBeLessThan(900);
  });

  test("a batch of a slow server takes longer than it may be silent, and is done", async () => {
    await control.query(`create function slow() returns trigger as $$ begin perform pg_sleep(0.008); return new; end $$ language plpgsql;
      create trigger slow before update on events for each row execute function slow()`);
    const slow = await startTestServer({ DATABASE_URL: `${postgres.url}/postgres?query_timeout=2000` });
    const owner = await slow.account();
    const { calendar } = (await owner.call("createCalendar", { title: "x" })).body;
    const events = times(500).map((n) => `BEGIN:VEVENT\nUID:${n}\nDTSTART:20260704T100000Z\nEND:VEVENT\n`);
    const ics = `BEGIN:VCALENDAR\n${events.join("")}END:VCALENDAR\n`;
    expect((await owner.call("calendarsImport", { calendar_id: calendar.id, ics })).status).toBe(200);
    const { rows } = await control.query("select id from events where calendar_id = $1", [calendar.id]);
    const params = { events: rows.map(({ id }) => id).join(","), delete: "true" };
    const { status, body } = await owner.call("eventsBatch", params);
    expect([status, body.done]).toEqual([200, true]);
    await control.query("drop trigger slow on events; drop function slow");
    await slow.stop();
  });

  test("a server that falls silent at the end of a command does not keep its process", async () => {
    const proxy = await startProxy(`${postgres.url}/postgres`);
    proxy.stallAtEnd();
    const settings = { DATABASE_URL: proxy.url };
    const { code, stdout } = await run("cli.ts", ["account", "list"], tmpdir(), settings).finished;
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('"accounts"') });
    await proxy.stop();
  });

  test("a commit whose answer is lost is a 503, and is not run again", async () => {
    const proxy = await startProxy(`${postgres.url}/postgres`);
    const far = await startTestServer({ DATABASE_URL: proxy.url });
    const owner = await far.account();
    proxy.loseNextCommit();
    await expectRefused([await owner.call("createCalendar", { title: "once" })]);
    const { calendars } = (await owner.call("listCalendars")).body;
    expect(calendars.map(({ title }: { title: string }) => title)).toStrictEqual(["once"]);
    await far.stop();
    await proxy.stop();
  });
});
