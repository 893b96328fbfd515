import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { isWrite } from "../src/operation.js";
import { operationIds, operations as table } from "../src/operations.js";
import { document, followed, isRecord, type Json, list, operations, record } from "./reading.js";

// strict: a word in the document that means nothing fails too. "example" is OpenAPI's own.
const ajv = new Ajv({ strict: true, allErrors: true });
ajv.addVocabulary(["example", "x-extensible-enum"]);
ajv.addFormat("int32", true).addFormat("int64", true);

/** Every example that the document shows, with the schema it stands for. */
const shown = operations().flatMap(({ title, operation }) => [
  ...list(operation["parameters"]).map((given) => {
    const { name, schema, example } = followed(given);
    return { title: `${title}: ${String(name)}`, schema, value: example };
  }),
  ...bodies(operation["requestBody"]).flatMap(([type, { schema, examples }]) =>
    Object.entries(record(examples)).map(([name, example]) => ({
      title: `${title}: ${name} as ${type}`,
      schema,
      value: followed(example)["value"],
    })),
  ),
  ...Object.entries(record(operation["responses"])).flatMap(([status, response]) =>
    bodies(followed(response)).flatMap(([, { schema, example, examples }]) =>
      Object.entries(isRecord(examples) ? examples : { "": { value: example } }).map(([name, shown]) => ({
        title: `${title}: ${status} ${name}`,
        schema,
        value: followed(shown)["value"],
      })),
    ),
  ),
]);

describe("the examples in the document", () => {
  test("are of every parameter, request body and answer", () => {
    expect(shown.length).toBeGreaterThan(250);
    expect(shown.filter(({ value }) => value === undefined)).toEqual([]);
  });

  test.each(shown)("fit their schema: $title", ({ schema, value }) => {
    const validate = ajv.compile({ ...whole(schema) });
    expect(validate(value), ajv.errorsText(validate.errors)).toBe(true);
  });

  test("hold nothing that their schema lacks", () => {
    const extra = shown.flatMap(({ title, schema, value }) =>
      unknownFields(whole(schema), value).map((at) => `${title}: ${at}`),
    );
    expect(extra).toEqual([]);
  });
});

function bodies(holder: unknown): readonly (readonly [type: string, media: Json])[] {
  const content = isRecord(holder) ? holder["content"] : undefined;
  return Object.entries(isRecord(content) ? content : {}).map(([type, media]) => [type, record(media)]);
}

/** The schema with every reference replaced by what it leads to. */
function whole(schema: unknown): Json {
  return record(replaced(schema));
}

function replaced(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item));
  if (!isRecord(value)) return value;
  if (typeof value["$ref"] === "string") return replaced(followed(value));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item)]));
}

function unknownFields(schema: Json, value: unknown, at = ""): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => unknownFields(record(schema["items"]), item, `${at}[${index}]`));
  }
  if (!isRecord(value)) return [];
  const { anyOf } = schema;
  if (Array.isArray(anyOf)) {
    const [least = []] = anyOf
      .map((one) => unknownFields(record(one), value, at))
      .toSorted((a, b) => a.length - b.length);
    return least;
  }
  const properties = record(schema["properties"]);
  return Object.entries(value).flatMap(([name, item]) => {
    const property = properties[name];
    return property === undefined
      ? [`${at}.${name}`]
      : unknownFields(record(property), item, `${at}.${name}`);
  });
}

test("the document has an example component for each write, named after it", () => {
  const names = Object.keys(document.components?.examples ?? {}).filter((name) => /^[A-Z]/.test(name));
  const writes = operationIds.filter((id) => isWrite(table[id]));
  expect(names).toEqual(writes.map((id) => `${id.charAt(0).toUpperCase()}${id.slice(1)}`));
});
