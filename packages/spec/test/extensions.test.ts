import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { errorCodes, errors } from "../src/errors.js";
import { operationsOf as tableOf } from "../src/operations.js";
import { webhookMessages } from "../src/webhook-messages.js";
import { isWrite, type Operation } from "../src/operation.js";
import {
  document,
  extensions,
  followed,
  jsonOf,
  list,
  nodes,
  operations as operationsOf,
  record,
  resolve,
} from "./reading.js";

const table = new Map<string, Operation>(Object.entries(tableOf("extensions")));
const operations = operationsOf(extensions).map(({ title, method, operation }) => {
  const op = table.get(String(operation["operationId"]));
  if (op === undefined) throw new Error(`${title} is not in the table`);
  return { title, method, operation, op };
});

describe("the head of the document of the extensions", () => {
  test("has a title, a version of its own, a description, and links to the contract's document", () => {
    const { info } = extensions;
    expect([info.title, extensions.openapi]).toEqual(["Kalends extensions", "3.1.0"]);
    expect(info.version).toMatch(/^[0-9]+\.[0-9]+\.[0-9]+$/);
    expect(info.description).toContain("(/openapi.json)");
    for (const name of ["Idempotency-Key", "If-Match"]) expect(info.description).toContain(`\`${name}\``);
  });

  test("has the tags of its operations and no others, and the operations in their order", () => {
    const tags = extensions.tags?.map(({ name }) => name) ?? [];
    const used = operations.map(({ operation }) => tags.indexOf(String(list(operation["tags"])[0])));
    expect(used).toEqual(used.toSorted((a, b) => a - b));
    expect(new Set(used)).toEqual(new Set(tags.keys()));
    for (const { description } of extensions.tags ?? []) expect(description).toMatch(/^[A-Z].*\.$/);
  });

  test("takes the same tokens as the contract, and shares neither an id nor a path with it", () => {
    expect(extensions.security).toEqual(document.security);
    const { session, ...tokens } = extensions.components?.securitySchemes ?? {};
    expect(tokens).toEqual(document.components?.securitySchemes);
    expect(session).toMatchObject({ in: "cookie" });
    const ofContract = new Set(operationsOf().map(({ operation }) => operation["operationId"]));
    expect(operations.filter(({ operation }) => ofContract.has(operation["operationId"]))).toEqual([]);
    for (const path of Object.keys(extensions.paths)) expect(document.paths).not.toHaveProperty([path]);
  });

  test("quotes no number that a reader cannot look up, and no word that 3.1 does not know", () => {
    expect(JSON.stringify(extensions)).not.toMatch(
      /[Cc]ontract \d|extensions X\d|rulings|\bR[0-9]\.[0-9]|\bX[0-9]\.[0-9]/,
    );
    const words = ["nullable", "exclusiveMinimum", "exclusiveMaximum"];
    const found = nodes(extensions).filter(({ node }) => words.some((word) => word in node));
    expect(found.map(({ at }) => at)).toEqual([]);
  });
});

