import type { Exchange } from "../types.js";

const failureName = "ConformanceFailure";
const skipName = "ConformanceSkip";
const blockedName = "ConformanceBlocked";

/**
 * The error of a finding: the server breaks a guarantee. Any other error is a bug in the suite. `cause` is shared by many
 * findings, such as an operation that does not exist.
 */
export function failure(message: string, cause?: string): Error {
  return named(failureName, message, cause);
}

/** The error of a check that has nothing to judge, through no fault of the server. */
export function notTestable(reason: string): Error {
  return named(skipName, reason);
}

/** The error of a check that the server prevents: the run cannot end as conforming. */
export function blocked(reason: string): Error {
  return named(blockedName, reason);
}

export function isFailure(error: unknown): error is Error {
  return error instanceof Error && error.name === failureName;
}

export function isNotTestable(error: unknown): error is Error {
  return error instanceof Error && error.name === skipName;
}

export function isBlocked(error: unknown): error is Error {
  return error instanceof Error && error.name === blockedName;
}

export function causeOf(error: Error): string | undefined {
  return typeof error.cause === "string" ? error.cause : undefined;
}

const exchanges = new WeakMap<Error, Exchange>();

/** Judges a response and adds its exchange to a failure. */
export function concerning<Result>(exchange: Exchange, judge: () => Result): Result {
  try {
    return judge();
  } catch (error) {
    if (isFailure(error) && !exchanges.has(error)) exchanges.set(error, exchange);
    throw error;
  }
}

/** Returns the exchange of a failure about a single response. */
export function exchangeOf(error: Error): Exchange | undefined {
  return exchanges.get(error);
}

/** Fails the check unless the condition holds; the message says what was expected. */
export function expect(condition: boolean, message: string): asserts condition {
  if (!condition) throw failure(message);
}

/** Never a boolean: "expected true, got false" says nothing of what was compared. */
type Comparable<T> = T extends boolean ? never : T;

/** Fails the check unless both are the same JSON. */
export function equal<T>(actual: unknown, expected: Comparable<T>, what: string): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw failure(`${what}: expected ${show(expected)}, got ${show(actual)}.`);
}

/** Fails the check unless both have the same texts, in any order; the message names those that differ. */
export function sameSet(actual: readonly string[], expected: readonly string[], what: string): void {
  const [missing, extra] = [without(expected, actual), without(actual, expected)];
  const repeated = actual.length - new Set(actual).size;
  expect(
    missing.length + extra.length + repeated === 0,
    `${what}: missing ${show(missing)}, not expected ${show(extra)}, repeated ${repeated}.`,
  );
}

function without(some: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return some.filter((one) => !known.has(one));
}

/** Parses a URL that a server sent; an invalid one is a finding. */
export function urlOf(value: unknown, what: string, base?: string | URL): URL {
  const from = base?.toString();
  const url = typeof value === "string" && URL.canParse(value, from) ? new URL(value, from) : undefined;
  expect(url !== undefined && value !== "", `${what}: expected a URL, got ${show(value)}.`);
  return url;
}

/** A value as JSON, short enough for a message. */
export function show(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function named(name: string, message: string, cause?: string): Error {
  const error = new Error(message, { cause });
  error.name = name;
  return error;
}
