import { describe, expect, test } from "vitest";
import { brokenRule, failureCodes } from "../src/failures.js";
import type { Operation } from "../src/operation.js";
import { operationsOf } from "../src/operations.js";

const extensions = Object.entries(operationsOf("extensions"));

/** Values of many wrong forms; which of them a parameter refuses is its own matter. */
const wrong = [
  "Zz".repeat(35_000),
  "\u0001",
  "  ",
  "-1",
  "0",
  "99999999999999999",
  "a,a",
  "{",
  "1,".repeat(400),
];

/** Parameters with a syntax of their own, whose message is all there is to say. */
const withSyntax = [
  "custom_data",
  "categories",
  "category",
  "name",
  "into",
  "rrule",
  "since",
  "ics",
  "link",
  "token",
  "passkey",
  "query",
  "credential",
  "key",
  "accent",
];

const refusals = (op: Operation) =>
  Object.entries(op.params.shape).flatMap(([name, schema]) =>
    wrong.flatMap((value) => {
      const [issue] = schema.safeParse(value).error?.issues ?? [];
      return issue === undefined ? [] : [{ name, rule: brokenRule(issue) }];
    }),
  );

describe.each(extensions)("%s", (_id, op) => {
  test("says of each refused value its code, and the limit of what is too much (extensions X8.8)", () => {
    for (const { name, rule } of refusals(op)) {
      expect(failureCodes, name).toHaveProperty(rule.code);
      const isLimited = ["too_long", "too_many", "out_of_range"].includes(rule.code);
      expect(typeof rule.limit, `${name}: ${rule.message}`).toBe(isLimited ? "number" : "undefined");
    }
  });

  test("leaves to the message alone only what has a syntax of its own", () => {
    const unnamed = refusals(op).filter(({ rule }) => rule.code === "malformed");
    expect(unnamed.map(({ name }) => name).filter((name) => !withSyntax.includes(name))).toEqual([]);
  });
});

test("custom_data of the right form that is too long says the bytes that it may have (extensions X2.4, X8.8)", () => {
  const taking = extensions.filter(([, { params }]) => "custom_data" in params.shape);
  expect(taking.length).toBeGreaterThan(4);
  for (const [id, op] of taking)
    for (const letter of ["x", "\u00e9"]) {
      const value = JSON.stringify({ a: letter.repeat(4_089) });
      const [issue] = op.params.shape["custom_data"]?.safeParse(value).error?.issues ?? [];
      expect(brokenRule(issue), id).toMatchObject({ code: "too_long", limit: 4096 });
    }
});

test("the codes are names, each with a sentence", () => {
  for (const [code, description] of Object.entries(failureCodes)) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(description).toMatch(/^It .+\.$/);
  }
});
