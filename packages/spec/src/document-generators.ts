import { description, generatorTexts } from "./document-info.js";
import type { OpenApiDocument } from "./document-parameters.js";

type PathItem = OpenApiDocument["paths"][string];
type Components = NonNullable<OpenApiDocument["components"]>;

/**
 * Returns the document that generators of clients are to use: one way to call each operation. Generators make a function of every
 * method, send every security scheme and choose among media types on their own; a GET that writes would become a cached query.
 */
export function forGenerators(document: OpenApiDocument): OpenApiDocument {
  const entries = Object.entries(document.paths).map(([path, item]) => [path, oneWay(item)] as const);
  const paths: OpenApiDocument["paths"] = Object.fromEntries(entries);
  const { bearer } = document.components?.securitySchemes ?? {};
  const used = usedComponents(paths, document.components ?? {});
  return {
    ...document,
    info: { ...document.info, description: description(generatorTexts) },
    security: [{ bearer: [] }],
    components: { ...used, ...(bearer === undefined ? {} : { securitySchemes: { bearer } }) },
    paths,
  };
}

/** A write is its POST with a JSON body. */
function oneWay(item: PathItem): PathItem {
  const { get: _variant, post, ...rest } = item;
  if (post?.requestBody === undefined || "$ref" in post.requestBody) return item;
  const { "application/json": json } = post.requestBody.content;
  const content = json === undefined ? {} : { "application/json": json };
  return { ...rest, post: { ...post, requestBody: { required: true, content } } };
}

/** The components that are referred to from the paths, and from one another. */
function usedComponents(paths: OpenApiDocument["paths"], components: Components): Components {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, target = ""] of JSON.stringify(value).matchAll(/"#\/components\/([^"]+)"/g)) {
      if (used.has(target)) continue;
      used.add(target);
      const [group = "", name = ""] = target.split("/");
      visit(groups[group]?.[name] ?? {});
    }
  };
  const { securitySchemes: _named, ...rest } = components;
  const groups: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { ...rest };
  visit(paths);
  const kept = Object.entries(groups).map(([group, members]) => {
    const own = Object.entries(members).filter(([name]) => used.has(`${group}/${name}`));
    return [group, Object.fromEntries(own)] as const;
  });
  return Object.fromEntries(kept);
}
