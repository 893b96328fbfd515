import { describe, expect, test } from "vitest";
import { content, document, followed, jsonOf, list, nodes, operations, record, resolve } from "./reading.js";

describe("the head of the document", () => {
  test("has a title, a semantic version, a description, a contact and a license", () => {
    expect(document.info).toEqual({
      title: "Kalends",
      version: expect.stringMatching(/^[0-9]+\.[0-9]+\.[0-9]+$/),
      description: expect.stringMatching(/^[A-Z].{100,}\.$/s),
      contact: { name: "The Kalends authors" },
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    });
  });

  test("names as servers the one it came from, and one in production, over HTTPS (service.md 1)", () => {
    expect(document.servers?.map(({ url }) => url)).toEqual(["/", "https://{host}"]);
    expect(document.servers?.[1]?.variables).toHaveProperty("host.default");
    for (const { description } of document.servers ?? []) expect(description).toMatch(/^[A-Z].*\.$/);
  });

  test("has the four tags in order, each with its sections, and the operations in the order of the tags", () => {
    const tags = ["Time zones", "Calendars", "Events", "Subscribers"];
    expect(document.tags?.map(({ name }) => name)).toEqual(tags);
    for (const { description } of document.tags ?? []) expect(description).toMatch(/service\.md 4\.[0-9]+/);
    const used = operations().map(({ operation }) => list(operation["tags"]));
    expect(used.filter((given) => given.length !== 1)).toEqual([]);
    const order = used.map(([tag]) => tags.indexOf(String(tag)));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test("knows the token in the query and, as the alternative, as Bearer (service.md 5, rulings R1.7)", () => {
    expect(document.components?.securitySchemes).toEqual({
      token: { type: "apiKey", in: "query", name: "token", description: expect.stringMatching(/\.$/) },
      bearer: { type: "http", scheme: "bearer", description: expect.stringMatching(/\.$/) },
    });
    expect(document.security).toEqual([{ token: [] }, { bearer: [] }]);
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

  test.each(operations())(
    "$title says what it does, and in which section of the contract it stands",
    (it) => {
      expect(it.operation).toMatchObject({
        summary: expect.stringMatching(/^[A-Z].*[^.]$/),
        description: expect.stringMatching(/\(service\.md 4\.[0-9]+.*\)/s),
      });
    },
  );

  test("have summaries of their own", () => {
    const summaries = operations().map(({ operation }) => operation["summary"]);
    expect(new Set(summaries).size).toBe(19);
  });

  test.each(operations())("$title shows an example of the answer of each status", ({ operation }) => {
    const responses = Object.entries(record(operation["responses"]));
    expect(responses.length).toBeGreaterThan(4);
    for (const [status, response] of responses) {
      const { description, content: bodies } = followed(response);
      expect(description).toMatch(/\.$/);
      // 304 never has a body (RFC 9110 15.4.5), so nothing can be shown.
      if (status === "304") expect(bodies).toBeUndefined();
      else expect(String(codeOf(response)), status).toBe(status);
    }
  });

  test.each(operations())("$title answers every error by reference, in the one shape", ({ operation }) => {
    const failing = Object.entries(record(operation["responses"])).filter(([status]) => status >= "400");
    expect(failing.length).toBeGreaterThan(3);
    for (const [, response] of failing) {
      expect(Object.keys(record(response))).toEqual(["$ref"]);
      const { schema } = record(jsonOf(followed(response)));
      expect(record(schema)["$ref"]).toMatch(/^#\/components\/schemas\/ApiError(WithIntegerCode)?$/);
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

  test("all need a token, in the query or the header, but for the time zone list", () => {
    expect(document.security).toEqual([{ token: [] }, { bearer: [] }]);
    const own = operations().filter(({ operation }) => "security" in operation);
    expect(own.map(({ title, operation }) => [title, operation["security"]])).toEqual([
      ["get /api/v1/timezones", []],
    ]);
  });
});

/** `meta.code` of the example of an answer. */
function codeOf(response: unknown): unknown {
  return record(record(record(jsonOf(followed(response)))["example"])["meta"])["code"];
}
