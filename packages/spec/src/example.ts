import * as z from "zod";

/** What an example has instead of the examples of its fields. In a list it stands for each element. */
export interface Overrides {
  readonly [field: string]: string | number | Overrides;
}

/** Returns the example of a schema, made of the examples of its fields. A list without one of its own has one element. */
export function exampleOf(schema: z.core.$ZodType, overrides: Overrides = {}): unknown {
  if (schema instanceof z.ZodArray)
    return schema.meta()?.["example"] ?? [exampleOf(schema.element, overrides)];
  if (schema instanceof z.ZodObject) return objectExample(schema, overrides);
  const own = schema instanceof z.ZodType ? schema.meta()?.["example"] : undefined;
  return own === undefined && schema instanceof z.ZodOptional ? exampleOf(schema.unwrap()) : own;
}

function objectExample(schema: z.ZodObject, overrides: Overrides): Readonly<Record<string, unknown>> {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  const fields = Object.entries(shape).map(([name, field]) => {
    const given = overrides[name];
    const value = given === undefined || typeof given === "object" ? exampleOf(field, given) : given;
    return [name, value] as const;
  });
  return Object.fromEntries(fields);
}

/** Returns the examples of these parameters; of all of them when none is named. */
export function requestExample(
  params: z.ZodObject,
  ...names: readonly string[]
): Readonly<Record<string, string>> {
  const entries = Object.entries(objectExample(params, {}))
    .filter(([name]) => names.length === 0 || names.includes(name))
    .map(([name, value]) => [name, formText(value)] as const);
  return Object.fromEntries(entries);
}

/** A value as a form has it. */
function formText(value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns the example of what an answer holds beside `meta`. */
export function payloadExample(payload: z.ZodObject, overrides: Overrides = {}): object {
  return objectExample(payload, overrides);
}
