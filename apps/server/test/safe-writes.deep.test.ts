import { isWrite } from "@kalends/spec";
import { describe, expect, test } from "vitest";
import { deleteAccount } from "../src/cli/accounts.js";
import type { IdempotencyKeyRow } from "../src/db/rows.js";
import { purgeKeys } from "../src/http/idempotency-queries.js";
import { callsOfWrites, callsWithToken, freshParams, send, type Values } from "./calls.js";
import { holdContent } from "./database-content.js";
import { type Answer, type TestAccount, testServer, withMail } from "./harness.js";

// Writes that can be sent again, and writes meant for one state of an event (extensions X2.1, X2.2).

const server = await testServer({ ...withMail, WEBHOOKS_PER_ACCOUNT: "1000" });
const owner = await server.account();
let keys = 0;
const newKey = (): string => `key-${++keys}`;

const callOf = (id: string, method = "POST") => {
  const call = callsWithToken.find((one) => one.id === id && one.method === method);
  if (call === undefined) throw new Error(`there is no ${method} ${id}`);
  return call;
};
const withKey = (id: string, params: Values, key: string, account: TestAccount = owner): Promise<Answer> =>
  send(server, callOf(id), params, { token: account.token, headers: { "Idempotency-Key": key } });

describe.each(callsOfWrites)("$title", (call) => {
  test("with a key it is done once: sent again it gets the same bytes and changes nothing", async () => {
    const params = await freshParams(server, owner, call.id);
    const sending = { token: owner.token, headers: { "Idempotency-Key": newKey() } };
    const first = await send(server, call, params, sending);
    await using content = await holdContent(server);
    const second = await send(server, call, params, sending);
    expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([200, null]);
    expect([second.status, second.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    const { shownOnce } = call.op; // a token is not kept (extensions X8.6)
    if (shownOnce === undefined) expect(second.text).toBe(first.text);
    else expect(second.body).toStrictEqual({ ...first.body, [shownOnce]: "" });
    await content.expectSame();
  });

  test("a key that is not 1 to 255 visible ASCII characters, or comes twice, is a 400 and nothing is changed", async () => {
    const params = await freshParams(server, owner, call.id);
    await using content = await holdContent(server);
    for (const key of ["", "two words", "x".repeat(256), "Schlüssel", ["one", "other"]]) {
      const headers = {
        "Idempotency-Key": typeof key === "string" ? Buffer.from(key).toString("latin1") : key,
      };
      const answer = await send(server, call, params, { token: owner.token, headers });
      expect([key, answer.status, answer.body.meta.error_type]).toEqual([
        key,
        400,
        "idempotency_key_invalid",
      ]);
    }
    await content.expectSame();
  });

  test.runIf(call.op.ifMatch !== true)("If-Match, which it does not look at, is a 400", async () => {
    const params = await freshParams(server, owner, call.id);
    const answer = await send(server, call, params, { token: owner.token, headers: { "If-Match": '"0"' } });
    expect([answer.status, answer.body.meta.error_type]).toEqual([400, "if_match_invalid"]);
  });

  test.runIf(call.op.ifMatch === true)(
    "If-Match changes the event that was read, and no later one",
    async () => {
      const params = await freshParams(server, owner, call.id);
      const sendIf = (condition: string) =>
        send(server, call, params, { token: owner.token, headers: { "If-Match": condition } });
      await owner.call("eventsUpdate", { event_id: params.event_id ?? "", location: "Elsewhere" });
      await using content = await holdContent(server);
      for (const condition of ['"0"', 'W/"1"', '"x", "10"', '"2"', '"01"']) {
        const answer = await sendIf(condition);
        expect([condition, answer.status, answer.body.meta.error_type]).toEqual([
          condition,
          412,
          "event_changed",
        ]);
      }
      for (const condition of ["1", "", '"1', '"1" "2"', '*, "1"', '"1",'])
        expect([condition, (await sendIf(condition)).status]).toEqual([condition, 400]);
      await content.expectSame();
      expect((await sendIf('"0", "1"')).status).toBe(200);
    },
  );
});

test("reads take neither header for anything", async () => {
  for (const call of callsWithToken.filter(({ op }) => !isWrite(op))) {
    const headers = { "Idempotency-Key": "two words", "If-Match": "nothing" };
    const params = await freshParams(server, owner, call.id);
    const answer = await send(server, call, params, { token: owner.token, headers });
    expect([call.title, answer.status]).toEqual([call.title, 200]);
  }
});

describe("an Idempotency-Key", () => {
  const calendar = { title: "Once" };

  test("used for other parameters or another operation is a 422", async () => {
    const key = newKey();
    const made = await withKey("createCalendar", calendar, key);
    const answers = [
      await withKey("createCalendar", { ...calendar, description: "" }, key),
      await withKey("createCalendar", { title: "Twice" }, key),
      await withKey("deleteCalendar", { calendar_id: made.body.calendar.id }, key),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 422, 422]); // an empty parameter is an absent one
    expect(answers[1]?.body.meta.error_type).toBe("idempotency_key_reused");
  });

  test.each(["saveEvent", "eventsUpdate", "deleteEvent"] as const)(
    "used for %s with another If-Match, or without one, is a 422, as with other parameters (rulings R6.4)",
    async (id) => {
      const params = await freshParams(server, owner, id);
      const key = newKey();
      const sendIf = (condition?: string): Promise<Answer> => {
        const headers = {
          "Idempotency-Key": key,
          ...(condition === undefined ? {} : { "If-Match": condition }),
        };
        return send(server, callOf(id), params, { token: owner.token, headers });
      };
      const first = await sendIf('"0"');
      expect(first.status, first.text).toBe(200);
      await using content = await holdContent(server);
      for (const condition of ['"1"', "*", undefined]) {
        const { status, body } = await sendIf(condition);
        expect([condition, status, body.meta.error_type]).toEqual([condition, 422, "idempotency_key_reused"]);
      }
      expect((await sendIf('"0"')).text).toBe(first.text);
      await content.expectSame();
    },
  );

  test("has up to 255 visible ASCII characters, is left free by a refused request, and each account has its own", async () => {
    const other = await server.account();
    const signs = "!\"#$%&'()*+,-./:;<=>?@[]^_{|}~";
    for (const key of ["k".repeat(255), signs]) {
      const calendars: string[] = [];
      for (const account of [owner, other]) {
        expect((await withKey("createCalendar", { title: "" }, key, account)).status).toBe(400);
        const absent = { event_id: "9007199254740991" };
        expect((await withKey("deleteEvent", absent, key, account)).status).toBe(404);
        const made = await withKey("createCalendar", calendar, key, account);
        expect([made.status, made.headers.get("idempotency-replayed")]).toEqual([200, null]);
        calendars.push(made.body.calendar.id);
      }
      expect(new Set(calendars).size).toBe(2);
    }
  });

  test("that a transaction of another connection has is a 409 with Retry-After", async () => {
    const { dialect } = server.db;
    if (dialect.tryLock("'x'") === "true") return; // one transaction writes at a time
    const key = newKey();
    const answer = await server.db.transaction(async (trx) => {
      await trx.raw(`select ${dialect.tryLock("cast(? as text)")}`, [`${owner.id} ${key}`]);
      return withKey("createCalendar", calendar, key);
    });
    expect([answer.status, answer.body.meta.error_type]).toEqual([409, "idempotency_in_progress"]);
    expect(answer.headers.get("retry-after")).toBe("1");
    expect((await withKey("createCalendar", calendar, key)).status).toBe(200);
  });

  test("is good for 24 hours, and then forgotten; of many the account's oldest are forgotten before", async () => {
    const crowd = await server.account();
    const [key, stored] = [
      newKey(),
      () => server.db.read<IdempotencyKeyRow>("idempotency_keys").select("key"),
    ];
    const start = server.now;
    const made = await withKey("createCalendar", calendar, key, crowd);
    server.now = start + 86_399;
    expect((await withKey("createCalendar", calendar, key, crowd)).text).toBe(made.text);
    server.now = start + 86_400;
    expect((await withKey("createCalendar", calendar, key, crowd)).text).not.toBe(made.text);
    await purgeKeys(server.db, server.now);
    expect(await stored()).toEqual([{ key }]);
    for (let index = 0; index < 5; index++) {
      server.now++;
      await withKey("createCalendar", calendar, `crowd-${index}`, crowd);
    }
    const purged = { expired: 3, limit: 0 }; // before
    expect(await purgeKeys(server.db, server.now, undefined, { batch: 2, most: 2, purged })).toBe(4);
    expect(purged).toEqual({ expired: 3, limit: 4 });
    expect((await stored()).map((row) => row.key).toSorted()).toEqual(["crowd-3", "crowd-4"]);
    server.now = start;
  });
});

test("an account that is deleted leaves no key behind", async () => {
  const leaver = await server.account();
  await withKey("createCalendar", { title: "x" }, newKey(), leaver);
  const kept = () => server.db.read("idempotency_keys").where({ account_id: leaver.id });
  expect(await kept()).toHaveLength(1);
  await deleteAccount(server.db, leaver.id, { yes: true }, server.now);
  expect(await kept()).toEqual([]);
});

test("two writers that read, change one field each and send If-Match lose no change", async () => {
  const { event_id = "" } = await freshParams(server, owner, "eventsUpdate");
  const rounds = Number(process.env.KALENDS_UPDATE_ROUNDS ?? 20);
  const append = async (field: "location" | "description", text: string): Promise<void> => {
    for (;;) {
      const { event } = (await owner.call("eventsDetails", { event_id })).body;
      const headers = { "If-Match": `"${event.updated_times}"` };
      const params = { event_id, [field]: `${event[field]}${text}`.slice(-200) };
      const { status } = await send(server, callOf("eventsUpdate"), params, { token: owner.token, headers });
      if (status === 200) return;
      expect(status).toBe(412);
    }
  };
  await owner.call("eventsUpdate", { event_id, location: "", description: "" });
  for (let round = 0; round < rounds; round++)
    await Promise.all([append("location", String(round % 10)), append("location", String(round % 10))]);
  const { event } = (await owner.call("eventsDetails", { event_id })).body;
  const digits = Array.from({ length: rounds }, (_, round) => String(round % 10).repeat(2)).join("");
  expect(event.location).toBe(digits.slice(-200));
});
