const failureName = "ConformanceFailure";
const skipName = "ConformanceSkip";

/** The error of a finding: the server does not keep a guarantee. Any other error is a fault of the suite. */
export function failure(message: string): Error {
  return named(failureName, message);
}

/** The error of a check that finds it cannot judge. */
export function notTestable(reason: string): Error {
  return named(skipName, reason);
}

export function isFailure(error: unknown): error is Error {
  return error instanceof Error && error.name === failureName;
}

export function isNotTestable(error: unknown): error is Error {
  return error instanceof Error && error.name === skipName;
}

/** Ends the check as failed unless the condition holds; the message says what was expected. */
export function expect(condition: boolean, message: string): asserts condition {
  if (!condition) throw failure(message);
}

/** Ends the check as failed unless both are the same JSON. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw failure(`${what}: expected ${show(expected)}, got ${show(actual)}.`);
}

/** A URL that a server sent; one that cannot be read is the server's fault, never the suite's. */
export function urlOf(value: unknown, what: string, base?: string | URL): URL {
  const from = base?.toString();
  const url = typeof value === "string" && URL.canParse(value, from) ? new URL(value, from) : undefined;
  expect(url !== undefined, `${what}: expected a URL, got ${show(value)}.`);
  return url;
}

/** A value as JSON, short enough for a message. */
export function show(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function named(name: string, message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}
