import { isDeepStrictEqual } from "node:util";
import { at, followed, isJson, type Json, member, wordless } from "./json.js";
import {
  type Direction,
  isBreaking,
  keywordMoves,
  type Kind,
  type Move,
  otherKeywords,
  replaced,
  valueMoves,
} from "./keywords.js";

/** A breaking change and where it is: `calendars[].id`; empty for the whole. */
export interface Found {
  readonly at: string;
  readonly change: string;
}

export type CompareSchemas = (was: unknown, is: unknown, direction: Direction) => readonly Found[];

/** Returns a function that finds the breaking changes between schemas of two documents. What many refer to is compared once. */
export function schemaComparison(before: Json, after: Json): CompareSchemas {
  const known = new Map<string, readonly Found[]>();
  const compare: CompareSchemas = (was, is, direction) => {
    const step: Step = { direction, compare: (old, now) => compare(old, now, direction) };
    const changed = () => changes(followed(was, before), followed(is, after), step);
    if (!isReference(was) || !isReference(is)) return changed();
    const key = JSON.stringify([at(was, "$ref"), at(is, "$ref"), direction]);
    const done = known.get(key);
    if (done !== undefined) return done;
    known.set(key, []); // a schema that holds itself ends here
    const found = changed();
    known.set(key, found);
    return found;
  };
  return compare;
}

function isReference(value: unknown): boolean {
  return isJson(value) && typeof value["$ref"] === "string" && Object.keys(value).length === 1;
}

interface Step {
  readonly direction: Direction;
  /** Compares schemas within the two at hand. */
  readonly compare: (was: unknown, is: unknown) => readonly Found[];
}

const choices = ["anyOf", "oneOf", "allOf"];
const structural = ["$ref", "properties", "required", "items", "additionalProperties", ...choices];

function changes(was: unknown, is: unknown, step: Step): readonly Found[] {
  if (!isJson(was) || !isJson(is)) return breaking(replacement("schema", was, is, "other"), step);
  const moves = otherKeywords(was, is, structural).flatMap((keyword) =>
    keywordMoves(keyword, was[keyword], is[keyword]),
  );
  return [
    ...breaking(moves, step),
    ...required(was, is, step),
    ...properties(member(was, "properties"), member(is, "properties"), step),
    ...items(was["items"], is["items"], step),
    ...additional(was["additionalProperties"], is["additionalProperties"], step),
    ...choices.flatMap((keyword) => alternatives(keyword, was[keyword], is[keyword], step)),
  ];
}

function breaking(moves: readonly Move[], { direction }: Step, at = ""): readonly Found[] {
  return moves.filter(({ kind }) => isBreaking(kind, direction)).map(({ change }) => ({ at, change }));
}

function replacement(keyword: string, was: unknown, is: unknown, kind: Kind): readonly Move[] {
  const change = replaced(keyword, wordless(was), wordless(is));
  return isDeepStrictEqual(was, is) ? [] : [{ kind, change }];
}

/** `id` in `calendars[]` is `calendars[].id`. */
function inside(outer: string, found: readonly Found[]): readonly Found[] {
  return found.map(({ at: place, change }) => {
    const isBeside = place === "" || /^[[{]/.test(place);
    return { at: isBeside ? `${outer}${place}` : `${outer}.${place}`, change };
  });
}

function properties(was: Json, is: Json, { compare }: Step): readonly Found[] {
  return Object.entries(was).flatMap(([name, old]) =>
    name in is ? inside(name, compare(old, is[name])) : [{ at: name, change: "removed" }],
  );
}

/** A field that is gone is named as that alone. */
function required(was: Json, is: Json, step: Step): readonly Found[] {
  const [old, now] = [names(was["required"]), names(is["required"])];
  const isGone = (name: string) => name in member(was, "properties") && !(name in member(is, "properties"));
  const added = now.filter((name) => !old.includes(name));
  const lost = old.filter((name) => !now.includes(name) && !isGone(name));
  return [
    ...added.flatMap((name) => breaking([requirement.added], step, name)),
    ...lost.flatMap((name) => breaking([requirement.lost], step, name)),
  ];
}

/** What is sent may have to be sent from now on; what is answered may be missing. */
export const requirement = {
  added: { kind: "narrower", change: "optional → required" },
  lost: { kind: "wider", change: "required → optional" },
} as const;

function names(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function items(was: unknown, is: unknown, step: Step): readonly Found[] {
  if (was !== undefined && is !== undefined) return inside("[]", step.compare(was, is));
  return breaking(replacement("items", was, is, was === undefined ? "narrower" : "wider"), step);
}

/** Fields that have no name. An answer that never has others closes the way to new ones, which generated validators then refuse. */
function additional(was: unknown, is: unknown, step: Step): readonly Found[] {
  const isOpen = (value: unknown) => value === undefined || value === true || isDeepStrictEqual(value, {});
  if (isOpen(was) && isOpen(is)) return [];
  if (isJson(was) && isJson(is)) return inside("{}", step.compare(was, is));
  return breaking(
    replacement("additionalProperties", was, is, isOpen(is) || was === false ? "wider" : "other"),
    step,
  );
}

/** Compared one by one when they are as many as before. What was no choice has another type in generated code. */
function alternatives(keyword: string, was: unknown, is: unknown, step: Step): readonly Found[] {
  if (!Array.isArray(was) || !Array.isArray(is))
    return breaking(replacement(keyword, was, is, "other"), step);
  if (was.length === is.length)
    return was.flatMap((old, index) => inside(`${keyword}[${index}]`, step.compare(old, is[index])));
  const [old, now] = [was, is].map((all) => all.map((one) => wordless(one)));
  const moves = valueMoves(keyword, old, now);
  const isSum = keyword === "allOf"; // one more part of it allows less
  return breaking(
    moves.map(({ kind, change }) => ({ kind: isSum ? opposite[kind] : kind, change })),
    step,
  );
}

const opposite = { narrower: "wider", wider: "narrower", other: "other" } as const;
