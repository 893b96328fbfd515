import { describe, expect, test } from "vitest";
import { forGenerators } from "../src/document-generators.js";
import { isOfConsole, isWrite } from "../src/operation.js";
import { operationsOf as tableOf } from "../src/operations.js";
import { document, extensions, list, nodes, operations as operationsOf, record } from "./reading.js";

const webhookSchemas = nodes(record(record(extensions)["webhooks"])).flatMap(({ node }) =>
  typeof node["$ref"] === "string" ? [node["$ref"]] : [],
);

describe.each([
  {
    title: "of the contract",
    whole: document,
    table: tableOf("contract"),
    open: ["listTimeZones"],
    beside: [],
  },
  {
    title: "of the extensions",
    whole: extensions,
    // Without what needs a session of the console instead of a token.
    table: Object.fromEntries(Object.entries(tableOf("extensions")).filter(([, op]) => !isOfConsole(op))),
    open: [],
    beside: webhookSchemas,
  },
])("the document for generators $title", ({ whole, table: ids, open, beside }) => {
  const reduced = forGenerators(whole, "Made for generators.");
  const operations = operationsOf(reduced);

  test("has each operation once: reads by GET, writes by POST", () => {
    expect(operations.map(({ operation, method }) => [operation["operationId"], method])).toEqual(
      Object.entries(ids).map(([id, operation]) => [id, isWrite(operation) ? "post" : "get"]),
    );
    expect(JSON.stringify(reduced)).not.toMatch(/ByGet|x-kalends-mutating/);
  });

  test("has the Bearer token only, and none for what is open", () => {
    expect(Object.keys(reduced.components?.securitySchemes ?? {})).toEqual(["bearer"]);
    expect(reduced.security).toEqual([{ bearer: [] }]);
    const own = operations.filter(({ operation }) => "security" in operation);
    expect(own.map(({ operation }) => [operation["operationId"], operation["security"]])).toEqual(
      open.map((id) => [id, []]),
    );
  });

  test("has JSON as the only media type except of files, and all parameters of a write in it", () => {
    const types = nodes(reduced).flatMap(({ node }) =>
      typeof node["content"] === "object" ? Object.keys(record(node["content"])) : [],
    );
    expect(types.length).toBeGreaterThan(30);
    const files = new Set(["text/calendar", "text/csv"]);
    expect(new Set(types.filter((type) => !files.has(type)))).toEqual(new Set(["application/json"]));
    const inQuery = operations.filter(
      ({ method, operation }) =>
        method === "post" && list(operation["parameters"]).some((one) => record(one)["in"] === "query"),
    );
    expect(inQuery).toEqual([]);
  });

  test("is of OpenAPI 3.0, and has no webhooks", () => {
    expect(reduced.openapi).toBe("3.0.3");
    expect(reduced).not.toHaveProperty("webhooks");
  });

  test("is otherwise the full document: the same operations, responses and schemas", () => {
    expect(reduced.info).toEqual({ ...whole.info, description: "Made for generators." });
    for (const [path, item] of Object.entries(reduced.paths)) {
      for (const [method, operation] of Object.entries(record(item))) {
        const { requestBody: _other, parameters: _fewer, ...rest } = record(operation);
        expect(record(record(whole.paths[path])[method])).toMatchObject(rest);
      }
    }
    for (const [group, members] of Object.entries(reduced.components ?? {}))
      expect(record(record(whole.components)[group])).toMatchObject(record(members));
  });

  test("refers to components that are there, and has none that nothing refers to, except messages of webhooks", () => {
    const references = nodes(reduced).flatMap(({ node }) =>
      typeof node["$ref"] === "string" ? [node["$ref"]] : [],
    );
    const { securitySchemes: _named, ...groups } = reduced.components ?? {};
    const there = Object.entries(groups).flatMap(([group, members]) =>
      Object.keys(members).map((name) => `#/components/${group}/${name}`),
    );
    expect([...new Set([...references, ...beside])].toSorted()).toEqual(there.toSorted());
  });
});

describe("generated code compiles where a value becomes a name or a string: the extensions have", () => {
  test.each(["", '"', "\n", "`"])("no value of an enum that is or has %j", (text) => {
    const values = nodes(extensions).flatMap(({ node }) => list(node["enum"]).map(String));
    expect(values.length).toBeGreaterThan(50);
    expect(values.filter((value) => (text === "" ? value === "" : value.includes(text)))).toEqual([]);
  });

  test("no quote in a pattern", () => {
    const patterns = nodes(extensions).flatMap(({ node }) =>
      typeof node["pattern"] === "string" ? [node["pattern"]] : [],
    );
    expect(patterns.length).toBeGreaterThan(100);
    expect(patterns.filter((pattern) => /["'`]/.test(pattern))).toEqual([]);
    expect(patterns.filter((pattern) => pattern.includes(String.raw`\x22`)).length).toBeGreaterThan(0);
  });
});
