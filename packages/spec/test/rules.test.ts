import { describe, expect, test } from "vitest";
import * as z from "zod";
import { allOperationIds, allOperations, operationIds, operations } from "../src/operations.js";
import {
  allErrors,
  apiErrorSchema,
  errorCodes,
  extensionErrorSchema,
  integerApiErrorSchema,
  type ErrorCode,
  errors,
} from "../src/errors.js";
import { body, errorsOf, isExtension, isWrite, type Operation } from "../src/operation.js";

const all = operationIds.map((id) => {
  const op: Operation = operations[id];
  return { id, op };
});
/** The operations of the contract, and those beyond it. */
const table = all.filter(({ op }) => !isExtension(op));
const extensions = all.filter(({ op }) => isExtension(op));

/** Answered to people, below /console/api/ alone. */
const ofPeople: readonly ErrorCode[] = ["role_insufficient"];

/** What only a session of the console can call (extensions X9.3). */
const ofConsole = allOperationIds.flatMap((id) => {
  const op: Operation = allOperations[id];
  return id in operations ? [] : [{ id, op }];
});

/** Errors found before an operation is known: the server answers them by itself. */
const ofTheRouter: readonly ErrorCode[] = ["path_unknown", "method_not_allowed"];

describe("the table of operations", () => {
  test("has the thirteen of the contract and the extensions, each with a path of its own", () => {
    expect(table).toHaveLength(13);
    expect(extensions.length).toBeGreaterThanOrEqual(8);
    expect(new Set(all.map(({ op }) => op.path)).size).toBe(all.length);
  });

  test("has a string as meta.code everywhere but on the time zone list (contract 2.1)", () => {
    expect(all.filter(({ op }) => op.codeType === "integer").map(({ id }) => id)).toEqual(["listTimeZones"]);
  });

  test("requires a token everywhere but on the time zone list", () => {
    expect(all.filter(({ op }) => op.auth === "none").map(({ id }) => id)).toEqual(["listTimeZones"]);
  });
});

describe.each(table)("$id, of the contract,", ({ id, op }) => {
  test("is named verbNoun, has a path of version 1, and writes when its verb says so", () => {
    expect(id).toMatch(/^(list|get|create|save|delete)([A-Z][a-z]+)+$/);
    expect(op.path).toMatch(/^\/api\/v1\/[a-z/]+$/);
    expect(isWrite(op)).toBe(/^(create|save|delete)/.test(id));
    expect(op.methods, "the six writes answer POST too (rulings R1.1)").toEqual(
      isWrite(op) ? ["get", "post"] : ["get"],
    );
    expect(op.section).toMatch(/^4\.[0-9]+$/);
  });

  test("has paging when it lists, except the time zones", () => {
    expect("paging" in op.payload.shape).toBe(id.startsWith("list") && id !== "listTimeZones");
  });

  test("has nothing that the contract does not know (extensions X1)", () => {
    expect([op.structured, op.trimmed, op.partial]).toEqual([undefined, undefined, undefined]);
    const added = new Set<string>(errorCodes.filter((code) => !(code in errors)));
    for (const method of op.methods)
      expect(errorsOf(op, method).filter((code) => added.has(code))).toEqual([]);
  });
});

