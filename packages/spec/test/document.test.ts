import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { OpenApiGeneratorV31 } from "@asteasolutions/zod-to-openapi";
import { describe, expect, test } from "vitest";
import { parse, parseDocument, visit } from "yaml";
import { printedFiles } from "../scripts/printed.js";
import { shareParameters } from "../src/document-parameters.js";
import { definitions, openApiDocument, type OpenApiDocument } from "../src/document.js";
import { document, extensions, nodes, operations, record, resolve } from "./reading.js";

/** Raised from 84,000 for descriptions, headers and an example of each error (docs/decisions/0008). */
const maxBytes = 144_000;
/** Of the extensions: for each path, with an example of each error, and for each property and parameter. The messages of 12 webhooks are in it too. */
const maxBytesOf = { path: 5_000, field: 240 };
const fieldsOfExtensions = nodes(extensions).filter(({ at }) =>
  /\/(?:properties|parameters)\/[^/]+$/.test(at),
);
const files = printedFiles().map(({ path, text }) => ({ name: basename(path), path, text }));
const documents = files.filter(({ name }) => name.startsWith("openapi"));

describe("the printed files", () => {
  test.each(files)("$name is what the source prints", ({ name, path, text }) => {
    expect(readFileSync(path, "utf8"), `${name} is stale: run npm run emit`).toBe(text);
  });

  test("are the document in three forms, the one for generators, those of the extensions, and the page of errors", () => {
    expect(files.map(({ name }) => name)).toEqual([
      "openapi.json",
      "openapi.yaml",
      "openapi-3.1.json",
      "openapi-generators.json",
      "openapi-kalends.json",
      "openapi-kalends.yaml",
      "openapi-kalends-generators.json",
      "errors.md",
    ]);
  });

  test.each(documents)(
    "$name is at most 144,000 bytes, of the extensions 5,000 for each path and 240 for each field",
    ({ name, path }) => {
      const advice =
        "Shorten descriptions that say the same twice. If each is needed, raise maxBytes, and say in the pull request why.";
      const limit = name.startsWith("openapi-kalends")
        ? maxBytesOf.path * Object.keys(extensions.paths).length +
          maxBytesOf.field * fieldsOfExtensions.length
        : maxBytes;
      expect(readFileSync(path).byteLength, advice).toBeLessThanOrEqual(limit);
    },
  );

  test("have the sizes in README.md that they may have", () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8").replace(/\s+/g, " ");
    expect(readme).toContain(`at most ${maxBytes.toLocaleString("en")} bytes`);
    const { path, field } = maxBytesOf;
    expect(readme).toContain(`${path.toLocaleString("en")} for each path and ${field} for each field`);
  });
});

describe("the document in its two versions", () => {
  test("differs in the member openapi alone", () => {
    const { openapi, ...rest } = openApiDocument("3.1.0");
    const { openapi: older, ...same } = document;
    expect([older, openapi]).toEqual(["3.0.3", "3.1.0"]);
    expect(JSON.stringify(rest)).toBe(JSON.stringify(same));
  });

  test("is what the generator for 3.1 prints too: it keeps to what both versions write the same way", () => {
    const { info } = document;
    const generated = new OpenApiGeneratorV31(definitions()).generateDocument({ openapi: "3.1.0", info });
    const copy: OpenApiDocument = JSON.parse(JSON.stringify(generated));
    const { paths, components } = shareParameters(copy);
    expect(JSON.stringify(paths)).toBe(JSON.stringify(document.paths));
    expect(JSON.stringify(components)).toBe(JSON.stringify(document.components));
  });

  test("uses no word that 3.0 and 3.1 read differently", () => {
    const words = ["nullable", "const", "exclusiveMinimum", "exclusiveMaximum", "$defs", "prefixItems"];
    const found = nodes(document).filter(
      ({ node }) => words.some((word) => word in node) || Array.isArray(node["type"]),
    );
    expect(found.map(({ at }) => at)).toEqual([]);
  });
});

describe.each(["openapi", "openapi-kalends"])("%s.yaml", (name) => {
  const text = readFileSync(committed(`${name}.yaml`), "utf8");
  const json: unknown = JSON.parse(readFileSync(committed(`${name}.json`), "utf8"));
  const readings = (["1.1", "1.2"] as const).map((version) => ({
    version,
    reading: parseDocument(text, { version }),
  }));

  test.each(readings)("holds what the JSON holds, for a reader of YAML $version", ({ reading }) => {
    expect(reading.errors).toEqual([]);
    expect(reading.toJS()).toEqual(json);
  });

  test("quotes what YAML 1.1 takes for a number of base 60, or for a time", () => {
    expect(parse("13:30:00", { version: "1.1" })).toBe(48_600);
    if (name === "openapi") expect(text).toMatch(/date_start_time: "13:30:00"/);
    else expect(text).toMatch(/date_create: "2026-07-02T12:00:00Z"/);
    expect(text).not.toMatch(/: [0-9]+:[0-9]/);
    expect(text).not.toMatch(/: [0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:]{8}Z)?$/m);
  });

  test("has no anchors and no aliases", () => {
    const found: string[] = [];
    for (const { reading } of readings)
      visit(reading, {
        Alias: (_key, { source }) => void found.push(`*${source}`),
        Value: (_key, { anchor }) => void (anchor !== undefined && found.push(`&${anchor}`)),
      });
    expect(found).toEqual([]);
  });
});

describe.each([
  { title: "the document", root: document },
  { title: "the document of the extensions", root: extensions },
])("references in $title", ({ root }) => {
  const references = nodes(root).flatMap(({ at, node }) =>
    typeof node["$ref"] === "string" ? [{ at, target: node["$ref"] }] : [],
  );

  test("all lead somewhere", () => {
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter(({ target }) => resolve(target, root) === undefined)).toEqual([]);
  });

  test("reach every component", () => {
    const used = new Set(references.map(({ target }) => target));
    const { securitySchemes: _named, ...groups } = root.components ?? {};
    const components = Object.entries(groups).flatMap(([group, entries]) =>
      Object.keys(entries).map((name) => `#/components/${group}/${name}`),
    );
    expect(components.filter((component) => !used.has(component))).toEqual([]);
  });

  test("stand for every response of every operation", () => {
    const inline = operations(root).flatMap(({ title, operation }) =>
      Object.entries(record(operation["responses"])).flatMap(([status, response]) =>
        typeof record(response)["$ref"] === "string" ? [] : [`${title} ${status}`],
      ),
    );
    expect(inline).toEqual([]);
  });
});

function committed(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url));
}
