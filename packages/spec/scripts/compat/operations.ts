import { followed, isJson, type Json, member } from "./json.js";
import { type Direction, isBreaking, keywordMoves, otherKeywords, valueMoves } from "./keywords.js";
import { type CompareSchemas, type Found, requirement, schemaComparison } from "./schemas.js";

/** Compares what is sent to operations and what they answer. `at` of what is found: `query page`, `form title`, `200 calendar.id`. */
export interface OperationComparison {
  operation(was: Json, is: Json): readonly Found[];
  /** A webhook is read by those who receive it, as an answer is. */
  webhook(was: Json, is: Json): readonly Found[];
}

const compared = ["operationId", "tags", "security", "parameters", "requestBody", "responses"];

export function operationComparison(before: Json, after: Json): OperationComparison {
  const sides: Sides = { before, after, compare: schemaComparison(before, after) };
  return {
    operation: (was, is) => [
      ...tags(was, is),
      ...parameters(sides, was, is),
      ...body(sides, was, is),
      ...responses(sides, was, is),
      ...strict(was, is, compared),
    ],
    webhook: (was, is) => [
      ...headers(sides, headersOf(sides.before, was), headersOf(sides.after, is)),
      ...under("message", contents(sides, bodyOf(before, was), bodyOf(after, is), "response")),
      ...goneMembers(member(was, "responses"), member(is, "responses"), "status "),
    ],
  };
}

interface Sides {
  readonly before: Json;
  readonly after: Json;
  readonly compare: CompareSchemas;
}

/** What no rule knows: any change of it breaks until it is approved. */
function strict(was: Json, is: Json, known: readonly string[]): readonly Found[] {
  return otherKeywords(was, is, known).flatMap((keyword) =>
    keywordMoves(keyword, was[keyword], is[keyword]).map(({ change }) => ({ at: "", change })),
  );
}

function under(outer: string, found: readonly Found[]): readonly Found[] {
  return found.map(({ at, change }) => ({ at: `${outer} ${at}`.trimEnd(), change }));
}

function goneMembers(was: Json, is: Json, prefix = ""): readonly Found[] {
  const gone = Object.keys(was).filter((name) => !(name in is));
  return gone.map((name) => ({ at: `${prefix}${name}`, change: "removed" }));
}

/** Generated classes have their names. */
function tags(was: Json, is: Json): readonly Found[] {
  const lost = valueMoves("tag", listOf(was["tags"]), listOf(is["tags"])).filter(
    ({ kind }) => kind === "narrower",
  );
  return lost.map(({ change }) => ({ at: "tag", change: change.replace(/^tag /, "") }));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function parameters(sides: Sides, was: Json, is: Json): readonly Found[] {
  const [old, now] = [parametersOf(sides.before, was), parametersOf(sides.after, is)];
  const added = Object.entries(now).filter(([name, { required }]) => !(name in old) && required === true);
  return [
    ...goneMembers(old, now),
    ...added.map(([name]) => ({ at: name, change: "added, required" })),
    ...Object.entries(old).flatMap(([name, parameter]) => {
      const same = now[name];
      return same === undefined ? [] : under(name, one(sides, parameter, same, "request"));
    }),
  ];
}

/** By place and name. */
function parametersOf(document: Json, { parameters: listed }: Json): Readonly<Record<string, Json>> {
  const all = listOf(listed).map((parameter) => member(followed(parameter, document)));
  return Object.fromEntries(
    all.map((parameter) => [`${String(parameter["in"])} ${String(parameter["name"])}`, parameter]),
  );
}

/** A parameter, or a header of an answer. */
function one({ compare }: Sides, was: Json, is: Json, direction: Direction): readonly Found[] {
  const [old, now] = [was["required"] === true, is["required"] === true];
  const { kind, change } = now ? requirement.added : requirement.lost;
  return [
    ...(old !== now && isBreaking(kind, direction) ? [{ at: "", change }] : []),
    ...compare(was["schema"] ?? {}, is["schema"] ?? {}, direction),
    ...strict(was, is, ["name", "in", "required", "schema"]),
  ];
}

function bodyOf(document: Json, operation: Json): Json {
  return member(followed(operation["requestBody"] ?? {}, document));
}

function body(sides: Sides, was: Json, is: Json): readonly Found[] {
  const [old, now] = [bodyOf(sides.before, was), bodyOf(sides.after, is)];
  if (!isJson(was["requestBody"]))
    return now["required"] === true ? [{ at: "form", change: "added, required" }] : [];
  if (!isJson(is["requestBody"])) return [{ at: "form", change: "removed" }];
  const isNeeded = old["required"] !== true && now["required"] === true;
  return [
    ...(isNeeded ? [{ at: "form", change: requirement.added.change }] : []),
    ...under("form", contents(sides, old, now, "request")),
    ...under("form", strict(old, now, ["required", "content"])),
  ];
}

/** A change in each media type is named once; one that only some have, with their name. */
function contents(sides: Sides, was: Json, is: Json, direction: Direction): readonly Found[] {
  const [old, now] = [member(was, "content"), member(is, "content")];
  const both = Object.keys(old).filter((type) => type in now);
  const found = both.map((type) => {
    const [before, after] = [member(old, type), member(now, type)];
    const inSchema = sides.compare(before["schema"] ?? {}, after["schema"] ?? {}, direction);
    return { type, changes: [...inSchema, ...strict(before, after, ["schema"])] };
  });
  const isInEach = ({ at, change }: Found) =>
    found.every(({ changes }) => changes.some((other) => other.at === at && other.change === change));
  return [
    ...goneMembers(old, now),
    ...found.flatMap(({ type, changes }) =>
      changes.flatMap((change) => (isInEach(change) ? [change] : under(type, [change]))),
    ),
  ];
}

function responses(sides: Sides, was: Json, is: Json): readonly Found[] {
  const [old, now] = [member(was, "responses"), member(is, "responses")];
  const added = Object.keys(now).filter((status) => !(status in old) && status.startsWith("2"));
  return [
    ...goneMembers(old, now),
    ...added.map((status) => ({ at: status, change: "added" })),
    ...Object.keys(old).flatMap((status) => {
      if (!(status in now)) return [];
      const before = member(followed(old[status], sides.before));
      const after = member(followed(now[status], sides.after));
      return under(status, [
        ...headers(sides, member(before, "headers"), member(after, "headers")),
        ...contents(sides, before, after, "response"),
        ...strict(before, after, ["headers", "content"]),
      ]);
    }),
  ];
}

function headers(sides: Sides, was: Json, is: Json): readonly Found[] {
  return [
    ...goneMembers(was, is, "header "),
    ...Object.keys(was).flatMap((name) => {
      if (!(name in is)) return [];
      const [old, now] = [followed(was[name], sides.before), followed(is[name], sides.after)];
      return under(`header ${name}`, one(sides, member(old), member(now), "response"));
    }),
  ];
}

/** The headers with which a webhook is sent. */
function headersOf(document: Json, webhook: Json): Json {
  const all = Object.values(parametersOf(document, webhook));
  return Object.fromEntries(all.map((parameter) => [String(parameter["name"]), parameter]));
}
