import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { limitAccounts } from "../src/calendars/stored-bytes.js";
import type { Database } from "../src/db/database.js";
import { createTestDatabase } from "./databases.js";
import { type Answer, startTestServer } from "./harness.js";
import { callConsole, cookieOf } from "./people.js";
import { newPicture } from "./pictures.js";

// On PostgreSQL one locked row, such as that of a server that stalled, holds up the writes of its own calendar only.

const database = await createTestDatabase("migrated", "strict");
// The lock is held for as long as the other writes take.
const ownLimit = "?idle_in_transaction_session_timeout=100000";
const server = await startTestServer({ DATABASE_URL: `${database.url}${ownLimit}` });
afterAll(async () => {
  limitAccounts(false);
  await server.stop();
  await database.remove();
});
const owner = await server.account();
const newCalendar = async (account = owner): Promise<string> =>
  (await account.call("createCalendar", { title: "x" })).body.calendar.id;
const create = async (calendar_id: string, account = owner): Promise<number> =>
  (await account.call("createEvent", { calendar_id, title: "x", start_date: "07/04/2026 10:00" })).status;

test("while a calendar's row is locked, writes to other calendars succeed, those of other accounts all, and its own are refused", async () => {
  const [locked, others] = [
    await newCalendar(),
    await Promise.all(Array.from({ length: 8 }, () => newCalendar())),
  ];
  // Not of the server's pool, whose transactions PostgreSQL ends after ten idle seconds.
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select id from calendars where id = $1 for update", [locked]);
  /** Returns whether writes to other calendars were faster than the lock is waited for. */
  const overtake = async (): Promise<boolean> => {
    let hasEnded = false;
    const first = create(locked).finally(() => (hasEnded = true));
    for (const calendar_id of others) expect(await create(calendar_id)).toBe(200);
    const isWaiting = !hasEnded;
    expect(await first).toBe(503);
    return isWaiting;
  };
  let hasOvertaken = false;
  // On a busy machine those writes may take longer than the two seconds; if they waited for it, they always would.
  for (let tries = 0; tries < 5 && !hasOvertaken; tries++) hasOvertaken = await overtake();
  expect(hasOvertaken).toBe(true);
  const refused = Promise.all(Array.from({ length: 30 }, () => create(locked)));
  const neighbour = await server.account();
  const theirs = await Promise.all(Array.from({ length: 8 }, () => newCalendar(neighbour)));
  const statuses = new Map<number, number>();
  const lane = async (calendar_id: string): Promise<void> => {
    for (let n = 0; n < 40; n++) {
      const status = await create(calendar_id, neighbour);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(theirs.map(lane));
  expect(statuses).toEqual(new Map([[200, 320]]));
  expect((await refused).filter((status) => status !== 503 && status !== 429)).toEqual([]);
  await holder.end();
  await expect.poll(() => create(locked)).toBe(200); // once its session has ended
}, 60_000);

test("a create or save in another account's calendar does not wait for its row: it is a 404 at once", async () => {
  const stranger = await server.account();
  const calendar_id = await newCalendar();
  const made = await owner.call("createEvent", { calendar_id, title: "x", start_date: "07/04/2026 10:00" });
  const given = { title: "x", start_date: "07/04/2026 10:00" };
  const waiting: Promise<Answer>[] = [];
  await server.db.transaction(async (trx) => {
    await trx("calendars")
      .where({ id: Number(calendar_id) })
      .forUpdate()
      .select("id");
    expect((await stranger.call("createEvent", { calendar_id, ...given })).status).toBe(404);
    waiting.push(owner.call("createEvent", { calendar_id, ...given }));
    await expect.poll(() => waitingFor(server.db)).toBe(1);
    expect((await stranger.call("createEvent", { calendar_id, ...given })).status).toBe(404);
    expect(
      (await stranger.call("saveEvent", { event_id: String(made.body.event.id), ...given })).status,
    ).toBe(404);
  });
  await Promise.all(waiting);
});

test("a change of single fields waits for its account before it locks the calendar, as a save does: they cannot wait for each other", async () => {
  const calendar_id = await newCalendar();
  const { db } = server;
  const changed: Promise<Answer>[] = [];
  await db.transaction(async (trx) => {
    await trx("accounts").where({ id: owner.id }).forNoKeyUpdate().select("id");
    changed.push(owner.call("calendarsUpdate", { calendar_id, description: "x" }));
    await expect.poll(() => waitingFor(db)).toBe(1);
    // What a save does next: it would wait for the update, which waits for it.
    await trx("calendars")
      .where({ id: Number(calendar_id) })
      .forNoKeyUpdate()
      .noWait()
      .select("id");
  });
  expect((await Promise.all(changed)).map(({ status }) => status)).toEqual([200]);
});

test("a new calendar waits for its account before it locks its picture, as a save does", async () => {
  const picture_id = await newPicture(server, owner);
  const created: Promise<Answer>[] = [];
  await server.db.transaction(async (trx) => {
    await trx("accounts").where({ id: owner.id }).forUpdate().select("id");
    created.push(owner.call("calendarsCreate", { title: "x", picture_id, picture_alt: "A flag" }));
    await expect.poll(() => waitingFor(server.db)).toBe(1);
    await trx("pictures").where({ hash: picture_id }).forUpdate().noWait().select("hash");
  });
  expect((await Promise.all(created)).map(({ status }) => status)).toEqual([200]);
});

test.each([
  ["with no limit of what an account stores", false],
  ["with one", 1_000_000_000],
] as const)(
  "a change that waits for its calendar keeps what was committed meanwhile, %s",
  async (_, limit) => {
    limitAccounts(limit);
    const calendar_id = await newCalendar();
    const { db } = server;
    const write = (path: string, body: object): Promise<Answer> =>
      server.request(`/api/kalends/v1/events/${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${owner.token}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    const first = { calendar_id, title: "before", start_date: "2026-07-04T10:00" };
    const series = await write("series/create/", { ...first, rrule: "FREQ=DAILY;COUNT=2" });
    const event_id: string = series.body.event_ids[0];
    for (const [path, more] of [
      ["update/", {}],
      ["series/update/", { scope: "this" }],
    ] as const) {
      const changing: Promise<Answer>[] = [];
      await db.transaction(async (trx) => {
        await trx("calendars")
          .where({ id: Number(calendar_id) })
          .forUpdate()
          .select("id");
        changing.push(write(path, { event_id, location: path, ...more }));
        await expect.poll(() => waitingFor(db)).toBe(1);
        await trx("events")
          .where({ id: Number(event_id) })
          .update({ title: `after ${path}` });
      });
      const [answer] = await Promise.all(changing);
      expect(answer?.status, answer?.text).toBe(200);
      const { body } = await server.request(`/api/kalends/v1/events/details/?event_id=${event_id}`, {
        headers: { Authorization: `Bearer ${owner.token}` },
      });
      expect(body.event).toMatchObject({ title: `after ${path}`, location: path });
    }
  },
);

test("a session makes no token after the one that opened it was revoked", async () => {
  const made = await owner.call("tokensCreate", { name: "Lost", scope: "write" });
  const Cookie = cookieOf(await callConsole(server, "sessionOpen", { token: made.body.secret }));
  const creating: Promise<Answer>[] = [];
  await server.db.transaction(async (trx) => {
    await trx("accounts").where({ id: owner.id }).forUpdate().select("id");
    creating.push(callConsole(server, "tokensCreate", { name: "Late" }, { Cookie }));
    await expect.poll(() => waitingFor(server.db)).toBe(1);
    await trx("tokens")
      .where({ id: Number(made.body.token.id) })
      .update({ revoked_at: server.now });
  });
  expect((await Promise.all(creating)).map(({ status }) => status)).toEqual([401]);
});

/** Returns how many sessions of a database wait for a lock. */
async function waitingFor({ read }: Pick<Database, "read">): Promise<number> {
  const { rows } = await read.raw(
    "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows[0].count;
}
