import { once } from "node:events";
import { type IncomingMessage, get } from "node:http";
import type { AddressInfo } from "node:net";
import { allOperations, operations } from "@kalends/spec";
import express from "express";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Db } from "../src/db/database.js";
import { createCache } from "../src/http/cache.js";
import { createReadQuery } from "../src/http/params.js";
import { createAuthenticator } from "../src/http/auth.js";
import { createHandlers } from "../src/process/operations.js";
import { errorResponder } from "../src/http/failures.js";
import type { Handlers } from "../src/http/handler.js";
import { budgets, sentFileBytes, unsentBytes } from "../src/http/limits.js";
import { answerOperations } from "../src/http/operations.js";
import { createRepeatable } from "../src/idempotency/repeatable.js";
import { calendarFile, importFile, vevent } from "./calendar-files.js";
import { onPostgres } from "./databases.js";
import { request, type TestAccount, testServer } from "./harness.js";
import { addEndpoint, deliveriesOf } from "./webhook-world.js";

// What docs/limits.md says of answers, of the writer and of public forms is enforced, whatever a handler does.

const server = await testServer({ PAGE_CACHE_MB: "256" }); // so that waiting answers are one in memory
const account = await server.account();

const newCalendar = async (owner = account): Promise<string> =>
  (await owner.call("createCalendar", { title: "Town", timezone: "UTC" })).body.calendar.id;

const titles = async (): Promise<readonly string[]> => {
  const names = await server.db.read("calendars").where({ account_id: account.id }).pluck("title");
  return [...names, ...(await server.db.read("events").where({ account_id: account.id }).pluck("title"))];
};

const usual = createHandlers({ WEBHOOKS_PER_ACCOUNT: 10, WEBHOOK_ALLOW_PRIVATE: "off" });

