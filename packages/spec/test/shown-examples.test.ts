import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { document, followed, isRecord, type Json, list, operations, record } from "./reading.js";

// strict: a word in the document that means nothing fails too. "example" is OpenAPI's own.
const ajv = new Ajv({ strict: true, allErrors: true });
ajv.addVocabulary(["example"]);

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
    bodies(followed(response)).map(([, { schema, example }]) => ({
      title: `${title}: ${status}`,
      schema,
      value: example,
    })),
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
  const properties = record(schema["properties"]);
  return Object.entries(value).flatMap(([name, item]) => {
    const property = properties[name];
    return property === undefined
      ? [`${at}.${name}`]
      : unknownFields(record(property), item, `${at}.${name}`);
  });
}

test("the document has components of examples for the six writes", () => {
  expect(Object.keys(document.components?.examples ?? {})).toEqual([
    "CreateCalendar",
    "SaveCalendar",
    "DeleteCalendar",
    "CreateEvent",
    "SaveEvent",
    "DeleteEvent",
  ]);
});
