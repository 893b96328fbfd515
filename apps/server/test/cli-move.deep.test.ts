import { existsSync } from "node:fs";
import { join } from "node:path";
import { contractIds } from "@kalends/spec";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runMove } from "../src/cli/move.js";
import { readConfig } from "../src/settings/config.js";
import { copyDatabase, tableNames } from "../src/db/copy.js";
import { type Database, openDatabase } from "../src/db/open-database.js";
import { startServer } from "../src/process/server.js";
import { addFollower, addSubscriber, freshParams } from "./calls.js";
import { createTestDatabase, type TestDatabase } from "./databases.js";
import {
  request,
  startOfTests,
  startTestServer,
  testAccount,
  type TestAccount,
  type TestServer,
} from "./harness.js";
import { newPerson, ownPage, signIn } from "./people.js";
import { run } from "./process.js";
import { temporaryFolder } from "./temporary.js";

// Copies from the test database into a SQLite file, and from there into another test database.

const settings = { PUBLIC_URL: "https://calendars.example.com" };
const texts = [
  "Plain",
  'Quotes " \' \\ {a,b} {"a":null} NULL',
  "日本語 ع 🎪👩‍👩‍👧 e\u0301 \uFFFD \u{10FFFF}",
  "\\u0000 \\n $1 ? ?? %s",
];

let source: TestServer;
let account: TestAccount;
let folder = "";
let middle = "";
let end: TestDatabase;
let kept: {
  readonly calendars: readonly string[];
  readonly uniquekey: string;
  readonly key: string;
  readonly cookie: string;
};
beforeAll(async () => {
  source = await startTestServer(settings);
  account = await source.account();
  folder = temporaryFolder();
  middle = `sqlite:${join(folder, "middle.sqlite")}`;
  end = await createTestDatabase();
  kept = await fill();
});
afterAll(async () => {
  await source.stop();
  await end.remove();
});

/** Creates rows in every table, then deletes the newest event and calendar, so that ids are missing at the end. */
async function fill() {
  const calendars: string[] = [];
  let [uniquekey, key] = ["", ""];
  for (const title of texts) {
    const { calendar } = (await account.call("createCalendar", { title, timezone: "Europe/Vienna" })).body;
    calendars.push(calendar.id);
    ({ uniquekey } = calendar);
    for (const [index, text] of texts.entries()) {
      const start_date = `0${index + 1}/15/2031 01:30 PM`;
      const fields = { title: text, description: `${text}\n${text}`, location: text, start_date };
      await account.call("createEvent", { calendar_id: calendar.id, ...fields });
    }
    const hidden = { calendar_id: calendar.id, title, start_date: "2031-08-04T10:00", published: "false" };
    await account.call("eventsCreate", { ...hidden, publish_at: "2031-07-04T10:00:00Z" });
    await account.call("eventsSeriesCreate", { ...hidden, rrule: "FREQ=DAILY;COUNT=2" });
    for (const blocked of [0, 1]) {
      await addSubscriber(source, account, calendar.id, { active: 0, blocked, subscribed_at: source.now });
    }
    ({ key } = await addFollower(source, account, calendar.id));
  }
  for (const id of ["deleteEvent", "deleteCalendar"] as const) {
    expect((await account.call(id, await freshParams(source, account, id))).status).toBe(200);
  }
  await newPerson(source, account.id); // with a link that was not used
  const { id: person_id, cookie } = await signIn(source, account.id);
  await source.db.transaction(async (trx) => {
    const times = { created_at: source.now, used_at: source.now };
    const passkey = { person_id, ...times, counter: 1, synced: 0, public_key: "x", device: "Phone" };
    await trx("passkeys").insert({ ...passkey, credential_id: "y" });
    await trx("identities").insert({ person_id, created_at: 0, issuer: "https://a.example", subject: "z" });
    await trx("used_challenges").insert({ hash: "x", ends_at: source.now + 300 });
  });
  return { calendars, uniquekey, key, cookie };
}

const kalends = (...args: readonly string[]) => run("cli.ts", args, folder).finished;

