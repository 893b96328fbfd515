import type { OpenApiDocument } from "./document-parameters.js";

type PathItem = OpenApiDocument["paths"][string];
type Components = NonNullable<OpenApiDocument["components"]>;

/**
 * Returns the document that generators of clients are to use: one way to call each operation. Generators make a function of every
 * method, send every security scheme and choose among media types on their own; a GET that writes would become a cached query.
 * It is of OpenAPI 3.0, which all of them read: without webhooks, but with the schemas of their messages.
 */
export function forGenerators(given: GivenDocument, description: string): OpenApiDocument {
  const { webhooks = {}, ...document } = given;
  const ofTokens = Object.entries(document.paths).filter(([path]) => path.startsWith("/api/"));
  const entries = ofTokens.map(([path, item]) => [path, oneWay(item)] as const);
  const paths: OpenApiDocument["paths"] = Object.fromEntries(entries);
  const { bearer } = document.components?.securitySchemes ?? {};
  const messages = Object.values(webhooks).map(messageOf);
  const used = usedComponents([paths, messages], document.components ?? {});
  return {
    ...document,
    openapi: "3.0.3",
    info: { ...document.info, description },
    security: [{ bearer: [] }],
    components: { ...used, ...(bearer === undefined ? {} : { securitySchemes: { bearer } }) },
    paths,
  };
}

/** A document, perhaps with webhooks. */
type GivenDocument = OpenApiDocument & { readonly webhooks?: Readonly<Record<string, Webhook>> };

export interface Webhook {
  readonly post: { readonly requestBody: object };
}

/** Returns the schema of a webhook's message. */
function messageOf({ post }: Webhook): object {
  return post.requestBody;
}

/** A write is its POST with all parameters in a JSON body; those of its query are for bodies that are files. */
function oneWay(item: PathItem): PathItem {
  const { get: _variant, post, ...rest } = item;
  if (post?.requestBody === undefined || "$ref" in post.requestBody) return item;
  const { "application/json": json } = post.requestBody.content;
  const content = json === undefined ? {} : { "application/json": json };
  const { parameters: all, ...operation } = post;
  const parameters = all?.filter((parameter) => !("in" in parameter) || parameter.in !== "query");
  const listed = parameters === undefined ? {} : { parameters };
  return { ...rest, post: { ...operation, ...listed, requestBody: { required: true, content } } };
}

/** The components that are referred to from the given values, and from one another. */
function usedComponents(from: readonly unknown[], components: Components): Components {
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
  visit(from);
  const kept = Object.entries(groups).map(([group, members]) => {
    const own = Object.entries(members).filter(([name]) => used.has(`${group}/${name}`));
    return [group, Object.fromEntries(own)] as const;
  });
  return Object.fromEntries(kept);
}
