import { isWrite, type Operation } from "@kalends/spec";
import { describe, expect, test } from "vitest";
import {
  callsOfWrites,
  callsWithToken,
  everyCall,
  exchange,
  freshParams,
  isNeeded,
  mandatoryParams,
  send,
  type Values,
} from "./calls.js";
import { type Answer, testServer, withMail } from "./harness.js";

// Parameters that may be left out, and those that are not the operation's (rulings R1.4, R1.5, R4.6, R4.7), for every
// operation of the spec with every method it answers.

const server = await testServer({ ...withMail, WEBHOOKS_PER_ACCOUNT: "1000" });
const owner = await server.account();
const { token } = owner;

/** Returns the text of a response without the values that differ in every call. */
function comparable({ text }: Answer): unknown {
  const fresh = new Set([
    "id",
    "uid",
    "uniquekey",
    "calendar",
    "calendar_id",
    "event_id",
    "webhook_id",
    "message_id",
    "secret",
    "ends_in",
    "updated_times",
    "next",
    "previous",
  ]);
  return JSON.parse(text, (name, value: unknown) => {
    if (name === "event_ids") return [];
    return fresh.has(name) && typeof value !== "object" ? "" : value;
  });
}

/** How many items a list answered: other tests add more lists of one item, so its items differ. */
function counts(op: Operation, { body }: Answer): unknown {
  return Object.keys(op.payload.shape).map((name) => [
    name,
    Array.isArray(body[name]) ? Math.min(body[name].length, 1) : typeof body[name],
  ]);
}

for (const call of callsWithToken) {
  const { id, op } = call;
  const names = Object.keys(op.params.shape);
  describe(call.title, () => {
    test("an unknown parameter is ignored, whatever its name", async () => {
      const names = [
        "utm_source",
        "Title",
        "calendar_id ",
        "toString",
        "constructor",
        "__proto__",
        "hasOwnProperty",
        "valueOf",
        "length",
        "",
      ];
      // Each twice: one that was known would be refused.
      const pairs = [...names, ...names].map((name): [string, string] => [name, "1"]);
      const query = new URLSearchParams(pairs).toString();
      const answer = await send(server, call, await freshParams(server, owner, id), { token, query });
      expect([answer.status, answer.text]).toStrictEqual([200, expect.anything()]);
    });

    test("an empty optional parameter acts as an absent one", async () => {
      const optional = names.filter(
        (name) =>
          !mandatoryParams(op).includes(name) && !isNeeded(id, name) && op.clearable?.includes(name) !== true,
      );
      const bare = async () => {
        const params = await freshParams(server, owner, id);
        return Object.fromEntries(Object.entries(params).filter(([name]) => !optional.includes(name)));
      };
      const absent = await send(server, call, await bare(), { token });
      const empty = await send(
        server,
        call,
        { ...(await bare()), ...Object.fromEntries(optional.map((name) => [name, ""])) },
        { token },
      );
      expect([absent.status, empty.status]).toStrictEqual([200, 200]);
      if (isWrite(op)) expect(comparable(empty)).toStrictEqual(comparable(absent));
      else expect(counts(op, empty)).toStrictEqual(counts(op, absent));
    });

    test("an empty pair in the query means nothing", async () => {
      const params = await freshParams(server, owner, id);
      const query = new URLSearchParams({ ...params, token }).toString();
      const answer = await exchange(server, `${op.path}?&${query}&&`, { method: call.method });
      expect(answer.status).toBe(200);
    });
  });
}

for (const call of callsOfWrites.filter(({ op }) => op.clearable !== undefined && op.partial !== true)) {
  const { id, op } = call;
  describe(call.title, () => {
    test("what has no default keeps its value when absent and is cleared when sent empty (rulings R4.6)", async () => {
      const params = await freshParams(server, owner, id);
      const kept = op.clearable ?? [];
      const filled = Object.fromEntries(
        kept.map((name) => [name, name === "organizer_email" ? "a@example.com" : "5"]),
      );
      const without = Object.fromEntries(Object.entries(params).filter(([name]) => !kept.includes(name)));
      const saved = async (change: Values): Promise<unknown> => {
        const answer = await send(server, call, { ...without, ...change }, { token });
        const item = answer.body.event ?? answer.body.calendar;
        return Object.fromEntries(kept.map((name) => [name, item[name]]));
      };
      expect(await saved(filled)).toStrictEqual(filled);
      expect(await saved({})).toStrictEqual(filled);
      const empty = Object.fromEntries(kept.map((name) => [name, ""]));
      expect(await saved(empty)).toStrictEqual(empty);
    });
  });
}

test("a calendar without any time zone gets America/Los_Angeles, though the document marks it required (rulings R4.7)", async () => {
  const [create] = callsOfWrites;
  expect(create?.id).toBe("createCalendar");
  for (const params of [{ title: "x" }, { title: "x", timezone: "" }]) {
    const { calendar } = (await owner.call("createCalendar", params)).body;
    expect(calendar.timezone).toBe("America/Los_Angeles");
    const saved = await owner.call("saveCalendar", { ...params, calendar_id: calendar.id });
    expect(saved.status).toBe(200);
  }
});

test("the time zone list ignores every parameter", async () => {
  const [list] = everyCall.filter(({ op }) => op.auth === "none");
  expect((await exchange(server, `${list?.op.path}?a=1&a=2&page=x&title[]=&token=`)).status).toBe(200);
});
