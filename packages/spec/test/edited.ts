import type { Edit } from "./compat-edits.js";
import type { Json } from "./reading.js";

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
