import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { OpenApiGeneratorV31 } from "@asteasolutions/zod-to-openapi";
import { describe, expect, test } from "vitest";
import { parse, parseDocument, visit } from "yaml";
import { printedFiles } from "../scripts/printed.js";
import { shareParameters } from "../src/document-parameters.js";
import { definitions, openApiDocument, type OpenApiDocument } from "../src/document.js";

const maxBytes = 80_000;
const files = printedFiles().map(({ path, text }) => ({ name: basename(path), path, text }));
const documents = files.filter(({ name }) => name.startsWith("openapi"));
const document = openApiDocument("3.0.3");

describe("the printed files", () => {
  test.each(files)("$name is what the source prints", ({ name, path, text }) => {
    expect(readFileSync(path, "utf8"), `${name} is stale: run npm run emit`).toBe(text);
  });

  test("are the three documents and the page of errors", () => {
    expect(files.map(({ name }) => name)).toEqual([
      "openapi.json",
      "openapi.yaml",
      "openapi-3.1.json",
      "errors.md",
    ]);
  });

  test.each(documents)("$name is at most 80,000 bytes", ({ path }) => {
    expect(readFileSync(path).byteLength).toBeLessThanOrEqual(maxBytes);
  });

  test.each([
    { TZ: "UTC", LANG: "C" },
    { TZ: "Pacific/Auckland", LANG: "en_NZ.UTF-8" },
    { TZ: "America/St_Johns", LANG: "de_DE.UTF-8" },
    { TZ: "Europe/Istanbul", LANG: "tr_TR.UTF-8" },
  ])("are the same bytes with TZ=$TZ and LANG=$LANG", async (place) => {
    const want = files.map(({ name, path }) => [name, sha256(readFileSync(path))]);
    expect(await printElsewhere(place)).toEqual({ zone: place.TZ, hashes: want });
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

describe("openapi.yaml", () => {
  const text = readFileSync(committed("openapi.yaml"), "utf8");

  test("holds what openapi.json holds", () => {
    expect(parse(text)).toEqual(JSON.parse(readFileSync(committed("openapi.json"), "utf8")));
  });

  test("has no anchors and no aliases", () => {
    const found: string[] = [];
    visit(parseDocument(text), {
      Alias: (_key, { source }) => void found.push(`*${source}`),
      Value: (_key, { anchor }) => void (anchor !== undefined && found.push(`&${anchor}`)),
    });
    expect(found).toEqual([]);
  });
});

describe("references", () => {
  const references = nodes(document).flatMap(({ at, node }) =>
    typeof node["$ref"] === "string" ? [{ at, target: node["$ref"] }] : [],
  );

  test("all lead somewhere", () => {
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter(({ target }) => resolve(target) === undefined)).toEqual([]);
  });

  test("reach every component", () => {
    const used = new Set(references.map(({ target }) => target));
    const { securitySchemes: _named, ...groups } = document.components ?? {};
    const components = Object.entries(groups).flatMap(([group, entries]) =>
      Object.keys(entries).map((name) => `#/components/${group}/${name}`),
    );
    expect(components.filter((component) => !used.has(component))).toEqual([]);
  });

  test("stand for every response of every operation", () => {
    const inline = operations().flatMap(({ title, operation }) =>
      Object.entries(record(operation["responses"])).flatMap(([status, response]) =>
        typeof record(response)["$ref"] === "string" ? [] : [`${title} ${status}`],
      ),
    );
    expect(inline).toEqual([]);
  });
});

describe("schemas", () => {
  test("have no name that hides a global of JavaScript in generated code", () => {
    const names = Object.keys(document.components?.schemas ?? {});
    expect(names.filter((name) => name in globalThis)).toEqual([]);
    expect(names).not.toContain("Error");
    expect(names).not.toContain("Event");
  });

  test("publish the longest length of each text that is sent (rulings R4.11)", () => {
    const lengths = ["CreateCalendarForm", "SaveCalendarForm", "CreateEventForm", "SaveEventForm"].map(
      (name) => {
        const fields = Object.entries(record(record(resolve(`#/components/schemas/${name}`))["properties"]));
        return fields.flatMap(([field, schema]) => {
          const { maxLength } = record(schema);
          return typeof maxLength === "number" ? [`${field} ${maxLength}`] : [];
        });
      },
    );
    const calendar = ["calendarname 255", "description 65535", "timezone 64", "title 255"];
    const event = [
      "description 65535",
      "location 255",
      "organizer 255",
      "organizer_email 254",
      "timezone 64",
      "title 255",
    ];
    expect(lengths.map((entries) => entries.toSorted())).toEqual([calendar, calendar, event, event]);
  });

  test("have patterns that readers with unicode sets can compile", () => {
    const patterns = nodes(document).flatMap(({ node }) =>
      typeof node["pattern"] === "string" ? [node["pattern"]] : [],
    );
    expect(patterns.length).toBeGreaterThan(10);
    for (const pattern of patterns) expect(() => new RegExp(pattern, "u")).not.toThrow();
  });
});

describe("operations", () => {
  test("are the 13 as GET, and the six writes as POST too", () => {
    expect(operations().map(({ operation }) => operation["operationId"])).toEqual([
      "listTimeZones",
      "listCalendars",
      "createCalendar",
      "createCalendarByPost",
      "saveCalendar",
      "saveCalendarByPost",
      "deleteCalendar",
      "deleteCalendarByPost",
      "listEvents",
      "createEvent",
      "createEventByPost",
      "saveEvent",
      "saveEventByPost",
      "deleteEvent",
      "deleteEventByPost",
      "listSubscribers",
      "listInactiveSubscribers",
      "listBlockedSubscribers",
      "getSubscriber",
    ]);
  });

  test.each(operations())("$title shows an example of its answer", ({ operation }) => {
    const { $ref } = record(record(operation["responses"])["200"]);
    expect(record(jsonOf(resolve($ref)))["example"]).toMatchObject({ meta: { code: expect.anything() } });
  });

  test.each(operations())("$title shows an example of each of its errors", ({ operation }) => {
    const failing = Object.entries(record(operation["responses"])).filter(([status]) => status >= "400");
    expect(failing.length).toBeGreaterThan(3);
    for (const [status, response] of failing) {
      const { code } = record(record(record(jsonOf(resolve(record(response)["$ref"])))["example"])["meta"]);
      expect(String(code)).toBe(status);
    }
  });

  test.each(operations().filter(({ method }) => method === "post"))(
    "$title shows a named example of its request",
    ({ operation }) => {
      const form = record(content(operation["requestBody"])["application/x-www-form-urlencoded"]);
      const examples = Object.entries(record(form["examples"]));
      expect(examples.length).toBeGreaterThan(0);
      for (const [, example] of examples) expect(record(record(example)["value"])).not.toEqual({});
    },
  );

  test("carry the example of a parameter on the parameter, and not in its schema as well", () => {
    const parameters = operations().flatMap(({ title, operation }) =>
      list(operation["parameters"]).map((given) => {
        const parameter = record(
          record(given)["$ref"] === undefined ? given : resolve(record(given)["$ref"]),
        );
        return { title, name: parameter["name"], parameter };
      }),
    );
    expect(parameters.length).toBeGreaterThan(50);
    for (const { title, name, parameter } of parameters) {
      expect(parameter, `${title} ${String(name)}`).toMatchObject({
        in: "query",
        description: expect.stringMatching(/\.$/),
        example: expect.any(String),
      });
      expect(record(parameter["schema"]), `${title} ${String(name)}`).not.toHaveProperty("example");
    }
  });

  test("mark exactly the six GETs that write", () => {
    const marked = operations().filter(({ operation }) => "x-kalends-mutating" in operation);
    expect(marked.map(({ title }) => title)).toEqual([
      "get /api/v1/calendars/create/",
      "get /api/v1/calendars/save/",
      "get /api/v1/calendars/delete/",
      "get /api/v1/calendars/events/create/",
      "get /api/v1/calendars/events/save/",
      "get /api/v1/calendars/events/delete/",
    ]);
    for (const { operation } of marked) expect(operation["x-kalends-mutating"]).toBe(true);
  });

  test("all need a token, in the query or the header, but for the time zone list", () => {
    expect(document.security).toEqual([{ token: [] }, { bearer: [] }]);
    const own = operations().filter(({ operation }) => "security" in operation);
    expect(own.map(({ title, operation }) => [title, operation["security"]])).toEqual([
      ["get /api/v1/timezones", []],
    ]);
  });
});

type Json = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; anything else fails the test that asked. */
function record(value: unknown): Json {
  if (!isRecord(value)) throw new Error(`not an object: ${JSON.stringify(value)}`);
  return value;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function content(holder: unknown): Json {
  return record(record(holder)["content"]);
}

function jsonOf(response: unknown): unknown {
  return content(response)["application/json"];
}

/** Every object of a document, with the place where it stands. */
function nodes(value: unknown, at = "#"): readonly { readonly at: string; readonly node: Json }[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => nodes(item, `${at}/${index}`));
  if (!isRecord(value)) return [];
  const inner = Object.entries(value).flatMap(([key, item]) => nodes(item, `${at}/${key}`));
  return [{ at, node: value }, ...inner];
}

function resolve(target: unknown): unknown {
  const [root, ...keys] = String(target).split("/");
  if (root !== "#") return undefined;
  let found: unknown = document;
  for (const key of keys) found = isRecord(found) ? found[key] : undefined;
  return found;
}

function operations(): readonly {
  readonly title: string;
  readonly method: string;
  readonly operation: Json;
}[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(record(item)).map(([method, operation]) => ({
      title: `${method} ${path}`,
      method,
      operation: record(operation),
    })),
  );
}

function committed(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url));
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Prints the files in a process of its own, for which zone and language are others. */
async function printElsewhere(place: { readonly TZ: string; readonly LANG: string }): Promise<unknown> {
  const script = `
    import { createHash } from "node:crypto";
    import { basename } from "node:path";
    import { printedFiles } from "./scripts/printed.ts";
    const hashes = printedFiles().map(({ path, text }) =>
      [basename(path), createHash("sha256").update(text).digest("hex")]);
    console.log(JSON.stringify({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone, hashes }));
  `;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", "tsx", "--conditions", "@kalends/source", "--input-type=module", "--eval", script],
    { cwd: committed("."), env: { ...process.env, ...place, LC_ALL: place.LANG } },
  );
  return JSON.parse(stdout);
}
