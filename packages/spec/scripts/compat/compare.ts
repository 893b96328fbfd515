import { isDeepStrictEqual } from "node:util";
import { apiCompare, type Diff } from "api-smart-diff";
import { isJson, type Json, member } from "./json.js";

/** Returns a function that compares an operation with its later form. It compares what many operations share once. */
export function compareOperations(): (was: unknown, is: unknown) => readonly Diff[] {
  const known = new Map<string, readonly Diff[]>();
  return (was, is) =>
    pieces(was, is).flatMap((pair) => {
      const key = JSON.stringify(pair);
      const [before, after] = pair.map((get) => ({ paths: { "/": { get } } }));
      const diffs = known.get(key) ?? compare(before ?? {}, after ?? {});
      known.set(key, diffs);
      return diffs;
    });
}

type Pair = readonly [unknown, unknown];

/** What differs between two operations: each response that both have, and the rest. */
function pieces(was: unknown, is: unknown): readonly Pair[] {
  const [left, right] = withoutEqual(was, is);
  const [before, after] = withoutEqual(member(left, "responses"), member(right, "responses"));
  const both = Object.keys(before).filter((status) => status in after);
  const responses = both.map((status): Pair => {
    const [old, now] = withoutEqual(member(before, status), member(after, status));
    return [{ responses: { [status]: old } }, { responses: { [status]: now } }];
  });
  const rest = (operation: Json, all: Json) => {
    const own = Object.entries(all).filter(([status]) => !both.includes(status));
    return { ...operation, responses: Object.fromEntries(own) };
  };
  return [[rest(left, before), rest(right, after)], ...responses];
}

/** Both without the members that are equal: api-smart-diff takes long to find nothing in them. */
function withoutEqual(was: unknown, is: unknown): readonly [Json, Json] {
  const [left, right] = [isJson(was) ? was : {}, isJson(is) ? is : {}];
  const equal = Object.keys(left).filter((key) => key in right && isDeepStrictEqual(left[key], right[key]));
  const others = (value: Json) =>
    Object.fromEntries(Object.entries(value).filter(([key]) => !equal.includes(key)));
  return [others(left), others(right)];
}

/** The changes that api-smart-diff calls breaking, and those it misses. */
export function compare(before: Json, after: Json): readonly Diff[] {
  const head = { openapi: "3.0.3", info: { title: "", version: "" } };
  const { diffs } = apiCompare({ ...head, ...before }, { ...head, ...after });
  const isHarmless = (diff: Diff): boolean => isWiderPattern(diff) || isPromisedHeader(diff);
  return diffs.filter((diff) => (diff.type === "breaking" && !isHarmless(diff)) || isMissed(diff));
}

/** Our own rule: a header of an answer that is always there from now on breaks no one. */
function isPromisedHeader({ path, after }: Diff): boolean {
  const [, , , part, , group] = path;
  return part === "responses" && group === "headers" && path.at(-1) === "required" && after === true;
}

/** Our own rule: a request's pattern that keeps the old one as its first alternative accepts all it did: `^a$` → `^(a|b)$`. */
function isWiderPattern({ path, before, after }: Diff): boolean {
  const [, , , part] = path;
  if (path.at(-1) !== "pattern" || part === "responses") return false;
  const [, old] = /^\^(.*)\$$/s.exec(String(before)) ?? [];
  const now = String(after);
  if (old === undefined || !now.startsWith(`^(${old}|`) || !now.endsWith(")$")) return false;
  return isBalanced(now.slice(`^(${old}|`.length, -")$".length));
}

/** Whether each parenthesis of a pattern closes one of its own. */
function isBalanced(pattern: string): boolean {
  let depth = 0;
  for (const [token] of pattern.matchAll(/\\.|\[(?:[^\]\\]|\\.)*\]|[()]/gs)) {
    if (token === "(") depth++;
    if (token === ")") depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/**
 * What api-smart-diff calls harmless: another type or pattern in an answer, an optional field of one that is gone, a field of a
 * form that is read no more.
 */
function isMissed({ path, action }: Diff): boolean {
  const [, , , part] = path;
  const keyword = path.at(-1);
  const isField = path.at(-2) === "properties";
  if (part === "requestBody") return action === "remove" && isField;
  if (part !== "responses") return false;
  return action === "remove"
    ? isField
    : action === "replace" && (keyword === "type" || keyword === "pattern");
}
