import createClient, { createQuerySerializer, type Client } from "openapi-fetch";
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
  // POST sends a form (rulings R1.1); what is undefined is left out of it.
  return createClient<paths>({ baseUrl, fetch, bodySerializer: createQuerySerializer() });
}
