import createClient, { type Client, type ClientOptions } from "openapi-fetch";
import type { paths } from "./schema.js";

/**
 * The client of openapi-fetch, for all that the rest does not offer, such as the headers of an answer: paths, parameters
 * and answers are checked against the OpenAPI document. Token, time limit and retries are those of its calendar client.
 * Returns `{ data, error, response }` for any status; rejects with a `CalendarApiError` when there is no answer to read.
 */
export interface RawCalendarClient extends Client<paths> {}

/** @param fetch adds the token and keeps the limits */
export function createRawClient(
  baseUrl: string,
  fetch: (request: Request) => Promise<Response>,
): RawCalendarClient {
  return createClient<paths>({ baseUrl, fetch, ...form });
}

/** POST sends a form (rulings R1.1). Without a Content-Type from here, fetch itself names the type and the charset. */
const form = {
  headers: { "Content-Type": null },
  bodySerializer: (body: object | undefined) =>
    new URLSearchParams(
      Object.entries(body ?? {}).filter(([, value]) => value !== undefined && value !== null),
    ),
} satisfies ClientOptions;
