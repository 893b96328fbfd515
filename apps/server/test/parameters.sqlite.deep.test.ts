import { describe, expect, test } from "vitest";
import {
  blamed,
  type Call,
  callsOfWrites,
  callsWithToken,
  codeOf,
  exchange,
  freshParams,
  idParams,
  isNeeded,
  mandatoryParams,
  send,
  type Values,
} from "./calls.js";
import { holdContent } from "./database-content.js";
import { type Answer, testServer } from "./harness.js";

// Parameters that are refused (rulings R1.4, R1.5, R2.6), for every operation of the spec with every method it answers.

const server = await testServer();
const owner = await server.account();
const { token } = owner;

const malformedIds = [
  "abc",
  "-1",
  "0",
  "01",
  "1.0",
  " 1",
  "1 ",
  "+1",
  "1e3",
  "0x10",
  "1,2",
  "٣",
  "1'",
  "null",
  "NaN",
  "9007199254740992",
  "99999999999999999999",
  "1;drop table events",
  "1' or '1'='1",
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

for (const call of callsWithToken) {
  const { id, op } = call;
  const names = Object.keys(op.params.shape);
  describe(call.title, () => {
    test("a mandatory parameter that is missing or empty is a 400 that names it, and nothing is changed", async () => {
      const params = await freshParams(server, owner, id);
      await using before = await holdContent(server);
      for (const name of mandatoryParams(op)) {
        const { [name]: _left, ...others } = params;
        expect((await expectRefused(call, others, name)).body.meta.error_type).toBe("parameter_missing");
        expect((await expectRefused(call, { ...params, [name]: "" }, name)).body.meta.error_type).toBe(
          "parameter_missing",
        );
      }
      await before.expectSame();
    });

    test("all that are missing are named at once, in the order of the spec", async () => {
      const answer = await send(server, call, {}, { token });
      const mandatory = mandatoryParams(op);
      // Where the schema lets all go, the handler asks for one of them.
      const missing = mandatory.length > 0 ? mandatory : names.filter((name) => isNeeded(id, name));
      expect(blamed(answer)).toStrictEqual(missing);
    });

    test("a malformed id is a 400 that names it, and nothing is changed", async () => {
      const params = await freshParams(server, owner, id);
      await using before = await holdContent(server);
      for (const name of idParams(op)) {
        for (const value of malformedIds) await expectRefused(call, { ...params, [name]: value }, name);
      }
      await before.expectSame();
    });

    test("a parameter given twice, as name[] or as name[key] is a 400 that names it, and nothing is changed", async () => {
      const params = await freshParams(server, owner, id);
      await using before = await holdContent(server);
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
      await before.expectSame();
    });

    test("text that is not percent-encoded UTF-8, or holds control characters, is a 400 before the token is checked", async () => {
      await using before = await holdContent(server);
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
      await before.expectSame();
    });
  });
}

for (const call of callsOfWrites.filter(({ method }) => method === "POST")) {
  const { id, op } = call;
  describe(call.title, () => {
    test("a parameter in the query and in the form is a 400 that names it, and nothing is changed", async () => {
      const params = await freshParams(server, owner, id);
      await using before = await holdContent(server);
      for (const name of Object.keys(op.params.shape)) {
        const value = params[name] ?? "x";
        await expectRefused(
          call,
          { ...params, [name]: value },
          name,
          new URLSearchParams({ [name]: value }).toString(),
        );
      }
      await before.expectSame();
    });
  });
}
