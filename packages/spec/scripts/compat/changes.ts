import { isJson, type Json, member, wordless } from "./json.js";
import { otherKeywords, replaced } from "./keywords.js";
import { operationComparison } from "./operations.js";

/** A change that breaks someone who relies on the document before it. */
export interface Change {
  /** The operationId before the change, the type of a webhook; "-" when it is about no single operation. */
  readonly operation: string;
  /** What of the operation: `query page`, `form title`, `200 calendar.timezone`, `path`, `operationId` … */
  readonly property: string;
  /** What has become of it: `removed`, `maxLength 255 → 10` … */
  readonly change: string;
}

interface Operation {
  readonly id: string;
  readonly path: string;
  readonly method: string;
  readonly value: Json;
}

const known = new WeakMap<Json, WeakMap<Json, readonly Change[]>>();

/**
 * Every breaking change: everything that differs, except words, additions and what the rules in keywords.ts know as harmless.
 * Two documents are compared once.
 */
export function breakingChanges(before: Json, after: Json): readonly Change[] {
  const found = known.get(before)?.get(after) ?? compared(before, after);
  known.set(before, (known.get(before) ?? new WeakMap()).set(after, found));
  return found;
}

function compared(before: Json, after: Json): readonly Change[] {
  const [was, is] = [operationsOf(before), operationsOf(after)];
  const found = [
    ...general(before, after),
    ...addresses(was, is),
    ...security(before, after),
    ...contents(before, after),
    ...webhooks(before, after),
  ];
  return [...new Map(found.map((change) => [JSON.stringify(change), change])).values()];
}

/** The format, where the API is, how to authenticate, and the names of schemas, which are the names of generated types. */
function general(before: Json, after: Json): readonly Change[] {
  const schemas = {
    old: member(before, "components", "schemas"),
    now: member(after, "components", "schemas"),
  };
  const gone = Object.keys(schemas.old).filter((name) => !(name in schemas.now));
  const format = ({ openapi }: Json) => /^\d+\.\d+/.exec(String(openapi))?.[0];
  const [old, now] = [format(before), format(after)];
  return [
    ...(old === now ? [] : [{ property: "openapi", change: replaced("version", old, now) }]),
    ...servers(before, after),
    ...securitySchemes(before, after),
    ...gone.map((name) => ({ property: `schema ${name}`, change: "removed" })),
  ].map((change) => ({ operation: "-", ...change }));
}

type GeneralChange = Omit<Change, "operation">;

/** Clients take a server by its place in the list. */
function servers(before: Json, after: Json): readonly GeneralChange[] {
  const list = ({ servers: all }: Json): readonly unknown[] => (Array.isArray(all) ? all : []);
  const now = list(after);
  return list(before).flatMap((server, index) =>
    members(`server ${index + 1}`, member(wordless(server)), member(wordless(now[index]))),
  );
}

function securitySchemes(before: Json, after: Json): readonly GeneralChange[] {
  const now = member(after, "components", "securitySchemes");
  return Object.entries(member(before, "components", "securitySchemes")).flatMap(([name, scheme]) => {
    const property = `security scheme ${name}`;
    if (!(name in now)) return [{ property, change: "removed" }];
    return members(property, member(wordless(scheme)), member(wordless(now[name])));
  });
}

function members(property: string, was: Json, is: Json): readonly GeneralChange[] {
  return otherKeywords(was, is, [])
    .filter((key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]))
    .map((key) => ({ property, change: replaced(key, was[key], is[key]) }));
}

/** Operation ids are the names of generated functions, and paths are kept byte for byte. */
function addresses(before: readonly Operation[], now: readonly Operation[]): readonly Change[] {
  return before.flatMap(({ id, path, method }) => {
    const same = now.find((other) => other.path === path && other.method === method);
    if (same !== undefined && same.id === id) return [];
    if (same !== undefined) return [{ operation: id, property: "operationId", change: `is now ${same.id}` }];
    const moved = now.find((other) => other.id === id);
    const what = moved === undefined ? "is gone" : `is now ${moved.method} ${moved.path}`;
    return [{ operation: id, property: "path", change: `${method} ${path} ${what}` }];
  });
}

/** Each way in stays open. */
function security(before: Json, after: Json): readonly Change[] {
  return common(before, after).flatMap(([old, now]) => {
    const left = waysIn(now, after);
    const closed = waysIn(old, before).filter((way) => !left.includes(way));
    return closed.map((way) => ({
      operation: old.id,
      property: "security",
      change: `${way} is not enough now`,
    }));
  });
}

function waysIn({ value }: Operation, document: Json): readonly string[] {
  const ways = value["security"] ?? document["security"];
  const alternatives = Array.isArray(ways) && ways.length > 0 ? ways : [{}];
  return alternatives.map((way) => Object.keys(member(way)).toSorted().join(" and ") || "no token");
}

/** What is sent and answered. */
function contents(before: Json, after: Json): readonly Change[] {
  const comparison = operationComparison(before, after);
  return common(before, after).flatMap(([old, now]) =>
    comparison
      .operation(old.value, now.value)
      .map(({ at, change }) => ({ operation: old.id, property: at === "" ? "operation" : at, change })),
  );
}

function webhooks(before: Json, after: Json): readonly Change[] {
  const comparison = operationComparison(before, after);
  const now = member(after, "webhooks");
  return Object.entries(member(before, "webhooks")).flatMap(([operation, item]) => {
    if (!(operation in now)) return [{ operation, property: "path", change: "removed" }];
    const [was, is] = [member(item, "post"), member(now, operation, "post")];
    const [old, id] = [String(was["operationId"]), String(is["operationId"])];
    return [
      ...(old === id ? [] : [{ operation, property: "operationId", change: `is now ${id}` }]),
      ...comparison.webhook(was, is).map(({ at, change }) => ({ operation, property: at, change })),
    ];
  });
}

const methods = ["get", "post", "put", "patch", "delete", "head", "options", "trace"];

/** The operations, each with what its path says for all of them. */
function operationsOf(document: Json): readonly Operation[] {
  return Object.entries(member(document, "paths")).flatMap(([path, item]) => {
    const { parameters = [], servers: own } = member(item);
    const shared = Array.isArray(parameters) ? parameters : [];
    return Object.entries(isJson(item) ? item : {})
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => {
        const given = member(operation);
        const listed = Array.isArray(given["parameters"]) ? given["parameters"] : [];
        const value = {
          ...(own === undefined ? {} : { servers: own }),
          ...given,
          parameters: [...shared, ...listed],
        };
        return { id: String(given["operationId"]), path, method, value };
      });
  });
}

/** The operations that are in both documents, at the same address. */
function common(before: Json, after: Json): readonly (readonly [Operation, Operation])[] {
  const now = operationsOf(after);
  return operationsOf(before).flatMap((old) => {
    const same = now.find((other) => other.path === old.path && other.method === old.method);
    return same === undefined ? [] : [[old, same] as const];
  });
}
