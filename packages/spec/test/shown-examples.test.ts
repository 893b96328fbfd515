import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import type { OpenApiDocument } from "../src/document.js";
import { isWrite } from "../src/operation.js";
import { operationsOf } from "../src/operations.js";
import { document, extensions, followed, isRecord, type Json, list, operations, record } from "./reading.js";

// strict: a word in the document that means nothing fails too. "example" and "discriminator" are OpenAPI's own.
const ajv = new Ajv({ strict: true, allErrors: true });
ajv.addVocabulary(["example", "x-extensible-enum", "discriminator"]);
ajv.addFormat("int32", true).addFormat("int64", true);
ajv.addFormat("date-time", (text) => new Date(text).toISOString() === text.replace("Z", ".000Z"));

/** Every example that a document shows, with the schema it stands for. */
function shownIn(root: OpenApiDocument) {
  return operations(root).flatMap(({ title, operation }) => [
    ...list(operation["parameters"]).map((given) => {
      const { name, schema, example } = followed(given, root);
      return { title: `${title}: ${String(name)}`, schema, value: example };
    }),
    ...bodies(operation["requestBody"]).flatMap(([type, { schema, examples }]) =>
      Object.entries(record(examples)).map(([name, example]) => ({
        title: `${title}: ${name} as ${type}`,
        schema,
        value: followed(example, root)["value"],
      })),
    ),
    ...Object.entries(record(operation["responses"])).flatMap(([status, response]) =>
      bodies(followed(response, root)).flatMap(([, { schema, example, examples }]) =>
        Object.entries(isRecord(examples) ? examples : { "": { value: example } }).map(([name, shown]) => ({
          title: `${title}: ${status} ${name}`,
          schema,
          value: followed(shown, root)["value"],
        })),
      ),
    ),
  ]);
}

describe.each([
  { title: "the document", root: document, table: operationsOf("contract"), least: 250 },
  {
    title: "the document of the extensions",
    root: extensions,
    table: operationsOf("extensions"),
    least: 150,
  },
])("the examples in $title", ({ root, table, least }) => {
  const all = shownIn(root);
  const isFirst = ({ schema, value }: Shown, index: number) =>
    all.findIndex((other) => other.schema === schema && other.value === value) === index;
  const shown = all.filter(isFirst); // operations share the components of parameters and responses

  test("are of every parameter, request body and answer", () => {
    expect(all.length).toBeGreaterThan(least);
    expect(shown.filter(({ value }) => value === undefined)).toEqual([]);
  });

  test.each(shown)("fit their schema: $title", ({ schema, value }) => {
    const validate = ajv.compile({ ...whole(schema, root) });
    expect(validate(value), ajv.errorsText(validate.errors)).toBe(true);
  });

  test("hold nothing that their schema lacks", () => {
    const extra = shown.flatMap(({ title, schema, value }) =>
      unknownFields(whole(schema, root), value).map((at) => `${title}: ${at}`),
    );
    expect(extra).toEqual([]);
  });

  test("have a component for each write, named after it", () => {
    const names = Object.keys(root.components?.examples ?? {}).filter((name) => /^[A-Z]/.test(name));
    const writes = Object.entries(table).filter(([, op]) => isWrite(op));
    expect(names).toEqual(writes.map(([id]) => `${id.charAt(0).toUpperCase()}${id.slice(1)}`));
  });
});

type Shown = ReturnType<typeof shownIn>[number];

function bodies(holder: unknown): readonly (readonly [type: string, media: Json])[] {
  const content = isRecord(holder) ? holder["content"] : undefined;
  return Object.entries(isRecord(content) ? content : {}).map(([type, media]) => [type, record(media)]);
}

/** The schema with every reference replaced by what it leads to. */
function whole(schema: unknown, root: OpenApiDocument): Json {
  return record(replaced(schema, root));
}

function replaced(value: unknown, root: OpenApiDocument): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, root));
  if (!isRecord(value)) return value;
  if (typeof value["$ref"] === "string") return replaced(followed(value, root), root);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item, root)]));
}

function unknownFields(schema: Json, value: unknown, at = ""): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => unknownFields(record(schema["items"]), item, `${at}[${index}]`));
  }
  if (!isRecord(value)) return [];
  const { anyOf, oneOf = anyOf } = schema;
  if (Array.isArray(oneOf)) {
    const [least = []] = oneOf
      .map((one) => unknownFields(record(one), value, at))
      .toSorted((a, b) => a.length - b.length);
    return least;
  }
  if (schema["additionalProperties"] === true) return [];
  const properties = record(schema["properties"]);
  return Object.entries(value).flatMap(([name, item]) => {
    const property = properties[name];
    return property === undefined
      ? [`${at}.${name}`]
      : unknownFields(record(property), item, `${at}.${name}`);
  });
}
