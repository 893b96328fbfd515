import { apiErrorSchema, body as successBody, integerApiErrorSchema, operations } from "@kalends/spec";
import * as z from "zod";
import { concerning, failure, notTestable } from "../engine/assert.js";
import { recommended } from "../engine/check.js";
import type { Kit } from "../engine/kit.js";
import { type ContractName, contractNames } from "../engine/operations.js";
import type { Answer } from "../engine/target.js";

/** Most responses of each operation that are compared with the document, spread over the run. */
const mostAnswers = 40;
const needs = { writes: false, last: true };

/** Returns the schema without undeclared fields in any object. */
function closed(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) return z.strictObject(Object.fromEntries(fieldsOf(schema.shape).map(([name, field]) => [name, closed(field)])));
  if (schema instanceof z.ZodArray) return z.array(closed(schema.element));
  if (schema instanceof z.ZodOptional) return closed(schema.unwrap()).optional();
  if (schema instanceof z.ZodType) return schema;
  return z.custom((value) => z.safeParse(schema, value).success, "has another form");
}

function fieldsOf(shape: Readonly<Record<string, z.core.$ZodType>>): readonly (readonly [string, z.core.$ZodType])[] {
  return Object.entries(shape);
}

const sections: Record<ContractName, Parameters<typeof recommended>[1]> = {
  listTimeZones: "4.12 result",
  listCalendars: "4.1 fields",
  createCalendar: "2.3 strings",
  saveCalendar: "4.3 result",
  deleteCalendar: "4.4 result",
  listEvents: "4.5 result",
  createEvent: "2.4 saved",
  saveEvent: "4.7 result",
  deleteEvent: "4.8 result",
  listSubscribers: "4.9 list",
  listInactiveSubscribers: "4.9 inactive",
  listBlockedSubscribers: "4.9 blocked",
  getSubscriber: "4.10 result",
};

function answersOf(kit: Kit, operation: ContractName, wanted: "successes" | "errors"): readonly Answer[] {
  const { answers } = kit.session;
  const all = answers
    .filter((one) => one.operation === operation && (one.answer.status === 200) === (wanted === "successes"))
    .map(({ answer }) => answer)
    .filter(({ status, text }) => text !== "" && (status === 200 || status >= 400));
  const step = Math.max(1, Math.floor(all.length / mostAnswers));
  return all.filter((_answer, index) => index % step === 0);
}

/** The answers of the run have the form; a run without any makes one call for reads, else it cannot judge. */
async function judge(kit: Kit, operation: ContractName, schema: z.ZodType): Promise<void> {
  if (answersOf(kit, operation, "successes").length === 0 && (operation === "listTimeZones" || operation === "listCalendars"))
    await kit.ok(operation);
  const answers = answersOf(kit, operation, "successes");
  if (answers.length === 0 && kit.session.needed.has(operation))
    throw failure(`${operation}: the run needed a success, and had none.`, `${operation}: no success`);
  if (answers.length === 0) throw notTestable(`the run had no need of ${operation}`);
  for (const { body, exchange } of answers) {
    const result = schema.safeParse(body);
    if (result.success) continue;
    kit.recorder.exchanges.push(exchange);
    const { error } = result;
    concerning(exchange, () => {
      throw failure(`${operation}: ${problem(error)}`);
    });
  }
}

export function problem(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? "another form" : `${issue.path.join(".")}: ${issue.message}.`;
}

export const checks = [
  ...contractNames.map((operation) =>
    recommended(`schemas.open.${operation}`, sections[operation], `The answers of ${operation} have the form of our document`, needs, (kit) =>
      judge(kit, operation, successBody(operations[operation])),
    ),
  ),
  ...contractNames.map((operation) =>
    recommended(`schemas.closed.${operation}`, sections[operation], `The answers of ${operation} have declared fields only`, needs, (kit) =>
      judge(kit, operation, closed(successBody(operations[operation]))),
    ),
  ),
  recommended("schemas.errors", "R2.2", "The errors of the run have the form of our document", needs, async (kit) => {
    await kit.call("listCalendars", {}, { as: "none" });
    for (const operation of contractNames)
      for (const { body, status, exchange } of answersOf(kit, operation, "errors")) {
        const schema = operation === "listTimeZones" && status !== 400 ? integerApiErrorSchema : apiErrorSchema;
        const result = closed(schema).safeParse(body);
        if (result.success) continue;
        kit.recorder.exchanges.push(exchange);
        const { error } = result;
        concerning(exchange, () => {
          throw failure(`${operation}, HTTP ${status}: ${problem(error)}`);
        });
      }
  }),
];