describe.each(extensions)("$id, beyond the contract,", ({ op }) => {
  test("has the prefix, and writes by POST alone (extensions X1)", () => {
    expect(op.path).toMatch(/^\/api\/kalends\/v1\/([a-z]+\/)+$/);
    expect(op.methods).toEqual(isWrite(op) ? ["post"] : ["get"]);
    expect(op.section, "a heading of docs/extensions.md").toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  test("can be repeated when it writes (extensions X2.1), and takes If-Match where it says so", () => {
    const declared = op.methods.flatMap((method) => errorsOf(op, method));
    for (const code of ["idempotency_key_reused", "idempotency_in_progress"] as const)
      expect(declared.includes(code), code).toBe(isWrite(op));
    expect(declared.includes("event_changed")).toBe(op.ifMatch === true);
    if (op.ifMatch === true) expect(op.params.shape).toHaveProperty("event_id");
  });

  test("clears what it changes, unless it must have a value (extensions X2.3)", () => {
    if (op.partial !== true) return;
    // Of a write, not of what it changes: tell and note (extensions X12.1).
    const others = /^((calendar|event)_id|tell|note)$/;
    const own = Object.keys(op.params.shape).filter((name) => !others.test(name));
    const ofBatch = ["events", "shift_days", "shift_minutes", "delete", "partial", "dry_run"];
    const needed = ["title", "name", "start_date", "scope", "published", ...ofBatch];
    for (const name of own)
      expect(op.params.shape[name]?.safeParse("").success, name).toBe(!needed.includes(name));
    expect(own.filter((name) => !(op.clearable ?? []).includes(name) && !needed.includes(name))).toEqual([]);
  });

  test("names as structured what a JSON body may hold as an object or a list (extensions X1.2)", () => {
    for (const [name, kind] of Object.entries(op.structured ?? {}))
      expect(Array.isArray(metadata(op.params.shape[name])["example"]), name).toBe(kind === "list");
    if (isWrite(op)) for (const name of op.trimmed ?? []) expect(op.structured?.[name], name).toBe("list");
  });
});

test.each([...extensions, ...ofConsole])("$id is named by its path (extensions X1.1)", ({ id, op }) => {
  const words = id.replace(/[A-Z]/g, (letter) => `/${letter.toLowerCase()}`);
  const prefix = op.auth === "token" ? "/api/kalends/v1" : "/console/api";
  expect(op.path).toBe(`${prefix}/${words}/`);
});

test("the console's own operations are below its address, and all except those that sign in need a session", () => {
  for (const { op } of ofConsole) expect(op.path).toMatch(/^\/console\/api\/([a-z]+\/)+$/);
  expect(ofConsole.filter(({ op }) => op.auth !== "session").map(({ id }) => id)).toEqual([
    "sessionOpen",
    "sessionLink",
    "sessionWays",
    "oidcStart",
    "oidcReturn",
  ]);
});

describe.each([...all, ...ofConsole])("$id", ({ op }) => {
  test("says in its texts what it does and returns", () => {
    expect(op.returns).toMatch(/^[A-Z].*\.$/);
    expect(op.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(op.description).toMatch(/^[A-Z].*\)?\.$/s);
  });

  test("has parameters in snake_case, each with a description and an example", () => {
    for (const [name, schema] of Object.entries(op.params.shape)) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      const { description, example } = metadata(schema);
      expect(description, name).toMatch(/^[^a-z].*\.$/);
      const text = textOf(example, op.structured?.[name]);
      expect(text, name).toBeTypeOf("string");
      expect(schema.safeParse(text).success, `example of ${name}`).toBe(true);
    }
  });

  test("takes its parameters as strings and says of a bad one what it must be, without repeating it", () => {
    const bad = "Zz".repeat(35_000);
    for (const [name, schema] of Object.entries(op.params.shape)) {
      const { error } = z.object({ [name]: schema }).safeParse({ [name]: bad });
      const [issue] = error?.issues ?? [];
      expect(issue?.message, name).toMatch(/^must .+[^.]$/);
      expect(issue?.message, name).not.toContain("Zz");
      expect(schema.safeParse(1).success, name).toBe(false);
      expect(schema.safeParse(["1"]).success, name).toBe(false);
    }
  });

  test("has fields in its answer that are described, values with an example that fits", () => {
    expectDescribed(body(op));
  });

  test("has schemas that only look: nothing transforms, coerces or fills in (docs/decisions/0001)", () => {
    for (const { at, schema } of [...fields(op.params), ...fields(body(op))]) {
      expect(kinds, at).toContain(schema.def.type);
      expect(schema.def, at).not.toHaveProperty("coerce", true);
      const checks = schema.def.checks?.map(({ _zod: { def } }) => def.check) ?? [];
      expect(checks, at).not.toContain("overwrite"); // trim, toLowerCase, normalize
    }
  });

  test("has page as parameter exactly when its answer has paging", () => {
    expect("page" in op.params.shape).toBe("paging" in op.payload.shape);
  });

  test("speaks of its own parameters only in its rules", () => {
    const named = [
      ...Object.keys(op.defaults ?? {}),
      ...(op.clearable ?? []),
      ...Object.entries(op.ignoredWith ?? {}).flat(),
      ...(op.together ?? []),
      ...Object.keys(op.structured ?? {}),
      ...(op.trimmed ?? []),
      ...Object.keys(op.example.request),
      ...Object.keys(op.example.mistake ?? {}),
    ];
    expect(named.filter((name) => !(name in op.params.shape))).toEqual([]);
    for (const [name, value] of Object.entries(op.defaults ?? {})) {
      expect(op.params.shape[name]?.safeParse(value).success, `default of ${name}`).toBe(true);
    }
    if (op.partial === true) return; // an empty title is kept to be refused
    for (const name of op.clearable ?? []) {
      expect(op.params.shape[name]?.safeParse("").success, `${name} can be cleared (rulings R4.6)`).toBe(
        true,
      );
    }
  });

  test("declares errors of its own beside those every operation has", () => {
    expect(new Set(op.errors).size).toBe(op.errors.length);
    for (const method of op.methods)
      expect(errorsOf(op, method)).toEqual(expect.arrayContaining([...op.errors]));
    const needed = ["calendar", "event", "subscriber"].filter((what) => `${what}_id` in op.params.shape);
    const absent = op.errors.filter((code) => needed.some((what) => code === `${what}_not_found`));
    expect(absent).toEqual(needed.map((what) => `${what}_not_found`));
    if (!isExtension(op)) expect(op.errors).toEqual(absent);
  });
});

describe("saving", () => {
  test("clears the parameters without a stated rule, and those alone (rulings R4.6)", () => {
    const clearable = Object.fromEntries(
      table.flatMap(({ id, op }) => (op.clearable === undefined ? [] : [[id, op.clearable.toSorted()]])),
    );
    const advice = "What a save clears is a ruling: name it in R4.6 of docs/rulings.md, and here.";
    expect(clearable, advice).toEqual({
      saveCalendar: ["description"],
      saveEvent: ["description", "location", "organizer", "organizer_email", "reminder"],
    });
  });
});

describe("month, year and upcoming", () => {
  test("month and year go together wherever they are (rulings R3.5)", () => {
    const dated = all.filter(({ op }) => "month" in op.params.shape || "year" in op.params.shape);
    expect(dated).toHaveLength(6);
    for (const { op } of dated) expect(op.together).toEqual(["month", "year"]);
  });

  test("order_by is not asked beside upcoming (rulings R3.6)", () => {
    const upcoming = all.filter(({ op }) => "upcoming" in op.params.shape);
    expect(upcoming.map(({ id, op }) => [id, op.ignoredWith])).toEqual([
      ["listEvents", { order_by: "upcoming" }],
      ["eventsList", { order_by: "upcoming" }],
    ]);
  });
});

describe("the table of errors", () => {
  const entries = Object.entries(allErrors).map(([code, entry]) => ({ code, ...entry }));

  test.each(entries)("$code has a stable name and a status of rulings R2.3", ({ code, status }) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect([400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 415, 422, 429, 431, 500, 503, 507]).toContain(
      status,
    );
  });

  test.each(entries)(
    "$code has a message of one plain sentence, the same for every request",
    ({ message }) => {
      expect(message).toMatch(/^[A-Z].+[a-z0-9]\.$/i);
      expect(message).not.toMatch(/[.!?]\s/);
      expect(message).not.toMatch(/%[a-z]|[{}$<>\n]|undefined|null|\bNaN\b/i);
    },
  );

  test("has no two entries with one message", () => {
    expect(new Set(entries.map(({ message }) => message)).size).toBe(entries.length);
  });

  test("has no entry that nothing answers, and lacks none", () => {
    const used = (of: readonly { readonly op: Operation }[]) =>
      of.flatMap(({ op }) => op.methods.flatMap((method) => errorsOf(op, method)));
    expect([...new Set([...used(table), ...ofTheRouter])].toSorted()).toEqual(Object.keys(errors).toSorted());
    const everything = new Set([...used(all), ...used(ofConsole), ...ofPeople, ...ofTheRouter]);
    expect(errorCodes.filter((code) => !everything.has(code))).toEqual([]);
  });

  test("names one status for each cause that must look the same (rulings R2.3)", () => {
    const absent = entries.filter(({ code }) => code.endsWith("_not_found") || code === "path_unknown");
    expect(absent.map(({ status }) => status)).toEqual(absent.map(() => 404));
    expect(absent.length).toBeGreaterThanOrEqual(8);
  });
});

