import type { OpenApiDocument } from "./document.js";

/**
 * Moves parameters that several operations share into components, and puts each example on the parameter itself:
 * tools read it there, not in the schema.
 */
export function shareParameters(document: OpenApiDocument): OpenApiDocument {
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
      name.endsWith("Form") ? schema : withoutExamples(schema),
    ]),
  );
  return { ...document, components: { ...document.components, schemas, parameters: components } };
}

type Schema = NonNullable<NonNullable<OpenApiDocument["components"]>["schemas"]>[string];

/** Answers have one whole example each; those of their single fields would say it twice. */
function withoutExamples(schema: Schema): Schema {
  if ("$ref" in schema) return schema;
  const { example: _twice, properties, ...rest } = schema;
  if (properties === undefined) return rest;
  return {
    ...rest,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, withoutExamples(field)]),
    ),
  };
}

type Parameter = NonNullable<NonNullable<OpenApiDocument["paths"][string]["get"]>["parameters"]>[number];

function withExample(parameter: Parameter): Parameter {
  if ("$ref" in parameter || parameter.schema === undefined || "$ref" in parameter.schema) return parameter;
  const { example, description: _same, ...schema } = parameter.schema;
  const { name, in: place, required, description } = parameter;
  return {
    name,
    in: place,
    required: required ?? false,
    ...(description === undefined ? {} : { description }),
    schema,
    ...(example === undefined ? {} : { example }),
  };
}
