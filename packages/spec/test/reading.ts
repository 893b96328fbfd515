import { openApiDocument, type OpenApiDocument } from "../src/document.js";
import { extensionsDocument } from "../src/document.js";

/** The document of the contract. */
export const document: OpenApiDocument = openApiDocument("3.0.3");

/** The document of the extensions. */
export const extensions: OpenApiDocument = extensionsDocument();

export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; anything else fails the test that asked. */
export function record(value: unknown): Json {
  if (!isRecord(value)) throw new Error(`not an object: ${JSON.stringify(value)}`);
  return value;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function content(holder: unknown): Json {
  return record(record(holder)["content"]);
}

export function jsonOf(response: unknown): unknown {
  return content(response)["application/json"];
}

/** Every object of a document, with the place where it stands. */
export function nodes(value: unknown, at = "#"): readonly { readonly at: string; readonly node: Json }[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => nodes(item, `${at}/${index}`));
  if (!isRecord(value)) return [];
  const inner = Object.entries(value).flatMap(([key, item]) => nodes(item, `${at}/${key}`));
  return [{ at, node: value }, ...inner];
}

/** What a reference leads to, or the thing itself. */
export function followed(value: unknown, root: OpenApiDocument = document): Json {
  const { $ref } = record(value);
  return $ref === undefined ? record(value) : record(resolve($ref, root));
}

export function resolve(target: unknown, root: OpenApiDocument = document): unknown {
  const [start, ...keys] = String(target).split("/");
  if (start !== "#") return undefined;
  let found: unknown = root;
  for (const key of keys) found = isRecord(found) ? found[key] : undefined;
  return found;
}

interface Titled {
  readonly title: string;
  readonly method: string;
  readonly operation: Json;
}

export function operations(root: OpenApiDocument = document): readonly Titled[] {
  return Object.entries(root.paths).flatMap(([path, item]) =>
    Object.entries(record(item)).map(([method, operation]) => ({
      title: `${method} ${path}`,
      method,
      operation: record(operation),
    })),
  );
}
