import createClient, { type Client, type ClientOptions } from "openapi-fetch";
import type { paths } from "./schema.js";

export type * from "./schema.js";

export type CalendarClient = Client<paths>;

export interface CalendarClientOptions {
  /** Where the service is, such as "https://calendars.example.com". */
  readonly baseUrl: string;
  /** Token of the account. It goes into the header Authorization, never into a URL (rulings R1.7). */
  readonly token: string;
  /** Sends the requests; the fetch of the platform when not given. */
  readonly fetch?: NonNullable<ClientOptions["fetch"]>;
}

/** A typed client of the API: paths, parameters and answers are checked against the OpenAPI document. */
export function createCalendarClient({ token, ...options }: CalendarClientOptions): CalendarClient {
  const client = createClient<paths>({ ...options, ...form });
  client.use({
    onRequest({ request, schemaPath }) {
      if (schemaPath !== withoutToken) request.headers.set("Authorization", `Bearer ${token}`);
    },
  });
  return client;
}

/** The time zone list takes no token (service.md 4.12), so it is not shown one. */
const withoutToken = "/api/v1/timezones" satisfies keyof paths;

/** POST sends a form (rulings R1.1). Without a Content-Type from here, fetch itself names the type and the charset. */
const form = {
  headers: { "Content-Type": null },
  bodySerializer: (body: object | undefined) =>
    new URLSearchParams(Object.entries(body ?? {}).filter(([, value]) => value !== undefined)),
} satisfies ClientOptions;
