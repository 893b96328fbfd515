import createClient, { createQuerySerializer, type Client } from "openapi-fetch";
import type { paths } from "./schema.js";

/**
 * The client of openapi-fetch, for all that the rest does not offer: paths, parameters and answers are checked against the
 * OpenAPI document of the extensions. Returns `{ data, error, response }` for any status.
 */
export interface RawExtensionsClient extends Client<paths> {}

/** @param fetch adds the token and keeps the limits */
export function createRawExtensionsClient(
  baseUrl: string,
  fetch: (request: Request) => Promise<Response>,
): RawExtensionsClient {
  const printForm = createQuerySerializer();
  const bodySerializer = (body: unknown): string => {
    const fields: Readonly<Record<string, unknown>> = Object(body);
    const texts = Object.entries(fields).map(([name, value]) => [name, formText(value)]);
    return printForm(Object.fromEntries(texts));
  };
  return createClient<paths>({ baseUrl, fetch, bodySerializer });
}

/** A value as a form has it: a list with commas, an object as JSON (extensions X1.2). */
function formText(value: unknown): unknown {
  if (Array.isArray(value)) return value.join();
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
