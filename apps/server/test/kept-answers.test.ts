import type { OperationId } from "@kalends/spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteAccount } from "../src/cli/accounts.js";
import { keepTrash } from "../src/calendars/trash-days.js";
import { purgeDeletedCalendars } from "../src/events/calendar-purge-job.js";
import { purgeRequested } from "../src/events/trash-purge-job.js";
import { deleteSubscriber, pruneNeverFetched } from "../src/followers/life-job.js";
import { calendarFile, vevent } from "./calendar-files.js";
import { addFollower, callsOfWrites, freshParams, send } from "./calls.js";
import { hasBytes } from "./database-bytes.js";
import { startTestServer, type TestAccount, type TestServer, withMail } from "./harness.js";
import { signIn } from "./people.js";

// What is erased or removed for good is in no answer that is kept for a request that comes again (extensions X2.1, X8.3).

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ ...withMail, WEBHOOKS_PER_ACCOUNT: "1000" });
});
afterAll(() => server.stop());

/** The tables that have a text anywhere; where none has it, also the bytes of a SQLite file. */
async function tablesWith(text: string): Promise<readonly string[]> {
  const { db } = server;
  const names = await db.query<{ readonly name: string }>(
    db.dialect.name === "sqlite"
      ? "select name from sqlite_master where type = 'table'"
      : "select tablename as name from pg_tables where schemaname = current_schema()",
    [],
  );
  const found: string[] = [];
  for (const { name } of names) if (JSON.stringify(await db.read(name)).includes(text)) found.push(name);
  const { dialect } = db;
  if (dialect.name === "sqlite" && found.length === 0 && (await hasBytes(server.databaseFile, text)))
    found.push("bytes of the file");
  return found.toSorted();
}

let keys = 0;
const newKey = () => ({ "Idempotency-Key": `key-${++keys}` });

function keyed(
  account: TestAccount,
  id: OperationId,
  params: Readonly<Record<string, string>>,
  headers = newKey(),
) {
  const call = callsOfWrites.find((one) => one.id === id && one.method === "POST");
  if (call === undefined) throw new Error(`${id} is no write`);
  return send(server, call, params, { token: account.token, headers });
}

const purge = async () => {
  await purgeRequested(server.db);
  await purgeDeletedCalendars(server.db);
  await purgeRequested(server.db);
};

describe("a follower who is erased", () => {
  const ways = {
    "by the API": (account: TestAccount, id: string) =>
      account.call("subscribersDelete", { subscriber_id: id }),
    "by the API, with a key": (account: TestAccount, id: string) =>
      keyed(account, "subscribersDelete", { subscriber_id: id }),
    "by the command line": (_account: TestAccount, id: string) =>
      deleteSubscriber(server.db, Number(id), server.now),
    "with those who never fetched": ({ id: account_id }: TestAccount) =>
      pruneNeverFetched(server.db, { before: server.now + 1, of: { account_id } }, server.now),
  };
  test.each(Object.entries(ways))(
    "%s is in no table, and a block that comes again finds no one",
    async (way, erase) => {
      const account = await server.account();
      const { id: calendar_id } = (await account.call("calendarsCreate", { title: "Concerts" })).body
        .calendar;
      const email = `erased-${way.length}@example.com`;
      const subscriber_id = String(
        (await addFollower(server, account, calendar_id, { name: "Ada", email })).id,
      );
      const key = newKey();
      const block = () => keyed(account, "subscribersBlock", { subscriber_id }, key);
      expect((await block()).body.subscriber.email).toBe(email);
      expect((await block()).headers.get("Idempotency-Replayed")).toBe("true");
      await keyed(account, "subscribersUnblock", { subscriber_id });
      expect(await tablesWith(email)).toEqual(["idempotency_keys", "subscribers"]);
      await erase(account, subscriber_id);
      expect(await tablesWith(email)).toEqual([]);
      expect((await block()).status).toBe(404);
    },
  );
});

