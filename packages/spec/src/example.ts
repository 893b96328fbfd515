import * as z from "zod";

/** Values that replace the examples of fields; null omits a field. In a list they apply to each element. */
export interface Overrides {
  readonly [field: string]: string | number | null | readonly unknown[] | Overrides;
}

/** Returns the example of a schema, made of the examples of its fields. A list without one of its own has one element. */
export function exampleOf(schema: z.core.$ZodType, overrides: Overrides = {}): unknown {
  if (schema instanceof z.ZodArray)
    return schema.meta()?.["example"] ?? [exampleOf(schema.element, overrides)];
  if (schema instanceof z.ZodObject) return objectExample(schema, overrides);
  const own = schema instanceof z.ZodType ? schema.meta()?.["example"] : undefined;
  return own === undefined && schema instanceof z.ZodOptional ? exampleOf(schema.unwrap()) : own;
}

/** Returns the example of an object, such as a payload. */
export function objectExample(
  schema: z.ZodObject,
  overrides: Overrides = {},
): Readonly<Record<string, unknown>> {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  const fields = Object.entries(shape).flatMap(([name, field]) => {
    const given = overrides[name];
    if (given === null) return [];
    return [[name, isPlain(given) ? given : exampleOf(field, given)] as const];
  });
  return Object.fromEntries(fields);
}

/** Reports whether it replaces the whole value of a field, not fields of it. */
function isPlain(given: Overrides[string] | undefined): given is string | number | readonly unknown[] {
  return given !== undefined && (typeof given !== "object" || Array.isArray(given));
}

/** Returns the examples of these parameters; of all of them when none is named. */
export function requestExample(
  params: z.ZodObject,
  names?: readonly string[],
): Readonly<Record<string, string>> {
  const entries = Object.entries(objectExample(params))
    .filter(([name]) => names?.includes(name) ?? true)
    .map(([name, value]) => [name, formText(value)] as const);
  return Object.fromEntries(entries);
}

/** A value as a form has it. */
function formText(value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}
