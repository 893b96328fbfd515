import { failureCodes, isExtension } from "@kalends/spec";
import { describe, expect, test } from "vitest";
import { callsWithToken } from "./calls.js";
import { testServer } from "./harness.js";

const server = await testServer();

const account = await server.account();
const withParameters = callsWithToken.filter(({ op }) => Object.keys(op.params.shape).length > 0);

const wrong = ["\u0001", "x".repeat(300), " ", "0", "2026-02-30", "Mars/Olympus_Mons"];

/** What a request with this value in every parameter is refused for. */
async function failuresOf({ id, op, method }: (typeof withParameters)[number], value: string) {
  const params = Object.fromEntries(Object.keys(op.params.shape).map((name) => [name, value]));
  const answer = await (method === "GET" ? account.get(id, params) : account.call(id, params));
  const { errors } = answer.body.meta;
  expect(errors, `${id} ${value.slice(0, 20)}: ${answer.status}`).toBeInstanceOf(Array);
  return errors;
}

describe.each(withParameters)("$title", (call) => {
  test.each(wrong)(
    "says what is wrong with %.20s, by a code in the extensions alone (extensions X8.8)",
    async (value) => {
      for (const failure of await failuresOf(call, value)) {
        const { parameter, message, ...more } = failure;
        expect([typeof parameter, typeof message]).toEqual(["string", "string"]);
        if (!isExtension(call.op)) expect(more).toEqual({});
        else expect(failureCodes).toHaveProperty(more.code);
      }
    },
  );
});
