import { isDeepStrictEqual } from "node:util";
import type { Diff } from "api-smart-diff";
import { compare, compareOperations } from "./compare.js";
import { at, dereferenced, isJson, type Json, member } from "./json.js";

/** A change that breaks someone who relies on the document before it. */
export interface Change {
  /** The operationId before the change; "-" when it is about no single operation. */
  readonly operation: string;
  /** What of the operation: `query page`, `form title`, `200 calendar.timezone`, `path`, `operationId` … */
  readonly property: string;
  readonly what: string;
}

interface Operation {
  readonly id: string;
  readonly path: string;
  readonly method: string;
  readonly value: Json;
}

/** Every breaking change, by api-smart-diff and by rules of our own for what it does not see. */
export function breakingChanges(before: Json, after: Json): readonly Change[] {
  const [was, is] = [withWebhooks(before), withWebhooks(after)];
  const found = [...addresses(was, is), ...security(was, is), ...schemaNames(was, is), ...contents(was, is)];
  return [...new Map(found.map((change) => [`${change.operation} ${change.property}`, change])).values()];
}

/** What a webhook sends is read by those who receive it, as an answer is: so it is compared like one. */
function withWebhooks(document: Json): Json {
  const sent = Object.entries(member(document, "webhooks")).map(([name, item]) => {
    const { content } = member(item, "post", "requestBody");
    const responses = { 200: { description: "The message.", content } };
    return [`/webhooks/${name}`, { post: { operationId: name, security: [], responses } }];
  });
  return { ...document, paths: { ...member(document, "paths"), ...Object.fromEntries(sent) } };
}

/** Our own rule: operation ids are the names of generated functions, and paths are kept byte for byte. */
function addresses(before: Json, after: Json): readonly Change[] {
  const now = operations(after);
  return operations(before).flatMap(({ id, path, method }) => {
    const same = now.find((other) => other.path === path && other.method === method);
    if (same !== undefined && same.id === id) return [];
    if (same !== undefined) return [{ operation: id, property: "operationId", what: `is now ${same.id}` }];
    const moved = now.find((other) => other.id === id);
    const what = moved === undefined ? "is gone" : `is now ${moved.method} ${moved.path}`;
    return [{ operation: id, property: "path", what: `${method} ${path} ${what}` }];
  });
}

/** Our own rule: each way in stays open. */
function security(before: Json, after: Json): readonly Change[] {
  return common(before, after).flatMap(([old, now]) => {
    const left = waysIn(now, after);
    const closed = waysIn(old, before).filter((way) => !left.includes(way));
    return closed.map((way) => ({
      operation: old.id,
      property: "security",
      what: `${way} is not enough now`,
    }));
  });
}

function waysIn({ value }: Operation, document: Json): readonly string[] {
  const ways = value["security"] ?? document["security"];
  const alternatives = Array.isArray(ways) && ways.length > 0 ? ways : [{}];
  return alternatives.map((way) => Object.keys(member(way)).toSorted().join(" and ") || "no token");
}

/** Our own rule: the names of schemas are the names of generated types. */
function schemaNames(before: Json, after: Json): readonly Change[] {
  const now = member(after, "components", "schemas");
  const gone = Object.keys(member(before, "components", "schemas")).filter((name) => !(name in now));
  return gone.map((name) => ({ operation: "-", property: `schema ${name}`, what: "is gone" }));
}

/** What is sent and answered. Shared parts are put in place first: behind references api-smart-diff takes answers for requests. */
function contents(before: Json, after: Json): readonly Change[] {
  const schemes = (document: Json) => ({
    components: { securitySchemes: member(document, "components", "securitySchemes") },
  });
  const general = compare(schemes(before), schemes(after)).map(({ path, action }) => ({
    operation: "-",
    property: `security scheme ${String(path[2])}`,
    what: `${path.slice(3).join(".")} ${past[action]}`,
  }));
  const compareOperation = compareOperations();
  const sharesParts = isDeepStrictEqual(before["components"], after["components"]);
  const single = common(before, after).flatMap(([old, now]) => {
    if (sharesParts && isDeepStrictEqual(old.value, now.value)) return [];
    const [was, is] = [dereferenced(old.value, before), dereferenced(now.value, after)];
    if (isDeepStrictEqual(was, is)) return [];
    return compareOperation(was, is).map((diff) => ({
      operation: old.id,
      property: propertyOf(diff, was),
      what: `${diff.path.slice(3).join(".")} ${past[diff.action]}`,
    }));
  });
  return [...general, ...single];
}

const past = { add: "was added", remove: "was removed", replace: "was changed", rename: "was renamed" };

/** The place of a change as the approvals file names it. */
function propertyOf({ path, before, after }: Diff, operation: unknown): string {
  const [, , , part, key = "", ...rest] = path;
  if (part === "parameters") {
    const parameter = member(operation, "parameters", key);
    const name = at(before, "name") ?? at(after, "name") ?? parameter["name"];
    return `query ${String(name)}`;
  }
  const [, , schema, ...inner] = part === "requestBody" ? ["", ...rest] : rest;
  const where = part === "requestBody" ? "form" : String(key);
  if (schema === "schema") return `${where} ${field(inner, before ?? after)}`.trimEnd();
  if (part !== "requestBody" && part !== "responses") return path.slice(3).join(".");
  const outer = rest.slice(0, 2).filter((name) => name !== "content");
  return [where, ...outer].join(" ");
}

/** `properties.calendars.items.properties.id.type` → `calendars[].id`; `required.0` → the field it names. */
function field(path: readonly (string | number)[], value: unknown): string {
  const [keyword, name = "", ...rest] = path;
  if (keyword === "properties") {
    const inner = field(rest, value);
    return inner === "" || inner.startsWith("[]") ? `${name}${inner}` : `${name}.${inner}`;
  }
  if (keyword === "items") {
    const inner = field(path.slice(1), value);
    return inner === "" ? "[]" : `[].${inner}`;
  }
  return keyword === "required" ? String(value) : "";
}

const methods = ["get", "post", "put", "patch", "delete", "head", "options", "trace"];

function operations(document: Json): readonly Operation[] {
  return Object.entries(member(document, "paths")).flatMap(([path, item]) =>
    Object.entries(isJson(item) ? item : {})
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => {
        const value = member(operation);
        return { id: String(value["operationId"]), path, method, value };
      }),
  );
}

/** The operations that are in both documents, at the same address. */
function common(before: Json, after: Json): readonly (readonly [Operation, Operation])[] {
  const now = operations(after);
  return operations(before).flatMap((old) => {
    const same = now.find((other) => other.path === old.path && other.method === old.method);
    return same === undefined ? [] : [[old, same] as const];
  });
}