describe("the body of an error", () => {
  const meta = { error_type: "token_missing", error_message: "A token is required.", request_id: "5f0c" };

  test.each([
    { schema: apiErrorSchema },
    { schema: integerApiErrorSchema },
    { schema: extensionErrorSchema },
  ])("has fields that are described, values with an example that fits", ({ schema }) =>
    expectDescribed(schema),
  );

  test("is the envelope with its five members, errors on 400 alone (rulings R2.2)", () => {
    const failures = [{ parameter: "page", message: "must be a whole number from 1" }];
    const whole = { meta: { code: "400", ...meta, errors: failures } };
    expect(apiErrorSchema.parse(whole)).toEqual(whole);
    expect(apiErrorSchema.parse({ meta: { code: "401", ...meta } })).toEqual({
      meta: { code: "401", ...meta },
    });
  });

  test.each(["error_type", "error_message", "request_id"])("is refused without %s", (member) => {
    expect(apiErrorSchema.safeParse({ meta: { code: "401", ...meta, [member]: undefined } }).success).toBe(
      false,
    );
  });

  test("has a string as code, on the time zone list an integer (contract 2.1)", () => {
    expect(apiErrorSchema.safeParse({ meta: { code: 401, ...meta } }).success).toBe(false);
    expect(integerApiErrorSchema.safeParse({ meta: { code: 500, ...meta } }).success).toBe(true);
    expect(integerApiErrorSchema.safeParse({ meta: { code: "500", ...meta } }).success).toBe(false);
  });

  test("has no success as code", () => {
    expect(apiErrorSchema.safeParse({ meta: { code: "200", ...meta } }).success).toBe(false);
    expect(integerApiErrorSchema.safeParse({ meta: { code: 200, ...meta } }).success).toBe(false);
  });
});

