import type { Json } from "./reading.js";

/** An edit of the document: at `at`, the value that replaces what stands there; undefined removes it. */
export interface Edit {
  readonly title: string;
  readonly at: string;
  readonly value?: unknown;
  /** Moves what stands at `at` to the member of this name beside it. */
  readonly rename?: string;
}

export interface BreakingEdit extends Edit {
  /** One of the operations that the gate must name, the property and the change. */
  readonly operation: string;
  readonly property: string;
  readonly change: string;
}

/** A copy of the document with the edit. */
export function edited(document: Json, { at, value, rename }: Edit): Json {
  const [key = "", ...rest] = at.split(" ");
  const inner = document[key];
  if (rest.length > 0)
    return { ...document, [key]: edited({ ...record(inner, at) }, inside(rest, value, rename)) };
  const { [key]: _old, ...others } = document;
  if (rename !== undefined) return { ...others, [rename]: inner };
  return value === undefined ? others : { ...document, [key]: value };
}

function inside(rest: readonly string[], value: unknown, rename: string | undefined): Edit {
  return {
    title: "",
    at: rest.join(" "),
    ...(value === undefined ? {} : { value }),
    ...(rename === undefined ? {} : { rename }),
  };
}

function record(value: unknown, at: string): object {
  if (typeof value !== "object" || value === null) throw new Error(`${at} leads nowhere`);
  return value;
}
