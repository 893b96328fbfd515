import { contractIds } from "@kalends/spec";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../src/settings/config.js";
import { type Database, openDatabase } from "../src/db/connect.js";
import { type RunningServer, startServer } from "../src/process/server.js";
import { addFollower, freshParams } from "./calls.js";
import { createTestDatabase, type TestDatabase } from "./databases.js";
import { request, startOfTests, startTestServer } from "./harness.js";
import {
  previousRelease as recorded,
  type RecordedAnswer,
  restorePreviousRelease,
} from "./recorded-release.js";

// Expand and contract (docs/decisions/0003): the release before runs on today's schema, also while it is being made.
// The file is written by scripts/record-release.ts.

let database: TestDatabase;
let db: Database;
let server: RunningServer;
beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDatabase(database.url);
  await restorePreviousRelease(db);
  server = await startServer({
    config: readConfig({ PORT: "0", DATABASE_URL: database.url }),
    log: pino({ level: "silent" }),
    clock: () => startOfTests,
  });
});
afterAll(async () => {
  await server.stop();
  await db.close();
  await database.remove();
});

/** A body without what differs each time. */
const parsed = (body: string): unknown =>
  JSON.parse(body, (key, value: unknown) => (key === "request_id" ? undefined : value));

/** Clients of the previous release get all that they got; a response may have new fields (docs/releases.md). */
async function expectAnswers(answers: readonly RecordedAnswer[]): Promise<void> {
  expect(answers.length).toBeGreaterThan(5);
  for (const { path, params, status, body } of answers) {
    const query = new URLSearchParams({ token: recorded.token, ...params }).toString();
    const answer = await request(`${server.url}${path}?${query}`);
    expect({ path, status: answer.status, body: parsed(answer.text) }).toMatchObject({
      path,
      status,
      body: parsed(body),
    });
  }
}

test("what the previous release stored is migrated, and answered as it answered", () =>
  expectAnswers(recorded.answersBefore));

test("every statement of the previous release gives on today's schema what it gave, and today's server sees what it wrote", async () => {
  expect(recorded.statements.length).toBeGreaterThan(50);
  await db.transaction(async (trx) => {
    for (const { sql, values, rows } of recorded.statements) {
      const given: readonly object[] | { readonly rows: readonly object[] } = await trx.raw(
        sql.replaceAll("`", '"'),
        [...values],
      );
      if (rows === undefined) continue;
      expect({ sql, rows: raised("rows" in given ? given.rows : given) }).toMatchObject({
        sql,
        rows: raised(rows),
      });
    }
  });
  await expectAnswers(recorded.answersAfter);
});

/** Rows without the version of the feed: triggers raise it once more for a server that does not number changes (migration 0008). */
function raised(rows: readonly object[]): readonly object[] {
  return rows.map((row) => ("feed_version" in row ? { ...row, feed_version: undefined } : row));
}

test("a running server goes on while a newer one adds columns to its tables", async () => {
  const running = await startTestServer();
  const account = await running.account();
  const callEach = async () => {
    for (const id of contractIds) {
      const { status, text } = await account.call(id, await freshParams(running, account, id));
      expect({ id, status, text: status === 200 ? "" : text }).toEqual({ id, status: 200, text: "" });
    }
    const { calendar } = (await account.call("createCalendar", { title: "x" })).body;
    const { key } = await addFollower(running, account, calendar.id);
    for (const path of [`/c/${calendar.uniquekey}`, `/f/${key}`, `/f/${key}/x.ics`]) {
      expect({ path, status: (await running.request(path)).status }).toEqual({ path, status: 200 });
    }
  };
  await callEach(); // queries are prepared now
  await running.db.exclusively(async (trx) => {
    for (const table of Object.keys(recorded.rows)) {
      await trx.raw(`alter table ${table} add column later_text text`);
      await trx.raw(`alter table ${table} add column later_number bigint not null default 0`);
    }
  });
  await callEach();
  await running.stop();
});