/** Serves the operations on the same database, some of which have a handler that does more. */
async function startOperations(changed: Partial<Handlers>) {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const overruns: string[] = [];
  const app = express();
  app.use(
    answerOperations(
      { ...usual, ...changed },
      {
        db: server.db,
        clock: () => server.now,
        pageSize: 100,
        publicUrl: undefined,
        authenticate: createAuthenticator(server.db, { record: () => undefined }),
        guesses: () => Promise.resolve({}),
        readQuery: createReadQuery(),
        cache: createCache(0, ({ length }) => length),
        findSession: () => Promise.resolve(undefined),
        restrict: () => Promise.reject(new Error("no one has signed in")),
        isInsecure: false,
        provider: undefined,
        repeatable: createRepeatable(),
        corsOrigins: "*",
        rateLimit: undefined,
        log,
        overran: (operation) => overruns.push(operation),
      },
    ),
    errorResponder(log),
  );
  const listening = app.listen(0, "127.0.0.1");
  await once(listening, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server has such an address
  const { port } = listening.address() as AddressInfo;
  const call = (
    id: "createCalendar" | "addEvent" | "getCalendar",
    params: Readonly<Record<string, string>>,
    key?: string,
  ) => {
    const headers = {
      Authorization: `Bearer ${account.token}`,
      ...(key === undefined ? {} : { "Idempotency-Key": key }),
    };
    const url = `http://127.0.0.1:${port}${operations[id].path}`;
    if (id === "getCalendar") return request(`${url}?${new URLSearchParams(params).toString()}`, { headers });
    return request(url, { method: "POST", headers, body: new URLSearchParams(params) });
  };
  return {
    call,
    overruns,
    warnings: () => lines.map((line): Record<string, unknown> => JSON.parse(line)),
    stop: async () => {
      listening.close();
      await once(listening, "close");
    },
  };
}

/** Handlers that do something more in their transaction, before it is committed, and may make their answer large. */
function doingMore(more: {
  readonly description?: () => string;
  readonly holdMs?: number;
}): Partial<Handlers> {
  const { description = () => "", holdMs = 0 } = more;
  const hold = async (query: () => Promise<unknown>): Promise<void> => {
    for (const began = performance.now(); performance.now() - began < holdMs;) await query();
  };
  return {
    createCalendar: (params, context) =>
      usual.createCalendar(params, {
        ...context,
        db: {
          ...context.db,
          transaction: (work) =>
            context.db.transaction(async (trx) => {
              const { calendar } = await work(trx);
              await hold(() => oneOf(trx));
              return { calendar: { ...calendar, description: description() } };
            }),
        },
      }),
    addEvent: (params, context) =>
      usual.addEvent(params, {
        ...context,
        db: {
          ...context.db,
          groupTransaction: (work) =>
            context.db.groupTransaction(async (trx) => {
              const { event } = await work(trx);
              await hold(() => trx.shared.query("select 1", []));
              return { event: { ...event, description: description() } };
            }),
        },
      }),
  };
}

const oneOf = async (trx: Db): Promise<unknown> => trx.raw("select 1");

/** Sends again what a busy machine had no time for, as the 503 says. */
async function notBusy<Sent extends { readonly status: number }>(send: () => Promise<Sent>): Promise<Sent> {
  for (let tries = 1; ; tries++) {
    const answer = await send();
    if (answer.status !== 503 || tries === 20) return answer;
  }
}

describe("a write whose answer is larger than 4 MB", () => {
  let text = "";
  let operations: Awaited<ReturnType<typeof startOperations>>;
  beforeAll(async () => {
    operations = await startOperations(doingMore({ description: () => text }));
  });
  afterAll(() => operations.stop());

  const params = async (id: "createCalendar" | "addEvent") =>
    id === "createCalendar"
      ? { timezone: "UTC" }
      : { calendar_id: await newCalendar(), start_date: "2026-10-12T19:00" };

  test.each(["createCalendar", "addEvent"] as const)(
    "by %s is refused and undone, also with an Idempotency-Key, which may be used again and then replays",
    async (id) => {
      const sent = { ...(await params(id)), title: `Large ${id}` };
      text = "x".repeat(budgets.write.bytesAnswered);
      for (const key of [undefined, `large-${id}`]) {
        const { status, body } = await operations.call(id, sent, key);
        expect([status, body.meta.error_type]).toEqual([422, "answer_too_large"]);
        expect(await titles()).not.toContain(sent.title);
      }
      text = "x".repeat(budgets.write.bytesAnswered - 2_000);
      const first = await notBusy(() => operations.call(id, sent, `large-${id}`));
      expect([first.status, first.headers.get("Idempotency-Replayed")]).toEqual([200, null]);
      text = "";
      const second = await operations.call(id, sent, `large-${id}`);
      expect([second.status, second.headers.get("Idempotency-Replayed")]).toEqual([200, "true"]);
      expect(second.text).toBe(first.text);
      expect((await titles()).filter((title) => title === sent.title)).toEqual([sent.title]);
    },
  );
});

describe.skipIf(onPostgres)("a write that holds SQLite's only writer", () => {
  const { writerMs } = budgets.write;

  test.each(["createCalendar", "addEvent"] as const)(
    "by %s for longer than its budget is done, logged and counted",
    async (id) => {
      const operations = await startOperations(doingMore({ holdMs: writerMs }));
      const params = {
        calendar_id: await newCalendar(),
        title: `Slow ${id}`,
        start_date: "2026-10-12T19:00",
      };
      const { status, headers } = await operations.call(id, params);
      expect(status).toBe(200);
      expect(await titles()).toContain(params.title);
      expect(operations.overruns).toEqual([id]);
      const [line, ...others] = operations.warnings();
      expect([others, line]).toEqual([
        [],
        expect.objectContaining({
          msg: "write held the database",
          operation: id,
          request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
          ms: expect.any(Number),
        }),
      ]);
      expect(headers.get("X-Request-Id")).toBe(line?.request_id);
      expect(line?.ms).toBeGreaterThanOrEqual(writerMs);
      await operations.stop();
    },
  );

  test.each(["createCalendar", "addEvent"] as const)(
    "by %s for ten times as long is rolled back with a 503, logged and counted",
    async (id) => {
      const operations = await startOperations(doingMore({ holdMs: 10 * writerMs }));
      const params = {
        calendar_id: await newCalendar(),
        title: `Slower ${id}`,
        start_date: "2026-10-12T19:00",
      };
      const { status, headers, body } = await operations.call(id, params);
      expect([status, body.meta.error_type, headers.get("Retry-After")]).toEqual([503, "overloaded", "1"]);
      expect(await titles()).not.toContain(params.title);
      expect(operations.overruns).toEqual([id]);
      await operations.stop();
      expect((await account.call("addEvent", { ...params, title: "Next" })).status).toBe(200);
    },
  );
});

describe("a public form that writes more than a page may", () => {
  const form = (path: string, fields: Readonly<Record<string, string>> = {}) =>
    server.request(path, {
      method: "POST",
      headers: { "Sec-Fetch-Site": "same-origin" },
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
  /** A new calendar with a follower, and the path of the follower's page. */
  async function followed() {
    const owner = await server.account();
    const calendar_id = await newCalendar(owner);
    const { uniquekey } = (await owner.call("getCalendar", { calendar_id })).body.calendar;
    const follow = () =>
      form(`/c/${uniquekey}/follow`, { app: "apple", name: "Ada", email: "ada@example.com" });
    const { status, headers } = await follow();
    expect(status).toBe(303);
    return { owner, calendar_id, follow, path: headers.get("Location") ?? "" };
  }
  const total = async (calendar_id: string): Promise<number> =>
    (await server.db.read("subscribers").where({ calendar_id }).pluck("id")).length;
  const tooMany = budgets.page.rowsWritten + 1;

  test("is refused, and nothing of it is stored: the follow form", async () => {
    const { owner, calendar_id, follow } = await followed();
    // An announcement takes as many rows as the account has webhooks.
    await server.db.transaction((trx) =>
      trx("accounts").where({ id: owner.id }).update({ webhooks: tooMany }),
    );
    const refused = await follow();
    expect([refused.status, await total(calendar_id)]).toEqual([500, 1]);
    await server.db.transaction((trx) => trx("accounts").where({ id: owner.id }).update({ webhooks: 1 }));
    expect([(await follow()).status, await total(calendar_id)]).toEqual([303, 2]);
  });

  test("is refused, and nothing of it is stored: the form of a follower", async () => {
    const { owner, calendar_id, path } = await followed();
    const endpoint = await addEndpoint(server.db, owner.id, {
      with_person: 1,
      types: ",subscriber.deleted,",
    });
    const [subscriber_id] = await server.db.read("subscribers").where({ calendar_id }).pluck("id");
    const message = { endpoint_id: endpoint.id, calendar_id, subscriber_id, type: "x", created_at: 1 };
    const payload = JSON.stringify({ data: { subscriber: { name: "Ada", email: "ada@example.com" } } });
    await server.db.transaction(async (trx) => {
      const rows = Array.from({ length: tooMany }, (_, n) => ({
        ...message,
        payload,
        message_id: `msg_${n}`,
      }));
      for (let n = 0; n < rows.length; n += 100)
        await trx("webhook_deliveries").insert(rows.slice(n, n + 100));
    });
    expect([(await form(`${path}/delete`)).status, await total(calendar_id)]).toEqual([500, 1]);
    const withName = async () =>
      (await deliveriesOf(server.db, endpoint.id)).filter((row) => row.payload.includes("Ada")).length;
    expect(await withName()).toBe(tooMany);
    await server.db.transaction((trx) =>
      trx("webhook_deliveries").where("message_id", "like", "msg_1%").delete(),
    );
    expect([(await form(`${path}/delete`)).status, await total(calendar_id), await withName()]).toEqual([
      303, 0, 0,
    ]);
  });
});

// The database makes no difference.
describe.skipIf(onPostgres)("large answers that wait for slow readers", () => {
  const waiting: IncomingMessage[] = [];

  /** An account whose first page of events has about 13 MB. */
  async function writer(): Promise<{ readonly owner: TestAccount; readonly calendar_id: string }> {
    const owner = await server.account();
    const calendar_id = await newCalendar(owner);
    const text = `DESCRIPTION:${'"'.repeat(65_000)}`;
    const events = Array.from({ length: 100 }, (_, n) => vevent(`UID:${n}@example.com`, text));
    const { body } = await importFile(server, owner, calendar_id, calendarFile(...events));
    expect(body.import).toMatchObject({ created: 100 });
    return { owner, calendar_id };
  }

  /** Requests the page, or what another address has of the calendar, and does not read the answer. */
  async function begin(
    { owner, calendar_id }: Awaited<ReturnType<typeof writer>>,
    address = `${operations.listEvents.path}?`,
  ): Promise<IncomingMessage> {
    const url = `${server.url}${address}calendar_id=${calendar_id}`;
    const [response]: IncomingMessage[] = await once(
      get(url, { agent: false, headers: { Authorization: `Bearer ${owner.token}` } }),
      "response",
    );
    if (response === undefined) throw new Error("no answer");
    response.on("error", () => undefined);
    waiting.push(response);
    return response;
  }
  const end = (response: IncomingMessage | undefined): void => void response?.destroy();
  afterEach(() => waiting.forEach(end));

  test("are refused beyond a limit of one account, files among them, which others do not notice", async () => {
    const [first, second] = [await writer(), await writer()];
    const { headers } = await begin(first);
    const ofOne = Math.floor(unsentBytes.ofOne / Number(headers["content-length"]));
    expect(ofOne).toBeGreaterThan(3);
    for (let n = 1; n < ofOne; n++) expect((await begin(first)).statusCode).toBe(200);
    expect((await begin(first)).statusCode).toBe(503);
    const file = () => begin(first, `${allOperations.exportCalendar.path}?format=csv&`);
    const room = unsentBytes.ofOne - ofOne * Number(headers["content-length"]);
    for (let n = 0; n < Math.floor(room / sentFileBytes); n++) expect((await file()).statusCode).toBe(200);
    expect((await file()).statusCode).toBe(503);
    expect((await begin(second)).statusCode).toBe(200);
    expect((await first.owner.call("getCalendar", { calendar_id: first.calendar_id })).status).toBe(200);
    end(waiting[0]);
    await expect.poll(async () => (await begin(first)).statusCode).toBe(200);
  });
});
