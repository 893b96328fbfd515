import { CalendarApiError, httpError, type ErrorBody } from "./errors.js";

/** A call of openapi-fetch. */
export type Call<Body> = Promise<{
  readonly data?: Body;
  readonly error?: ErrorBody | string;
  readonly response: Response;
}>;

/** The part of a body that each success has. */
export interface Success {
  readonly meta: { readonly code: string | number };
}

/** The body of a success, in which `key` has one object or a list; else throws the error. */
export async function success<Body extends Success>(
  call: Call<Body>,
  key: keyof Body & string,
  form: "object" | "list",
): Promise<Body> {
  const { data, error, response } = await call;
  if (!response.ok) throw httpError(error, response);
  // Servers of others may answer anything.
  const payload: unknown = data?.[key];
  const found = Array.isArray(payload) ? "list" : payload && typeof payload;
  if (data && found === form && Number(data.meta?.code) === 200) return data;
  throw notInForm(key);
}

/** Returns `key` of a success; throws the error otherwise. */
export async function payload<Body extends Success, Key extends keyof Body & string>(
  call: Call<Body>,
  key: Key,
): Promise<Body[Key]> {
  return (await success(call, key, "object"))[key];
}

/** The text of a file; else throws the error. */
export async function fileText(call: Call<string>): Promise<string> {
  const { data, error, response } = await call;
  if (!response.ok) throw httpError(error, response);
  if (/^text\/c(alendar|sv)\b/.test(response.headers.get("Content-Type") ?? "")) return data ?? "";
  throw notInForm("file");
}

/** The error of a success that is not in the contract's form. */
export function notInForm(key: string): CalendarApiError {
  return new CalendarApiError(`${key}: malformed response`, {
    kind: "parse",
    status: 200,
  });
}
