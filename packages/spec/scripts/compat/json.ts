export type Json = Readonly<Record<string, unknown>>;

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member as an object; empty when it is absent or something else. */
export function member(holder: unknown, ...keys: readonly (string | number)[]): Json {
  let found: unknown = holder;
  for (const key of keys) found = at(found, key);
  return isJson(found) ? found : {};
}

export function at(holder: unknown, key: string | number): unknown {
  if (Array.isArray(holder)) return holder[Number(key)];
  return isJson(holder) ? holder[key] : undefined;
}

/** What a reference into the document leads to, with the members beside the reference; another value is itself. */
export function followed(value: unknown, document: Json): unknown {
  if (!isJson(value)) return value;
  const { $ref, ...beside } = value;
  if (typeof $ref !== "string") return value;
  return { ...member(followed(member(document, ...$ref.split("/").slice(1)), document)), ...beside };
}

const words = ["summary", "description", "example", "examples"];
/** Their members are named by us, and a field may be named like a word. */
const maps = ["properties", "parameters", "schemas", "variables"];

/** The value without what only people read. */
export function wordless(value: unknown, parent = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => wordless(item));
  if (!isJson(value)) return value;
  const isMap = maps.includes(parent);
  const kept = Object.entries(value).filter(([key]) => isMap || !words.includes(key));
  return Object.fromEntries(kept.map(([key, item]) => [key, wordless(item, isMap ? "" : key)]));
}
