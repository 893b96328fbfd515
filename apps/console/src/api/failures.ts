import { t } from "../texts/current.js";

/** What a failed call says: that of the client of the extensions, or of request(). */
interface Failure {
  readonly kind?: string;
  readonly status?: number;
  readonly errorType?: string;
  readonly parameters?: readonly ParameterFailure[];
}

interface ParameterFailure {
  readonly parameter: string;
  readonly code?: string;
  readonly limit?: number;
}

function failureOf(error: unknown): Failure {
  const failure: Failure = Object(error);
  return failure;
}

export function statusOf(error: unknown): number | undefined {
  return failureOf(error).status;
}

const isInProgress = ({ errorType }: Failure): boolean => errorType === "idempotency_in_progress";

/** Whether the server has refused a write, so that nothing was done. Without an answer of its own that is not known. */
export function isRefusal(error: unknown): boolean {
  const { status = 0 } = failureOf(error);
  return status >= 400 && status < 500 && status !== 429 && !isInProgress(failureOf(error));
}

/** The sentence for a call that failed, in the reader's language. */
export function sayFailure(error: unknown): string {
  const { status, errorType, parameters = [] } = failureOf(error);
  if (parameters.length > 0) return t.errors.form;
  if (status === undefined) return t.errors.network;
  if (status === 429 || status === 503 || isInProgress(failureOf(error))) return t.errors.busy;
  if (errorType === "idempotency_key_reused") return t.errors.reused;
  if (status === 403) return t.errors.forbidden;
  if (status === 404 || status === 410) return t.errors.notFound;
  if (status === 412) return t.errors.changed;
  if (status < 500) return t.errors.invalid;
  return t.errors.other;
}

/** What is wrong with each field of a form, by the name of its parameter (extensions X8.8). */
export function fieldFailures(error: unknown): Readonly<Record<string, string>> {
  const { parameters = [] } = failureOf(error);
  return Object.fromEntries(parameters.map((failed) => [failed.parameter, sayCode(failed)]));
}

function sayCode({ code, limit }: ParameterFailure): string {
  const most = limit?.toString() ?? "";
  if (code === "missing") return t.errors.required;
  if (code === "not_a_url") return t.errors.url;
  if (code === "too_long") return t.errors.too_long(most);
  if (code === "too_many" && most !== "") return t.errors.too_many(most);
  if (code === "out_of_range" && most !== "") return t.errors.out_of_range(most);
  return t.errors.invalid;
}
