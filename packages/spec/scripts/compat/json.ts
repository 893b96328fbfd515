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

/** The value with every reference into the document replaced by what it leads to. */
export function dereferenced(value: unknown, document: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => dereferenced(item, document));
  if (!isJson(value)) return value;
  const { $ref } = value;
  if (typeof $ref === "string") return dereferenced(member(document, ...$ref.split("/").slice(1)), document);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, dereferenced(item, document)]));
}
