import type { Operation } from "@kalends/spec";
import type { IncomingMessage } from "node:http";
import { ApiError } from "./errors.js";
import { multipartPairs } from "./multipart.js";
import { bodyFailure, isParameter, maxPairs, type Pair, readForm } from "./query-string.js";

/** The bytes of a body as pairs. An absent body has none. */
export async function bodyPairs(
  { headers }: Pick<IncomingMessage, "headers">,
  bytes: Uint8Array,
  operation?: Operation,
): Promise<readonly Pair[]> {
  if (bytes.length === 0) return [];
  const contentType = headers["content-type"] ?? "";
  checkCharset(contentType);
  switch (contentType.toLowerCase().split(";")[0]?.trim()) {
    case "application/x-www-form-urlencoded": {
      const text = decodeUtf8(bytes);
      // Google Apps Script calls a text a form where its caller names no type.
      return text.startsWith("{") ? jsonPairs(text, operation) : readForm(text);
    }
    case "application/json":
      return jsonPairs(decodeUtf8(bytes), operation);
    case "multipart/form-data": {
      const pairs = await multipartPairs(bytes, contentType, operation?.file);
      if (operation?.file?.isBinary !== true) decodeUtf8(bytes);
      return pairs;
    }
    default:
      throw new ApiError("media_type_unsupported");
  }
}

function checkCharset(contentType = ""): void {
  const attributes = contentType.toLowerCase().split(";").slice(1);
  const charset = attributes.map((part) => part.trim()).find((part) => part.startsWith("charset="));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))
    throw new ApiError("media_type_unsupported");
}

/** A flat JSON object. JSON.parse keeps the last of two equal names, so the strings are counted too. */
function jsonPairs(text: string, operation?: Operation): readonly Pair[] {
  const strings = countStrings(text);
  if (strings > mostStrings) throw new ApiError("too_many_parameters");
  if (tooManyBrackets.test(text.replaceAll(string, ""))) throw new ApiError("body_invalid");
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ApiError("body_invalid");
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  if (members.length > maxPairs) throw new ApiError("too_many_parameters");
  const texts = members.map(([name, item]) => [name, printed(item, kindOf(operation, name))] as const);
  const refused = texts.filter(([, value]) => value === undefined).map(([name]) => name);
  if (refused.length > 0)
    throw bodyFailure(refused, (name) => ruleOf(operation, name, Reflect.get(value, name)));
  const pairs = texts.map(([name, value]): Pair => [name, value ?? ""]);
  if (pairs.some((pair) => !pair.every((part) => part.isWellFormed())))
    throw new ApiError("encoding_invalid");
  const inValues = members.map(([, item]) => stringsIn(item));
  if (strings !== inValues.reduce((sum, count) => sum + count, pairs.length))
    throw new ApiError("body_invalid", [], {}, "A JSON object in the body has a name twice.");
  return pairs;
}

/** What a member may be, by its kind. */
const rules = {
  text: "must be a string, an integer or a boolean",
  list: "must be a list of strings without commas, or a string with commas between them",
  object: "must be an object, or its JSON text",
} as const;

/** A name and a value for each pair. To parse 1 MiB of small members takes 100 ms. */
const mostStrings = 2 * maxPairs;

/** A string of JSON. */
const string = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)/gs; // one that does not end too: else each quote in it would be tried

/** An object, and a value that is refused by its name for each pair. */
const tooManyBrackets = new RegExp(`^(?:[^[{]*[[{]){${maxPairs + 2}}`);

/** Counts the strings, up to one more than any body may have. */
function countStrings(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(string)) if (++count > mostStrings) break;
  return count;
}

function stringsIn(item: unknown): number {
  if (typeof item === "string") return 1;
  return typeof item === "object" ? countStrings(JSON.stringify(item)) : 0;
}

function kindOf(operation: Operation | undefined, name: string): "object" | "list" | undefined {
  const structured = operation?.structured ?? {};
  return Object.hasOwn(structured, name) ? structured[name] : undefined;
}

/** A value that would be refused under any name: the caller has misspelled a parameter, or means another operation. */
function ruleOf(operation: Operation | undefined, name: string, item: unknown): string {
  const rule = rules[kindOf(operation, name) ?? "text"];
  if (item === null && operation?.clearable?.includes(name) === true)
    return `${rule}; an empty string clears it`;
  if (operation === undefined || isParameter(operation, name)) return rule;
  return `is not a parameter of this operation, and ${rule}`;
}

/** A value as a form would have it; undefined when it is none that a parameter can have (rulings R1.1). */
function printed(item: unknown, kind: "object" | "list" | undefined): string | undefined {
  if (typeof item === "string") return item;
  if (kind === "object" && typeof item === "object" && item !== null)
    return JSON.stringify(item, withInfinity);
  if (
    kind === "list" &&
    Array.isArray(item) &&
    item.every((one) => typeof one === "string" && !one.includes(","))
  )
    return item.join(",");
  return typeof item === "boolean" || Number.isSafeInteger(item) ? String(item) : undefined;
}

/** JSON would print the Infinity that 1e400 becomes as null, so it becomes a number that is refused as too large. */
function withInfinity(_name: string, value: unknown): unknown {
  return value === Infinity || value === -Infinity ? Number.MAX_VALUE : value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError("body_invalid", [], {}, "The body is not valid JSON.");
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError("encoding_invalid");
  }
}
