import { describe, expect, test } from "vitest";
import { forGenerators } from "../src/document-generators.js";
import { isWrite } from "../src/operation.js";
import { operationIds, operations as table } from "../src/operations.js";
import { document, nodes, record } from "./reading.js";

const reduced = forGenerators(document);
const operations = Object.values(reduced.paths).flatMap((item) =>
  Object.entries(record(item)).map(([method, operation]) => ({ method, operation: record(operation) })),
);

describe("the document for generators", () => {
  test("has each operation once: reads by GET, writes by POST", () => {
    expect(operations.map(({ operation, method }) => [operation["operationId"], method])).toEqual(
      operationIds.map((id) => [id, isWrite(table[id]) ? "post" : "get"]),
    );
    expect(JSON.stringify(reduced)).not.toMatch(/ByGet|x-kalends-mutating/);
  });

  test("has the Bearer token only, and none for the time zone list", () => {
    expect(Object.keys(reduced.components?.securitySchemes ?? {})).toEqual(["bearer"]);
    expect(reduced.security).toEqual([{ bearer: [] }]);
    const own = operations.filter(({ operation }) => "security" in operation);
    expect(own.map(({ operation }) => [operation["operationId"], operation["security"]])).toEqual([
      ["listTimeZones", []],
    ]);
  });

  test("has JSON as the only media type", () => {
    const types = nodes(reduced).flatMap(({ node }) =>
      typeof node["content"] === "object" ? Object.keys(record(node["content"])) : [],
    );
    expect(types.length).toBeGreaterThan(30);
    expect(new Set(types)).toEqual(new Set(["application/json"]));
  });

  test("is otherwise the full document: the same operations, responses and schemas", () => {
    expect(reduced.info).toEqual({
      ...document.info,
      description: expect.stringContaining("for generators"),
    });
    for (const [path, item] of Object.entries(reduced.paths)) {
      for (const [method, operation] of Object.entries(record(item))) {
        const { requestBody: _other, ...rest } = record(operation);
        expect(record(record(document.paths[path])[method])).toMatchObject(rest);
      }
    }
    for (const [group, members] of Object.entries(reduced.components ?? {}))
      expect(record(record(document.components)[group])).toMatchObject(record(members));
  });

  test("refers to components that are there, and has none that nothing refers to", () => {
    const references = nodes(reduced).flatMap(({ node }) =>
      typeof node["$ref"] === "string" ? [node["$ref"]] : [],
    );
    const { securitySchemes: _named, ...groups } = reduced.components ?? {};
    const there = Object.entries(groups).flatMap(([group, members]) =>
      Object.keys(members).map((name) => `#/components/${group}/${name}`),
    );
    expect([...new Set(references)].toSorted()).toEqual(there.toSorted());
  });
});