/** Every field is described, every value has an example. The items of a list are described with the list. */
function expectDescribed(schema: z.ZodObject): void {
  const listsWithExample = new Set<string>();
  for (const { at, schema: inner } of fields(schema)) {
    const { description, example } = metadata(inner);
    if (/\w$/.test(at) && at !== "body") expect(description, at).toMatch(/^[^a-z].*\.$/);
    if (inner instanceof z.ZodArray && example !== undefined) listsWithExample.add(`${at}[]`);
    else if (!isValue(inner) || listsWithExample.has(at)) continue;
    expect(example, at).toBeDefined();
    expect(inner.safeParse(example).success, `example of ${at}`).toBe(true);
  }
}

/** The kinds of schema that leave a value as it is. Anything else, such as transform, pipe or default, is not here. */
const values: readonly string[] = ["string", "number", "boolean", "enum", "literal", "record"];
const kinds: readonly string[] = ["object", "array", "optional", "union", ...values];

function isValue(schema: z.ZodType): boolean {
  return values.includes(schema.def.type);
}

/** An example as a form has it. */
function textOf(example: unknown, kind: "object" | "list" | undefined): unknown {
  if (kind === undefined) return example;
  return Array.isArray(example) ? example.join(",") : JSON.stringify(example);
}

/** Every schema inside a schema, itself included, with the place where it stands. */
function fields(
  schema: unknown,
  at = "body",
): readonly { readonly at: string; readonly schema: z.ZodType }[] {
  if (!(schema instanceof z.ZodType)) throw new Error(`${at} is not a zod schema`);
  const own = { at, schema };
  if (schema instanceof z.ZodObject) {
    return [own, ...Object.entries(schema.shape).flatMap(([name, inner]) => fields(inner, `${at}.${name}`))];
  }
  if (schema instanceof z.ZodArray) return [own, ...fields(schema.element, `${at}[]`)];
  if (schema instanceof z.ZodUnion) return [own, ...schema.options.flatMap((each) => fields(each, at))];
  if (schema instanceof z.ZodOptional) return [own, ...fields(schema.unwrap(), `${at}?`)];
  return [own];
}

/** Description and example, of the schema or of what it makes optional. */
function metadata(schema: z.core.$ZodType | undefined): Readonly<Record<string, unknown>> {
  const own = schema instanceof z.ZodType ? schema.meta() : undefined;
  return schema instanceof z.ZodOptional ? { ...metadata(schema.unwrap()), ...own } : { ...own };
}
