/** Messages of these are written by the runtime; those of a database error may hold the values of a query. */
const safeMessages = ["TypeError", "RangeError", "ReferenceError"];

/** What the log tells of a failure: never the values of a query. */
export function describeFailure(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { name: typeof thrown };
  const { name, message, stack = "" } = thrown;
  return {
    name,
    ...(safeMessages.includes(name) ? { message } : {}),
    ...("code" in thrown ? { code: String(thrown.code) } : {}),
    stack: stack
      .split("\n")
      .filter((line) => /^\s+at /.test(line))
      .join("\n"),
  };
}
