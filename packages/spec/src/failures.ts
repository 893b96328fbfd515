import type * as z from "zod";

/** Kinds of invalid parameters, for programs that translate them (extensions X8.8). */
export const failureCodes = {
  missing: "It is required, or required beside another one that was sent.",
  repeated: "It was sent more than once.",
  forbidden_characters: "It has control characters, or line breaks where there may be none.",
  blank: "It has nothing but white space.",
  too_long: "It has more characters than `limit`, or more bytes in `custom_data`, where `limit` counts them.",
  too_many: "It has more items than `limit`, or makes more events or categories than that.",
  out_of_range: "It is not a whole number, or lies outside its range; `limit` is the largest.",
  too_early: "It is before the moment that it must not precede, such as an end before its start.",
  too_late: "It is after the last moment that is accepted.",
  not_an_id: "It is not an id.",
  not_a_date: "It is not a real date or time in one of the accepted forms.",
  not_a_time_zone: "It is not the name of a time zone.",
  not_an_email: "It is not an e-mail address.",
  not_a_url: "It is not a URL that is accepted here.",
  not_allowed: "It is not one of the accepted values, or is not accepted beside another one that was sent.",
  malformed: "It does not have the form that the message states.",
  refused: "It has the right form, but cannot be accepted; only the message states why.",
} as const;

export type FailureCode = keyof typeof failureCodes;

/** A rule that a value breaks. */
export interface BrokenRule {
  /** Continues after the name of the parameter; never repeats its value. */
  readonly message: string;
  readonly code: FailureCode;
  readonly limit?: number;
}

/** One failing parameter of a 400. */
export interface ParameterFailure extends BrokenRule {
  readonly parameter: string;
}

/** Rules of schemas by their messages: an issue of zod has the message of its rule, and nothing else of ours. */
const stated = new Map<string, BrokenRule>();

/** States a rule for a schema: returns its message, by which `brokenRule` finds its code. */
export function rule(code: FailureCode, message: string, limit?: number): string {
  stated.set(message, { message, code, ...(limit === undefined ? {} : { limit }) });
  return message;
}

/** Returns what `refine` takes for a text of at most so many characters. */
export function atMost(max: number): readonly [(text: string) => boolean, string] {
  const isShort = (value: string): boolean => value.length <= max || characters(value) <= max;
  return [isShort, rule("too_long", `must be at most ${max} characters`, max)];
}

/** Characters as a person counts them: code points, which is also what JSON Schema's maxLength counts. */
export function characters(text: string): number {
  let total = 0;
  for (const _ of text) total++;
  return total;
}

/** Returns the rule that an issue is about. */
export function brokenRule(issue: z.core.$ZodIssue | undefined): BrokenRule {
  const message = issue?.message ?? "is not valid";
  const known = stated.get(message);
  if (known !== undefined) return known;
  if (issue?.code === "too_big") return { message, code: "too_long", limit: Number(issue.maximum) };
  return { message, code: issue?.code === "invalid_value" ? "not_allowed" : "malformed" };
}
