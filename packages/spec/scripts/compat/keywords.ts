import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Json } from "./json.js";

/** Who relies on a schema: those who send what it describes, or those who read it. */
export type Direction = "request" | "response";

/** What a change does to the values that a schema allows; `other` when that cannot be told, or when it changes their meaning. */
export type Kind = "narrower" | "wider" | "other";

export interface Move {
  readonly kind: Kind;
  readonly change: string;
}

/** A request may take more, and an answer hold less; everything else breaks someone. */
export function isBreaking(kind: Kind, direction: Direction): boolean {
  return kind !== (direction === "request" ? "wider" : "narrower");
}

const upperBounds = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const lowerBounds = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];

/** What people alone read, and what clients must ignore when they do not know it. */
export function isWord(keyword: string): boolean {
  return words.includes(keyword) || keyword.startsWith("x-");
}
const words = ["title", "summary", "description", "example", "examples", "externalDocs", "deprecated"];

/** The changes of a keyword that holds no schema. One that no rule here knows is `other`: it breaks until it is approved. */
export function keywordMoves(keyword: string, was: unknown, is: unknown): readonly Move[] {
  if (isDeepStrictEqual(was, is)) return [];
  const lists = keyword === "type" ? [asList(was), asList(is)] : [was, is];
  if ((keyword === "enum" || keyword === "type") && lists.every((list) => Array.isArray(list)))
    return valueMoves(keyword, asList(lists[0]), asList(lists[1]));
  return [{ kind: kindOf(keyword, was, is), change: replaced(keyword, was, is) }];
}

function asList(value: unknown): readonly unknown[] | undefined {
  if (value === undefined) return undefined;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list;
}

/** One change for each value, so that an approval of one does not approve another. */
export function valueMoves(
  keyword: string,
  was: readonly unknown[] = [],
  is: readonly unknown[] = [],
): readonly Move[] {
  const missing = (from: readonly unknown[], values: readonly unknown[]) =>
    values.filter((value) => !from.some((other) => isDeepStrictEqual(other, value)));
  return [
    ...missing(is, was).map((value): Move => ({
      kind: "narrower",
      change: `${keyword} without ${shown(value)}`,
    })),
    ...missing(was, is).map((value): Move => ({ kind: "wider", change: `${keyword} with ${shown(value)}` })),
  ];
}

function kindOf(keyword: string, was: unknown, is: unknown): Kind {
  if (upperBounds.includes(keyword)) return kindOfBound(number(was, Infinity), number(is, Infinity));
  if (lowerBounds.includes(keyword)) return kindOfBound(-number(was, -Infinity), -number(is, -Infinity));
  if (keyword === "nullable") return is === true ? "wider" : "narrower";
  if (keyword === "uniqueItems") return is === true ? "narrower" : "wider";
  if (!["enum", "const", "type", "format", "pattern"].includes(keyword)) return "other";
  if (was === undefined) return "narrower";
  if (is === undefined) return "wider";
  if (keyword !== "pattern") return "other";
  if (isWiderPattern(was, is)) return "wider";
  return isWiderPattern(is, was) ? "narrower" : "other";
}

function kindOfBound(was: number, is: number): Kind {
  if (Number.isNaN(was) || Number.isNaN(is)) return "other";
  return is < was ? "narrower" : "wider";
}

function number(value: unknown, absent: number): number {
  return value === undefined ? absent : Number(value);
}

/** A pattern that keeps the old one as its first alternative accepts all that it did: `^a$` → `^(a|b)$`. */
function isWiderPattern(was: unknown, is: unknown): boolean {
  const [, old] = /^\^(.*)\$$/s.exec(String(was)) ?? [];
  const now = String(is);
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

/** A change in the words of the approvals file: `maxLength 255 → 10`. */
export function replaced(keyword: string, was: unknown, is: unknown): string {
  return `${keyword} ${shown(was)} → ${shown(is)}`;
}

const longest = 60;

/** A value on one line. A long one is cut, and told from others by a hash. */
export function shown(value: unknown): string {
  if (value === undefined) return "none";
  const text = JSON.stringify(value).replaceAll("`", String.raw`\u0060`);
  if (text.length <= longest) return text;
  return `${text.slice(0, longest)}… #${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
}

/** The keywords of either object that the caller does not compare itself, and that are no words. */
export function otherKeywords(was: Json, is: Json, known: readonly string[]): readonly string[] {
  const all = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...all].filter((keyword) => !known.includes(keyword) && !isWord(keyword));
}