/** Returns the responses of pages, feeds and every operation, first reads, then writes, then reads again. */
async function answersOf(url: string): Promise<readonly object[]> {
  const { call } = testAccount(url, account.id, account.token);
  const answers: object[] = [];
  const keep = (name: string, { status, headers, text }: Awaited<ReturnType<typeof call>>): void => {
    const body = text.replaceAll(/"(?:request_id|uniquekey)":"\w+"/g, "");
    answers.push({ name, status, body, etag: headers.get("ETag"), modified: headers.get("Last-Modified") });
  };
  const isRead = (id: string): boolean => /^(?:list|get)/.test(id);
  const callAll = async (ids: readonly (typeof contractIds)[number][]) => {
    for (const calendar_id of kept.calendars) {
      const given = { calendar_id, event_id: calendar_id, subscriber_id: "1", title: "New" };
      for (const id of ids) keep(id, await call(id, { ...given, start_date: "07/04/2031 01:30 PM" }));
    }
  };
  for (const path of [`/c/${kept.uniquekey}`, `/c/${kept.uniquekey}/x.ics`, `/f/${kept.key}/x.ics`]) {
    keep(path, await request(`${url}${path}`));
  }
  for (const path of ["session", "people/list", "passkeys/list", "calendars/list"]) {
    const headers = { ...ownPage, Cookie: kept.cookie };
    const answer = await request(`${url}/console/api/${path}/`, { headers });
    expect(answer.status).toBe(200);
    keep(path, answer);
  }
  for (const calendar_id of kept.calendars)
    keep("drafts", await call("eventsList", { calendar_id, published: "false" }));
  await callAll(contractIds.filter(isRead));
  await callAll(contractIds.filter((id) => !isRead(id) && !id.startsWith("delete")));
  await callAll(contractIds.filter((id) => id.startsWith("delete")));
  await callAll(contractIds.filter(isRead));
  return answers;
}

async function answersOn(databaseUrl: string): Promise<readonly object[]> {
  const config = readConfig({ PORT: "0", DATABASE_URL: databaseUrl, ...settings });
  const log = pino({ level: "silent" });
  const server = await startServer({ config, log, clock: () => startOfTests });
  try {
    return await answersOf(server.url);
  } finally {
    await server.stop();
  }
}

/** The source still runs: the use of its token is written seconds later, and must not be while it is copied. */
async function settled(): Promise<void> {
  const used = () => source.db.read("tokens").where({ account_id: account.id }).pluck("last_used_at");
  await expect.poll(used).toContainEqual(expect.any(Number)); // another token is never used
}

test("a source that a server has open is refused before a target is made", async () => {
  const to = join(folder, "refused.sqlite");
  const refused = await kalends("move", "--from", source.databaseUrl, "--to", `sqlite:${to}`);
  expect(refused).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /Nothing was copied: a server or another command has the source open\. Stop it/,
    ),
  });
  expect(existsSync(to)).toBe(false);
  expect((await request(`${source.url}/readyz`)).status).toBe(200);
});

test("after copies to SQLite and back, every operation, page and feed answers as on the source, also with new ids", async () => {
  await settled();
  await copyThere();

  const expectedCounts = await countsOf(source.db);
  const back = await kalends("move", "--from", middle, "--to", end.url);
  expect(back).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\{"rows":\d+,"seconds":\d+\}\n$/),
    stderr: expect.stringMatching(/^copying events: \d+ rows$/m),
  });
  const copy = await openDatabase(end.url);
  expect(await countsOf(copy)).toEqual(expectedCounts);
  await copy.close();

  const expected = await answersOf(source.url);
  expect(expected.filter((answer) => "status" in answer && answer.status === 200).length).toBeGreaterThan(40);
  expect(await answersOn(end.url)).toEqual(expected);

  const refused = await kalends("move", "--from", middle, "--to", end.url);
  expect(refused).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("The target is not empty: it has the table migrations."),
  });

  expect(await answersOn(middle)).toEqual(expected);
});

/** Runs the first copy in this process, since a server has its source open. */
async function copyThere(): Promise<void> {
  const to = await openDatabase(middle);
  await copyDatabase(source.db, to, startOfTests, () => undefined);
  await to.close();
}

async function countsOf({ read, dialect }: Database): Promise<object> {
  const counts = (await tableNames(read, dialect)).map(
    async (table) => [table, await read(table).count()] as const,
  );
  return Object.fromEntries(await Promise.all(counts));
}

test("a missing source is reported and not created", async () => {
  const file = join(folder, "mistyped.sqlite");
  const [from, to] = [`sqlite:${file}`, `sqlite:${file}.new`];
  await expect(runMove({ from, to })).rejects.toThrow(`The database ${file} does not exist.`);
  expect([existsSync(file), existsSync(`${file}.new`)]).toEqual([false, false]);
});

test("a source with pending migrations is refused and left unchanged", async () => {
  const from = `sqlite:${join(folder, "old.sqlite")}`;
  await (await openDatabase(from)).close();
  const refused = runMove({ from, to: `${from}.new` });
  await expect(refused).rejects.toThrow('run "kalends migrate" on it first');
  expect(existsSync(join(folder, "old.sqlite.new"))).toBe(false);
  const old = await openDatabase(from);
  expect(await tableNames(old.read, old.dialect)).toEqual([]);
  await old.close();
});
