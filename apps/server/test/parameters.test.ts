import type { Operation } from "@kalends/spec";
import { afterAll, describe, expect, test } from "vitest";
import {
  blamed,
  type Call,
  callsOfWrites,
  callsWithToken,
  codeOf,
  databaseContent,
  everyCall,
  exchange,
  freshParams,
  idParams,
  mandatoryParams,
  send,
  type Values,
} from "./calls.js";
import { type Answer, startTestServer } from "./harness.js";

// How parameters are read (rulings R1.4, R1.5, R2.6), for every operation of the spec with every method it answers.

const server = await startTestServer();
afterAll(() => server.stop());
const owner = await server.account();
const { token } = owner;

const malformedIds = [
  ...["abc", "-1", "0", "01", "1.0", " 1", "1 ", "+1", "1e3", "0x10", "1,2", "٣", "1'", "null", "NaN"],
  ...["9007199254740992", "99999999999999999999", "1;drop table events", "1' or '1'='1"],
];

/** Sends the call with one value changed, and expects a 400 that names the parameter and changes nothing. */
async function expectRefused(call: Call, params: Values, parameter: string, query = ""): Promise<Answer> {
  const answer = await send(server, call, params, { token, query });
  expect([parameter, query, params[parameter], answer.status]).toStrictEqual([
    parameter,
    query,
    params[parameter],
    400,
  ]);
  expect(blamed(answer)).toContain(parameter);
  expect(answer.body.meta.code).toBe(codeOf(call.op, 400));
  expect(answer.body.meta.error_message).toContain(`${blamed(answer)[0]}: `);
  return answer;
}

/** Text of an answer without what a second call makes anew. */
function comparable({ text }: Answer): unknown {
  const fresh = new Set(["id", "uniquekey", "calendar", "updated_times", "next", "previous"]);
  return JSON.parse(text, (name, value: unknown) =>
    fresh.has(name) && typeof value !== "object" ? "" : value,
  );
}

for (const call of callsWithToken) {
  const { id, op } = call;
  const names = Object.keys(op.params.shape);
  describe(call.title, () => {
    test("a mandatory parameter that is missing or empty is a 400 that names it, and nothing is changed", async () => {
      const params = await freshParams(server, owner, id);
      const before = await databaseContent(server);
      for (const name of mandatoryParams(op)) {
        const { [name]: _left, ...others } = params;
        expect((await expectRefused(call, others, name)).body.meta.error_type).toBe("parameter_missing");
        expect((await expectRefused(call, { ...params, [name]: "" }, name)).body.meta.error_type).toBe(
          "parameter_missing",
        );
      }
      expect(await databaseContent(server)).toBe(before);
    });

    test("all that are missing are named at once, in the order of the spec", async () => {
      const answer = await send(server, call, {}, { token });
      expect(blamed(answer)).toStrictEqual(mandatoryParams(op));
    });

    test("a malformed id is a 400 that names it, and nothing is changed", async () => {
      const params = await freshParams(server, owner, id);
      const before = await databaseContent(server);
      for (const name of idParams(op)) {
        for (const value of malformedIds) await expectRefused(call, { ...params, [name]: value }, name);
      }
      expect(await databaseContent(server)).toBe(before);
    });

    test("a parameter given twice, as name[] or as name[key] is a 400 that names it, and nothing is changed", async () => {
      const params = await freshParams(server, owner, id);
      const before = await databaseContent(server);
      for (const name of names) {
        const { [name]: value = "x", ...others } = params;
        const pair = (key: string) => new URLSearchParams({ [key]: value }).toString();
        for (const query of [
          `${pair(name)}&${pair(name)}`,
          pair(`${name}[]`),
          pair(`${name}[0]`),
          `${name}=&${name}=`,
        ]) {
          const answer = await expectRefused(call, others, name, query);
          expect(answer.body.meta.error_type).toBe("parameter_repeated");
        }
      }
      expect(await databaseContent(server)).toBe(before);
    });

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
      for (const name of names) {
        const query = new URLSearchParams([
          [name, "1"],
          [name, "2"],
        ]).toString();
        const answer = await send(server, call, await freshParams(server, owner, id), { token, query });
        expect([name, answer.status]).toStrictEqual([name, 200]);
      }
    });

    test("an empty optional parameter acts as an absent one", async () => {
      const optional = names.filter(
        (name) => !mandatoryParams(op).includes(name) && op.clearable?.includes(name) !== true,
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
      if (op.methods.length === 2) expect(comparable(empty)).toStrictEqual(comparable(absent));
      else expect(counts(op, empty)).toStrictEqual(counts(op, absent));
    });

    test("an empty pair in the query means nothing", async () => {
      const params = await freshParams(server, owner, id);
      const query = new URLSearchParams({ ...params, token }).toString();
      const answer = await exchange(server, `${op.path}?&${query}&&`, { method: call.method });
      expect(answer.status).toBe(200);
    });

    test("text that is not percent-encoded UTF-8, or holds control characters, is a 400 before the token is asked for", async () => {
      const before = await databaseContent(server);
      for (const junk of [
        "%",
        "%zz",
        "100%",
        "%FF",
        "%C0%80",
        "%ED%A0%80",
        "%E2%82",
        "a%00b",
        "%1B[0m",
        "%7F",
        "%C2%85",
        "%0D%0ASet-Cookie:x",
      ]) {
        for (const query of [`title=${junk}`, `other=${junk}`, `${junk}=1`]) {
          const answer = await exchange(server, `${op.path}?${query}`, { method: call.method });
          expect([query, answer.status, answer.body.meta.error_type]).toStrictEqual([
            query,
            400,
            "encoding_invalid",
          ]);
          expect(answer.headers.get("Set-Cookie")).toBeNull();
        }
      }
      expect(await databaseContent(server)).toBe(before);
    });
  });
}

/** How many items a list answered: other tests add more lists of one item, so its items differ. */
function counts(op: Operation, { body }: Answer): unknown {
  return Object.keys(op.payload.shape).map((name) => [
    name,
    Array.isArray(body[name]) ? Math.min(body[name].length, 1) : typeof body[name],
  ]);
}

for (const call of callsOfWrites.filter(({ method }) => method === "POST")) {
  const { id, op } = call;
  describe(call.title, () => {
    test("a parameter in the query and in the form is a 400 that names it, and nothing is changed", async () => {
      const params = await freshParams(server, owner, id);
      const before = await databaseContent(server);
      for (const name of Object.keys(op.params.shape)) {
        const value = params[name] ?? "x";
        await expectRefused(
          call,
          { ...params, [name]: value },
          name,
          new URLSearchParams({ [name]: value }).toString(),
        );
      }
      expect(await databaseContent(server)).toBe(before);
    });
  });
}

for (const call of callsOfWrites.filter(({ op }) => op.clearable !== undefined)) {
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
