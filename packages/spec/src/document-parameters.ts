import type { OpenApiGeneratorV3 } from "@asteasolutions/zod-to-openapi";

export type OpenApiDocument = ReturnType<OpenApiGeneratorV3["generateDocument"]>;

/**
 * Moves parameters that several operations share into components, and puts each example on the parameter itself:
 * tools read it there, not in the schema. A slash in a pattern stands plain: some generators escape it once more.
 */
export function shareParameters(generated: OpenApiDocument): OpenApiDocument {
  const document: OpenApiDocument = JSON.parse(JSON.stringify(generated), plainPattern);
  const uses = new Map<string, { name: string; tag: string; count: number }>();
  const all = Object.values(document.paths).flatMap((item) => (item.get === undefined ? [] : [item.get]));
  for (const operation of all) {
    operation.parameters = (operation.parameters ?? []).map(withExample);
    for (const parameter of operation.parameters) {
      const key = JSON.stringify(parameter);
      const use = uses.get(key) ?? {
        name: "name" in parameter ? parameter.name : "",
        tag: operation.tags?.[0] ?? "",
        count: 0,
      };
      uses.set(key, { ...use, count: use.count + 1 });
    }
  }
  const shared = new Map<string, string>();
  const components: NonNullable<NonNullable<OpenApiDocument["components"]>["parameters"]> = {};
  for (const [key, { name, tag, count }] of uses) {
    if (count < 2) continue;
    const component = name in components ? `${tag.toLowerCase()}_${name}` : name;
    if (component in components) continue;
    shared.set(key, component);
    components[component] = JSON.parse(key);
  }
  for (const operation of all) {
    operation.parameters = (operation.parameters ?? []).map((parameter) => {
      const component = shared.get(JSON.stringify(parameter));
      return component === undefined ? parameter : { $ref: `#/components/parameters/${component}` };
    });
  }
  const schemas = Object.fromEntries(
    Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [
      name,
      withoutExamples(schema, name.endsWith("Form") ? shown(document, name) : undefined),
    ]),
  );
  return { ...document, components: { ...document.components, schemas, parameters: components } };
}

/** RegExp.source writes `\\/` where JSON Schema needs only `/`. */
function plainPattern(key: string, value: unknown): unknown {
  return key === "pattern" && typeof value === "string" ? value.replaceAll("\\/", "/") : value;
}

type Schema = NonNullable<NonNullable<OpenApiDocument["components"]>["schemas"]>[string];

/**
 * Answers have one whole example each, forms a named one; examples of the single fields in it would say it twice.
 * `only` names the fields to which that applies; without it, to all.
 */
function withoutExamples(schema: Schema, only?: readonly string[]): Schema {
  if ("$ref" in schema) return schema;
  const { example: _twice, properties, ...rest } = schema;
  if (properties === undefined) return rest;
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    only === undefined || only.includes(name) ? withoutExamples(field) : field,
  ]);
  return { ...rest, properties: Object.fromEntries(fields) };
}

/** The fields that the named example of a form shows. */
function shown(document: OpenApiDocument, form: string): readonly string[] {
  const example = document.components?.examples?.[form.replace(/Form$/, "")];
  if (example === undefined || "$ref" in example) return [];
  const fields: object = example.value;
  return Object.keys(fields);
}

type Parameter = NonNullable<NonNullable<OpenApiDocument["paths"][string]["get"]>["parameters"]>[number];

function withExample(parameter: Parameter): Parameter {
  if ("$ref" in parameter || parameter.schema === undefined || "$ref" in parameter.schema) return parameter;
  const { example, description: _same, ...schema } = parameter.schema;
  const { name, in: place, required, description } = parameter;
  return {
    name,
    in: place,
    ...(required === true ? { required } : {}),
    ...(description === undefined ? {} : { description }),
    schema,
    ...(example === undefined ? {} : { example }),
  };
}
