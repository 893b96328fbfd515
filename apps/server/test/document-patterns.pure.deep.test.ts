import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isWrite, type Operation, contractIds, operations } from "@kalends/spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiError } from "../src/http/errors.js";
import { checkCharacters, readParams } from "../src/http/params.js";

// A generated validator is to accept what the server accepts and to refuse what it refuses.

interface Schema {
  readonly pattern: string;
  readonly maxLength: number;
}

const file = createRequire(import.meta.url).resolve("@kalends/spec/openapi.json");
const { components, paths } = JSON.parse(readFileSync(file, "utf8"));

const texts = ["title", "calendarname", "description", "location", "organizer", "organizer_email"];

/** Every text that a write takes, as the document has it in the body and in the query. */
const fields = contractIds
  .filter((id) => isWrite(operations[id]))
  .flatMap((id) => {
    const op: Operation = operations[id];
    const form = components.schemas[`${id.charAt(0).toUpperCase()}${id.slice(1)}RequestBody`].properties;
    const query: readonly { name?: string; schema?: Schema }[] = paths[op.path].get.parameters;
    return Object.keys(op.params.shape)
      .filter((name) => texts.includes(name))
      .map((name) => ({
        title: `${name} of ${id}`,
        op,
        name,
        schema: schemaOf(form[name]),
        inQuery: schemaOf(query.find((one) => one.name === name)?.schema),
      }));
  });

function schemaOf(schema: Schema | undefined): Schema {
  if (schema === undefined) throw new Error("the document lacks the field");
  return schema;
}

/** What a validator makes of the schema. */
function validatorOf({ pattern, maxLength }: Schema): (value: string) => boolean {
  const rule = new RegExp(pattern, "u");
  return (value) => rule.test(value) && [...value].length <= maxLength;
}

/** Asks the checks that each request passes. */
function serverAccepts(op: Operation, name: string, value: string): boolean {
  const pairs = Object.entries({ ...op.example.request, [name]: value });
  try {
    checkCharacters(pairs, op);
    readParams(op, pairs);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.failures.map(({ parameter }) => parameter)).toEqual([name]);
    return false;
  }
}

test("the document has the same pattern and length for a text wherever it is sent", () => {
  expect(fields).toHaveLength(16);
  for (const { title, schema, inQuery } of fields) {
    expect(schema, title).toMatchObject({ pattern: expect.any(String), maxLength: expect.any(Number) });
    expect([inQuery.pattern, inQuery.maxLength], title).toEqual([schema.pattern, schema.maxLength]);
  }
});

describe.each(fields)("$title", ({ op, name, schema }) => {
  const documentAccepts = validatorOf(schema);

  test("is accepted by the document exactly when the server accepts it", () => {
    const outcomes = new Set<boolean>();
    fc.assert(
      fc.property(textOf(schema.maxLength), (value) => {
        fc.pre(value !== ""); // absent, or cleared on save
        const accepted = serverAccepts(op, name, value);
        outcomes.add(accepted);
        expect(documentAccepts(value)).toBe(accepted);
      }),
      { seed: 1, numRuns: 300 }, // the same texts in each run
    );
    expect(outcomes.size).toBe(2);
  });
});

/** One field for each name: fields of one name have one pattern in the document. */
const names = new Map(fields.map((field) => [field.name, field]));

describe.each([...names.values()])("$title, character by character", ({ op, name, schema }) => {
  test("has the same characters refused by the document and by the server", () => {
    const documentAccepts = validatorOf(schema);
    const around = name === "organizer_email" ? ["a", "b@example.com"] : ["a", "b"];
    const wrong = characters.filter((character) => {
      const value = around.join(character);
      return documentAccepts(value) !== serverAccepts(op, name, value);
    });
    expect(wrong.map((character) => character.codePointAt(0))).toEqual([]);
  });
});

/** All up to the CJK punctuation, and the last of the plane: every control character and white space is among them. */
const characters = [...range(0, 0x30_ff), ...range(0xf9_00, 0xff_ff)].map((code) =>
  String.fromCharCode(code),
);

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Short texts of characters that rules are about, and texts about as long as the longest. */
function textOf(longest: number): fc.Arbitrary<string> {
  const character = fc.constantFrom(
    ...[
      "a",
      "b",
      "@",
      "@",
      ".",
      " ",
      "\t",
      "\n",
      "\r",
      "\u0000",
      "\u001f",
      "\u007f",
      "\u0085",
      "\u00a0",
      "\u2028",
    ],
    ...["\u3000", "\ufeff", "<", ">", "(", "[", "]", "\\", ",", ";", ":", '"', "'", "é", "😀", "\u{e0001}"],
  );
  const short = fc.string({ unit: character, maxLength: 12 });
  const long = fc
    .tuple(fc.constantFrom("a", "é", "😀", " "), fc.integer({ min: -12, max: 2 }), short)
    .map(([one, more, end]) => one.repeat(Math.max(1, longest + more - [...end].length)) + end);
  const plain = fc.string({ unit: fc.constantFrom("a", "é", "😀", ".", "'"), minLength: 1, maxLength: 5 });
  const good = fc.tuple(plain, plain).map((parts) => parts.join("@"));
  const address = fc.tuple(short, short).map(([name, host]) => `x${name}@y${host}`);
  return fc.oneof({ weight: 6, arbitrary: short }, { weight: 2, arbitrary: address }, good, long);
}