describe("what is removed for good", () => {
  const text = "Removed-for-good";
  const event = { title: text, start_date: "2026-08-04T13:30" };
  const world = async () => {
    const account = await server.account();
    const made = await keyed(account, "calendarsCreate", { title: "Concerts" });
    return { account, calendar_id: String(made.body.calendar.id) };
  };
  const idOf = ({ body }: { readonly body: unknown }): string => String(Object(body).event.id);

  test("an event: by hand, or without a trash", async () => {
    for (const days of [30, 0]) {
      const { account, calendar_id } = await world();
      const event_id = idOf(await keyed(account, "eventsCreate", { calendar_id, ...event }));
      await keyed(account, "eventsUpdate", { event_id, location: text });
      const ics = calendarFile(vevent("UID:other", `SUMMARY:${text}`));
      await keyed(account, "calendarsImport", { calendar_id, ics });
      const others = (await account.call("eventsList", { calendar_id })).body.events;
      keepTrash(days);
      try {
        for (const { id } of others) await keyed(account, "eventsDelete", { event_id: id });
        if (days > 0) await keyed(account, "trashPurge", { all: "true" });
        await purge();
      } finally {
        keepTrash(30);
      }
      expect(await tablesWith(text), `TRASH_DAYS=${days}`).toEqual([]);
    }
  });

  test("a calendar with all that it has, and an event that came from another one", async () => {
    const { account, calendar_id } = await world();
    const titled = (await keyed(account, "calendarsCreate", { title: text })).body.calendar;
    const { id } = await addFollower(server, account, titled.id, { name: text });
    await keyed(account, "subscribersBlock", { subscriber_id: String(id) });
    const event_id = idOf(await keyed(account, "eventsCreate", { calendar_id, ...event }));
    await keyed(account, "eventsUpdate", { event_id, calendar_id: titled.id });
    await keyed(account, "categoriesRename", { calendar_id: titled.id, category: "x", name: text });
    await keyed(account, "calendarsDelete", { calendar_id: titled.id });
    await keyed(account, "trashPurge", { calendar_id: titled.id });
    await account.call("trashPurge", { all: "true" });
    await purge();
    expect(await tablesWith(text)).toEqual([]);
  });

  test("a person of the account, and the account", async () => {
    const { account } = await world();
    const owner = await signIn(server, account.id);
    const invited = { name: text, role: "viewer", email: `${text}@example.com` };
    const { person } = (await owner.call("peopleInvite", invited, newKey())).body;
    await owner.call("peopleUpdate", { person_id: person.id, role: "editor" }, newKey());
    await owner.call("peopleLink", { person_id: person.id }, newKey());
    await owner.call("peopleRemove", { person_id: person.id }, newKey());
    expect(await tablesWith(text)).toEqual([]);
    await owner.call("sessionUpdate", { name: text }, newKey());
    await deleteAccount(server.db, account.id, { yes: true }, server.now);
    await purge();
    expect(await tablesWith(text)).toEqual([]);
  });
});

test("after every write with a key, what is removed for good is in no answer", async () => {
  const account = await server.account();
  for (const call of callsOfWrites.filter(({ method }) => method === "POST")) {
    const params = await freshParams(server, account, call.id);
    const answer = await send(server, call, params, { token: account.token, headers: newKey() });
    expect(answer.status, `${call.id}: ${answer.text}`).toBe(200);
  }
  const { db } = server;
  const of = { account_id: account.id };
  const rows: readonly object[] = [
    ...(await db.read("events").where(of).select("title", "description", "location", "organizer_email")),
    ...(await db.read("calendars").where(of).select("title", "description", "calendarname")),
    ...(await db.read("subscribers").where(of).select("name", "email")),
  ];
  const texts = new Set(rows.flatMap((row): unknown[] => Object.values(row)).filter((text) => text !== ""));
  const kept = async () => {
    const bodies: readonly string[] = await db.read("idempotency_keys").where(of).pluck("body");
    return [...texts].filter((text) => bodies.some((body) => body.includes(JSON.stringify(text))));
  };
  expect((await kept()).length).toBeGreaterThan(3);
  const ids: readonly number[] = await db.read("calendars").where(of).whereNull("deleted_at").pluck("id");
  for (const id of ids) await account.call("calendarsDelete", { calendar_id: String(id) });
  await account.call("trashPurge", { all: "true" });
  await purge();
  expect(await kept()).toEqual([]);
});
