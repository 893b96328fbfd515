import type { OpenApiGeneratorV3 } from "@asteasolutions/zod-to-openapi";

export type OpenApiDocument = ReturnType<OpenApiGeneratorV3["generateDocument"]>;
type Parameter = NonNullable<NonNullable<OpenApiDocument["paths"][string]["get"]>["parameters"]>[number];

/** Parameters that are the same in every operation: components under their own names. */
const shared: readonly string[] = [
  "calendar_id",
  "event_id",
  "page",
  "order_by",
  "month",
  "year",
  "custom_data_key",
  "custom_data_value",
  "Idempotency-Key",
  "If-Match",
];

/**
 * Puts parameters that several operations share into components, and each example on the parameter itself: tools read it
 * there, not in the schema. A slash in a pattern stands plain: some generators escape it once more.
 */
export function shareParameters(generated: OpenApiDocument): OpenApiDocument {
  const document: OpenApiDocument = JSON.parse(JSON.stringify(generated), plainPattern);
  const { schemas = {} } = document.components ?? {};
  const parameters = new Map<string, Parameter>();
  for (const { get, post } of Object.values(document.paths))
    for (const operation of [get, post].filter((one) => one !== undefined)) {
      if (operation === post && post.parameters === undefined) continue; // only reads have an empty list
      operation.parameters = (operation.parameters ?? []).map((given) => {
        const own = withExample(given, schemas);
        // In the query of a POST mandatory parameters are optional: the body may have them.
        return operation === post && "in" in own && own.in === "query"
          ? own
          : shareParameter(own, parameters);
      });
    }
  const plain = Object.entries(schemas).map(([name, schema]) => [
    name,
    withoutExamples(schema, name.endsWith("Form") ? shown(document, name) : undefined),
  ]);
  return {
    ...document,
    components: {
      ...document.components,
      schemas: Object.fromEntries(plain),
      parameters: Object.fromEntries(parameters),
    },
  };
}

/**
 * A reference to the parameter's component, which it becomes; itself when it is not a shared one, or optional where the component is
 * required.
 */
function shareParameter(parameter: Parameter, components: Map<string, Parameter>): Parameter {
  if (!("name" in parameter) || !shared.includes(parameter.name)) return parameter;
  const { name } = parameter;
  const known = components.get(name) ?? parameter;
  if ("name" in known && known.required !== parameter.required) return parameter; // optional here, mandatory elsewhere
  const isSame = JSON.stringify(known) === JSON.stringify(parameter);
  if (!isSame && name === "order_by") return parameter; // lists of the extensions have orders of their own
  if (!isSame) throw new Error(`${name} differs between operations: take it out of the shared parameters.`);
  components.set(name, known);
  return { $ref: `#/components/parameters/${name}` };
}

/** RegExp.source writes `\\/` where JSON Schema needs only `/`. */
function plainPattern(key: string, value: unknown): unknown {
  return key === "pattern" && typeof value === "string" ? value.replaceAll("\\/", "/") : value;
}

type Schema = NonNullable<NonNullable<OpenApiDocument["components"]>["schemas"]>[string];

/**
 * Responses have one whole example, forms a named one, so examples of single fields would repeat it. `only` names the fields
 * without examples; default: all.
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

/** The example and the description of a schema that is a component are read from there. */
function withExample(parameter: Parameter, schemas: Readonly<Record<string, Schema>>): Parameter {
  if ("$ref" in parameter || parameter.schema === undefined) return parameter;
  const { name, in: place, required } = parameter;
  const { schema } = parameter;
  const own = "$ref" in schema ? schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;
  if (own === undefined || "$ref" in own) return parameter;
  const { example, description: inSchema, ...plain } = own;
  const description = parameter.description ?? inSchema;
  return {
    name,
    in: place,
    ...(required === true ? { required } : {}),
    ...(description === undefined ? {} : { description }),
    schema: "$ref" in schema ? schema : plain,
    ...(example === undefined ? {} : { example }),
  };
}
