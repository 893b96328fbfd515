import { describe, expect, test } from "vitest";
import { errors } from "../src/errors.js";
import { isWrite } from "../src/operation.js";
import { contractIds, operations as table } from "../src/operations.js";
import { content, document, followed, jsonOf, list, nodes, operations, record, resolve } from "./reading.js";

describe("the head of the document", () => {
  test("has a title, a semantic version, a description, a contact and a license", () => {
    expect(document.info).toEqual({
      title: "Kalends",
      version: expect.stringMatching(/^[0-9]+\.[0-9]+\.[0-9]+$/),
      description: expect.stringMatching(/^[A-Z].{1000,}\.$/s),
      contact: { name: "The Kalends authors", url: "https://github.com/kalends/kalends/issues" },
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    });
  });

  test("describes in sections what holds for every operation, and recommends the document for generators", () => {
    const { description = "" } = document.info;
    expect(description.match(/^# .+$/gm)).toEqual([
      "# Requests",
      "# Authentication",
      "# Scopes",
      "# Paging",
      "# Errors",
      "# Limits",
      "# Values",
      "# Versioning",
    ]);
    expect(description).toContain("(/openapi-generators.json)");
    for (const name of ["read", "write", "Retry-After", "RateLimit-Limit", "Kalends-Ignored-Parameters"])
      expect(description).toContain(`\`${name}\``);
  });

  test("names as servers the one it came from, and one in production, over HTTPS (contract 1)", () => {
    expect(document.servers?.map(({ url }) => url)).toEqual(["/", "https://{host}"]);
    expect(document.servers?.[1]?.variables).toHaveProperty("host.default");
    for (const { description } of document.servers ?? []) expect(description).toMatch(/^[A-Z].*\.$/);
  });

  test("has the four tags in order, each with its sections, and the operations in the order of the tags", () => {
    const tags = ["Time zones", "Calendars", "Events", "Subscribers"];
    expect(document.tags?.map(({ name }) => name)).toEqual(tags);
    for (const { description } of document.tags ?? [])
      expect(description).toMatch(
        /Contract: \[section (4\.[0-9]+).*\]\(https:\/\/github\.com\/.*\/docs\/contract\.md#\1\)\.$/,
      );
    const used = operations().map(({ operation }) => list(operation["tags"]));
    expect(used.filter((given) => given.length !== 1)).toEqual([]);
    const order = used.map(([tag]) => tags.indexOf(String(tag)));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test("knows the token as Bearer and, as the alternative, in the query (contract 5, rulings R1.7)", () => {
    expect(document.components?.securitySchemes).toEqual({
      bearer: { type: "http", scheme: "bearer", description: expect.stringMatching(/\.$/) },
      token: { type: "apiKey", in: "query", name: "token", description: expect.stringMatching(/\.$/) },
    });
    expect(document.security).toEqual([{ bearer: [] }, { token: [] }]);
  });

  test("quotes no number that a reader cannot look up", () => {
    expect(JSON.stringify(document)).not.toMatch(/[Cc]ontract \d|rulings|\bR[0-9]\.[0-9]/);
  });
});

describe("schemas", () => {
  test("are named after their operation, or by what they are, not by their place in the table", () => {
    const names = Object.keys(document.components?.schemas ?? {});
    for (const id of contractIds) {
      const pascal = `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
      expect(names).toContain(`${pascal}ResponseBody`);
      expect(names.includes(`${pascal}RequestBody`), id).toBe(isWrite(table[id]));
    }
  });

  test("are named wherever they are objects: generators would make a name of the place", () => {
    const named = /^#\/components\/schemas\/[A-Za-z]+$/;
    const objects = nodes(document).filter(({ node }) => node["type"] === "object");
    expect(objects.length).toBeGreaterThan(30);
    expect(objects.filter(({ at }) => !named.test(at)).map(({ at }) => at)).toEqual([]);
  });

  test("have no name that generated code has for something else, or that differs in case alone", () => {
    const { schemas = {}, parameters = {} } = document.components ?? {};
    // Generators make files of schemas and parameters; ApiError is in the runtime of openapi-typescript-codegen.
    const names = [...Object.keys(schemas), ...Object.keys(parameters), "ApiError"].map((name) =>
      name.toLowerCase(),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  test("have a format on each integer: 64 bits for ids, times and counts, else 32", () => {
    const integers = nodes(document).filter(({ node }) => node["type"] === "integer");
    expect(integers.length).toBeGreaterThan(15);
    for (const { at, node } of integers) {
      const is64 = /\/(id|date_[a-z_]+|unixtime_stamp|[a-z]+_count)$/.test(at);
      expect(node["format"], at).toBe(is64 ? "int64" : "int32");
    }
  });

  test("print the default of each parameter that has a fixed one", () => {
    const found = nodes(document).filter(({ node }) => "default" in node && "type" in node);
    const defaults = found.map(({ at, node }) => [
      at.replace(/^.*\/(\w+)\/\/get\/parameters.*$/, "$1").replace(/\/schema$/, ""),
      node["default"],
    ]);
    expect(Object.fromEntries(defaults)).toEqual({
      "#/components/schemas/PaletteId": "1",
      "#/components/schemas/AllDayFlag": "false",
      "#/components/schemas/CreateCalendarRequestBody/properties/timezone": "America/Los_Angeles",
      "#/components/schemas/SaveCalendarRequestBody/properties/timezone": "America/Los_Angeles",
      "#/components/parameters/page": "1",
      "#/components/parameters/order_by": "id-desc",
      create: "America/Los_Angeles",
      save: "America/Los_Angeles",
    });
    // openapi-typescript takes a form's optional field with a default for one that must be sent; a reference it does not.
    const forms = Object.entries(document.components?.schemas ?? {}).filter(([name]) =>
      name.endsWith("RequestBody"),
    );
    for (const [name, schema] of forms) {
      const { properties, required } = record(schema);
      const optional = Object.entries(record(properties)).filter(
        ([field]) => !list(required).includes(field),
      );
      for (const [field, value] of optional) expect(value, `${name} ${field}`).not.toHaveProperty("default");
    }
  });

  test("list the known values of open sets without closing them", () => {
    const open = nodes(document).filter(({ node }) => "x-extensible-enum" in node);
    const names = open.map(({ at }) => at.split("/").at(-1));
    expect(new Set(names)).toEqual(new Set(["error_type", "calendar_type"]));
    for (const { at, node } of open) {
      expect(node, at).not.toHaveProperty("enum");
      if (at.endsWith("error_type")) expect(node["x-extensible-enum"]).toEqual(Object.keys(errors));
    }
  });

  test("have no name that hides a global of JavaScript in generated code", () => {
    const names = Object.keys(document.components?.schemas ?? {});
    expect(names.filter((name) => name in globalThis)).toEqual([]);
    expect(names).not.toContain("Error");
    expect(names).not.toContain("Event");
  });

  test("publish the longest length of each text that is sent (rulings R4.11)", () => {
    const lengths = [
      "CreateCalendarRequestBody",
      "SaveCalendarRequestBody",
      "CreateEventRequestBody",
      "SaveEventRequestBody",
    ].map((name) => {
      const fields = Object.entries(record(record(resolve(`#/components/schemas/${name}`))["properties"]));
      return fields.flatMap(([field, schema]) => {
        const { maxLength } = record(schema);
        return typeof maxLength === "number" ? [`${field} ${maxLength}`] : [];
      });
    });
    const calendar = ["calendarname 255", "description 65535", "timezone 64", "title 255"];
    const event = [
      "description 65535",
      "location 255",
      "organizer 255",
      "organizer_email 254",
      "timezone 64",
      "title 255",
    ];
    const advice = "A length is a ruling: name it in R4.11 of docs/rulings.md, and here.";
    expect(
      lengths.map((entries) => entries.toSorted()),
      advice,
    ).toEqual([calendar, calendar, event, event]);
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
  test("are those of the table; a write has its POST under the plain name, its GET as the variant", () => {
    const ids = contractIds.flatMap((id) => (isWrite(table[id]) ? [id, `${id}ByGet`] : [id]));
    expect(operations().map(({ operation }) => operation["operationId"])).toEqual(ids);
    for (const { method, operation } of operations().filter(({ operation }) => "requestBody" in operation))
      expect([operation["operationId"], method]).toEqual([expect.not.stringMatching(/ByGet$/), "post"]);
  });

  test.each(operations())(
    "$title says what it does, and in which section of the contract it stands",
    (it) => {
      expect(it.operation).toMatchObject({
        summary: expect.stringMatching(/^(List|Get|Create|Save|Delete) [^.]+$/),
        description: expect.stringMatching(
          /^[A-Z].{20,}\n\nContract: \[section (4\.[0-9]+)\]\(https:\/\/github\.com\/.*\/docs\/contract\.md#\1\)\.$/s,
        ),
      });
    },
  );

  test("have summaries of their own", () => {
    const summaries = operations().map(({ operation }) => operation["summary"]);
    expect(new Set(summaries).size).toBe(summaries.length);
  });

  test.each(operations())("$title shows an example of each answer, of its own where it succeeds", (it) => {
    const responses = Object.entries(record(it.operation["responses"]));
    expect(responses.length).toBeGreaterThan(4);
    const id = String(it.operation["operationId"]).replace(/ByGet$/, "");
    expect(record(record(it.operation["responses"])["200"])["$ref"]).toMatch(
      new RegExp(`/${id}Result$`, "i"),
    );
    for (const [status, response] of responses) {
      const { description, content: bodies } = followed(response);
      expect(description).toMatch(/\.$/);
      // 304 never has a body (RFC 9110 15.4.5), so nothing can be shown.
      if (status === "304") expect(bodies).toBeUndefined();
      else for (const code of codesOf(response)) expect(String(code), status).toBe(status);
      if (status !== "304") expect(codesOf(response).length).toBeGreaterThan(0);
    }
  });

  test("show on the 400 of the time zone list the bodies of both kinds", () => {
    const { responses } = record(operations()[0]?.operation);
    expect(codesOf(record(responses)["400"])).toEqual(["400", 400, 400]);
  });

  test.each(operations())("$title answers every error by reference, in the one shape", ({ operation }) => {
    const failing = Object.entries(record(operation["responses"])).filter(([status]) => status >= "400");
    expect(failing.length).toBeGreaterThan(3);
    for (const [, response] of failing) {
      expect(Object.keys(record(response))).toEqual(["$ref"]);
      const { schema } = record(jsonOf(followed(response)));
      expect(record(schema)["$ref"]).toMatch(
        /^#\/components\/schemas\/(ErrorBody(WithIntegerCode)?|ListTimeZonesErrorBody)$/,
      );
    }
  });

  test.each(operations())("$title declares the headers of its answers", ({ operation }) => {
    for (const [status, response] of Object.entries(record(operation["responses"]))) {
      const headers = Object.keys(record(followed(response)["headers"]));
      expect(headers, status).toContain("X-Request-Id");
      expect(headers.includes("Retry-After"), status).toBe(status === "429" || status === "503");
      expect(headers.includes("WWW-Authenticate"), status).toBe(status === "401");
      expect(headers.includes("Kalends-Ignored-Parameters"), status).toBe(status === "200");
      const hasRate = status === "429" || (status === "200" && operation["security"] === undefined);
      expect(
        headers.filter((name) => name.startsWith("RateLimit-")),
        status,
      ).toHaveLength(hasRate ? 3 : 0);
      expect(headers.includes("ETag"), status).toBe(operation["security"] !== undefined && status < "400");
    }
  });

  test.each(operations().filter(({ method }) => method === "post"))(
    "$title shows a named example of its request, as JSON and as a form",
    ({ operation }) => {
      const bodies = Object.entries(content(operation["requestBody"]));
      expect(bodies.map(([type]) => type)).toEqual(["application/json", "application/x-www-form-urlencoded"]);
      for (const [type, body] of bodies) {
        const { typical } = record(record(body)["examples"]);
        expect(Object.keys(record(followed(typical)["value"])).length, type).toBeGreaterThan(0);
      }
    },
  );

  test("carry the example of a parameter on the parameter, and not in its schema as well", () => {
    const parameters = operations().flatMap(({ title, operation }) =>
      list(operation["parameters"]).map((given) => {
        const parameter = followed(given);
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

  test("all need a token, in the query or the header, except the time zone list", () => {
    const own = operations().filter(({ operation }) => "security" in operation);
    expect(own.map(({ title, operation }) => [title, operation["security"]])).toEqual([
      ["get /api/v1/timezones", []],
    ]);
  });
});

/** `meta.code` of each example of an answer. */
function codesOf(response: unknown): readonly unknown[] {
  const { example, examples } = record(jsonOf(followed(response)));
  const values =
    example === undefined ? Object.values(record(examples)).map((one) => followed(one)["value"]) : [example];
  return values.map((value) => record(record(value)["meta"])["code"]);
}