const page = fileURLToPath(new URL("../../../docs/extensions.md", import.meta.url));
/** As GitHub names them in links. */
const headings = [...readFileSync(page, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
  heading.toLowerCase().replaceAll(" ", "-"),
);

test("the document of the contract has nothing of the extensions", () => {
  const text = JSON.stringify(document);
  expect(text).not.toMatch(/api\/kalends|Idempotency|If-Match|custom_data/);
  for (const code of errorCodes.filter((code) => !(code in errors))) expect(text).not.toContain(code);
});

/** Writes that take no `tell`, though followers may see what they change, and why. */
const toldOtherwise: Readonly<Record<string, string>> = {
  createCalendar: "the contract has its parameters",
  saveCalendar: "the contract has its parameters",
  deleteCalendar: "the contract has its parameters",
  createEvent: "the contract has its parameters",
  saveEvent: "the contract has its parameters",
  deleteEvent: "the contract has its parameters",
  accountUpdate: "changes no event",
  picturesCreate: "is seen once an event refers to it",
  calendarsCreate: "has no followers yet",
  calendarsUpdate: "changes no event that news would name",
  calendarsDelete: "ends the news of the calendar",
  calendarsRestore: "its followers have its events already",
  categoriesRename: "news name no category",
  categoriesMerge: "news name no category",
  trashPurge: "followers saw it go when it was deleted",
  syncsCreate: "has events later, on its own",
  syncsUpdate: "has events later, on its own",
  syncsRun: "has events later, on its own",
  syncsDelete: "its events stay",
};
/** What followers do not see at all. */
const unseen = ["Webhooks", "Subscribers", "Tokens", "Sessions", "People"];

test("every write that followers see takes tell, unless a reason is given here", () => {
  const writes = [...Object.entries(tableOf("contract")), ...Object.entries(tableOf("extensions"))].filter(
    ([, op]) => isWrite(op) && !unseen.includes(op.tag),
  );
  const without = writes.filter(([, { params }]) => !("tell" in params.shape)).map(([id]) => id);
  expect(without.toSorted()).toEqual(Object.keys(toldOtherwise).toSorted());
});

describe.each(operations)("$title", ({ method, operation, op }) => {
  const responses = Object.entries(record(operation["responses"]));

  test("says what it does, and links to its heading in docs/extensions.md", () => {
    expect(headings).toContain(op.section);
    expect(operation["summary"]).toMatch(/^[A-Z][^.]+$/);
    expect(operation["description"]).toMatch(
      new RegExp(
        String.raw`^[A-Z].{10,}\n\nExplained in \[Extensions\]\(.*/docs/extensions\.md#${op.section}\)\.$`,
        "s",
      ),
    );
  });

  test("is a GET that reads or a POST that writes, and each write takes Idempotency-Key", () => {
    expect(method).toBe(isWrite(op) ? "post" : "get");
    const given = list(operation["parameters"]).map((parameter) => followed(parameter, extensions));
    const headers = given.filter((parameter) => parameter["in"] === "header").map(({ name }) => name);
    const matching = op.ifMatch === true ? ["If-Match"] : [];
    expect(headers).toEqual(isWrite(op) ? ["Idempotency-Key", ...matching] : []);
    for (const parameter of given) {
      expect(parameter["description"], String(parameter["name"])).toMatch(/\.$/);
      expect(parameter, String(parameter["name"])).toHaveProperty("example");
    }
  });

  test("takes the other parameters in the query beside a body that is a file, and only there in a write", () => {
    const given = list(operation["parameters"]).map((parameter) => followed(parameter, extensions));
    const query = given.filter((parameter) => parameter["in"] === "query");
    const beside = Object.keys(op.params.shape).filter((name) => name !== op.file?.parameter);
    const expected = op.file !== undefined || !isWrite(op) ? beside : [];
    expect(query.map(({ name }) => name)).toEqual(expected);
    if (isWrite(op)) expect(query.filter(({ required }) => required === true)).toEqual([]);
  });

  test("declares the headers of its answers", () => {
    for (const [status, response] of responses) {
      const headers = Object.keys(record(followed(response, extensions)["headers"]));
      expect(headers, status).toContain("X-Request-Id");
      expect(headers.includes("Retry-After"), status).toBe(["409", "429", "503"].includes(status));
      expect(headers.includes("WWW-Authenticate"), status).toBe(status === "401");
      expect(headers.includes("RateLimit-Limit"), status).toBe(status === "200" || status === "429");
      expect(headers.includes("Idempotency-Replayed"), status).toBe(status === "200" && isWrite(op));
    }
  });

  test("answers every error by reference, in the shape of the extensions, with an example of each", () => {
    const failing = responses.filter(([status]) => status >= "400");
    expect(failing.length).toBeGreaterThan(3);
    for (const [status, response] of failing) {
      const { schema, examples } = record(jsonOf(followed(response, extensions)));
      expect(record(schema)["$ref"], status).toBe("#/components/schemas/ExtensionErrorBody");
      const codes = Object.values(record(examples)).map((example) => {
        const { meta } = record(followed(example, extensions)["value"]);
        return record(meta)["code"];
      });
      expect(new Set(codes), status).toEqual(new Set([status]));
    }
  });
});

describe("schemas of the extensions", () => {
  const { schemas = {} } = extensions.components ?? {};

  test("are named after their operation, or by what they are", () => {
    for (const [id, op] of table) {
      const pascal = `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
      expect(`${pascal}ResponseBody` in schemas, id).toBe(op.fileAnswer === undefined);
      expect(`${pascal}RequestBody` in schemas, id).toBe(isWrite(op));
    }
  });

  test("are named wherever they are objects, except data of the caller's own and that of a message", () => {
    const named = /^#\/components\/schemas\/([A-Za-z]+|[A-Za-z]+Message\/properties\/data)$/;
    const objects = nodes(extensions).filter(
      ({ node }) => node["type"] === "object" && node["additionalProperties"] !== true,
    );
    expect(objects.length).toBeGreaterThan(15);
    expect(objects.filter(({ at }) => !named.test(at)).map(({ at }) => at)).toEqual([]);
  });

  test("list every error, those of the extensions too, without closing the set", () => {
    const open = nodes(extensions).filter(({ node }) => "x-extensible-enum" in node);
    expect(open.map(({ at }) => at)).toEqual([
      "#/components/schemas/ExtensionErrorMeta/properties/error_type",
      "#/components/schemas/ParameterFailure/properties/code",
    ]);
    expect(open[0]?.node["x-extensible-enum"]).toEqual(errorCodes);
  });

  test("publish the longest length of each text that is sent, and have a format on each integer", () => {
    const fields = record(
      record(resolve("#/components/schemas/EventsUpdateRequestBody", extensions))["properties"],
    );
    const lengths = ["title", "location", "organizer", "organizer_email", "description", "timezone"].map(
      (name) => record(fields[name])["maxLength"],
    );
    expect(lengths).toEqual([255, 255, 255, 254, 65_535, 64]);
    const integers = nodes(extensions).filter(({ node }) => node["type"] === "integer");
    expect(integers.length).toBeGreaterThan(3);
    for (const { at, node } of integers) expect(node["format"], at).toMatch(/^int(32|64)$/);
  });

  test("have patterns that readers with unicode sets can compile", () => {
    const patterns = nodes(extensions).flatMap(({ node }) =>
      typeof node["pattern"] === "string" ? [node["pattern"]] : [],
    );
    expect(patterns.length).toBeGreaterThan(10);
    for (const pattern of patterns) expect(() => new RegExp(pattern, "u")).not.toThrow();
  });
});

describe("the webhooks of the document", () => {
  const webhooks = Object.entries(record(record(extensions)["webhooks"]));

  test("are all types that a webhook can be created for", () => {
    const form = record(resolve("#/components/schemas/WebhooksCreateRequestBody", extensions));
    const { items } = record(record(form["properties"])["types"]);
    expect(webhooks.map(([type]) => type)).toEqual(record(items)["enum"]);
    expect(webhooks.length).toBe(12);
  });

  test.each(webhooks)("%s is a signed POST with an example that is of its schema", (type, item) => {
    const { post, ...others } = record(item);
    expect(others).toEqual({});
    const { parameters, requestBody, security, description } = record(post);
    expect(security, "the receiver's own address takes no token of ours").toEqual([]);
    expect(description).toMatch(/^[A-Z].*\.$/s);
    const headers = list(parameters).map((parameter) => [record(parameter)["in"], record(parameter)["name"]]);
    expect(headers).toEqual(["id", "timestamp", "signature"].map((name) => ["header", `webhook-${name}`]));
    const { schema, example } = record(jsonOf(requestBody));
    const message = webhookMessages.find((one) => one.type === type);
    expect(message?.schema.parse(example)).toEqual(example);
    expect(record(schema)["$ref"]).toBe(`#/components/schemas/${message?.schema.meta()?.id}`);
  });
});
