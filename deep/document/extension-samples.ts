import type { samples } from "./samples.js";

/**
 * What a user writes with the code of each generator for the extensions: make an event and a series, and list the events. Each prints
 * the title and the status of the event, the number of events of the series and that of all events.
 */
const given = `
const [base = "", token = ""] = process.argv.slice(2);
const headers = { Authorization: \`Bearer \${token}\` };
const body = JSON.stringify({ title: "Summer concerts", timezone: "America/New_York" });
const made = await fetch(\`\${base}/api/v1/calendars/create/\`, {
  method: "POST",
  headers: { ...headers, "Content-Type": "application/json" },
  body,
});
const { calendar } = (await made.json()) as { calendar: { id: string } };
const calendar_id = calendar.id;
const event = {
  calendar_id,
  title: "Opening night",
  start_date: "07/04/2026 01:30 PM",
  organizer_email: "office@example.com",
  status: "tentative",
  categories: ["Concerts"],
  custom_data: { room: "2b" },
} as const;
const series = { ...event, categories: [...event.categories], rrule: "FREQ=WEEKLY;COUNT=3" };
const single = { ...event, categories: [...event.categories] };
function print(title: string, status: string, ofSeries: number, all: number | undefined): void {
  console.log(JSON.stringify([title, status, ofSeries, all]));
}
`;

export const extensionSamples: Readonly<Record<keyof typeof samples, string>> = {
  openapiTypescript: `
import createClient from "openapi-fetch";
import type { components, paths } from "./generated.js";
${given}
const client = createClient<paths>({ baseUrl: base, headers });
const added = await client.POST("/api/kalends/v1/events/create/", { body: single });
if (added.data === undefined) throw new Error(added.error.meta.error_message);
const repeated = await client.POST("/api/kalends/v1/events/series/create/", { body: series });
if (repeated.data === undefined) throw new Error(repeated.error.meta.error_message);
const listed = await client.GET("/api/kalends/v1/events/list/", { params: { query: { calendar_id } } });
const { title, status } = added.data.event;
print(title, status, repeated.data.event_ids.length, listed.data?.events.length);
// What a receiver of webhooks reads is in both documents.
export type Message = components["schemas"]["EventSavedMessage"]["data"]["event"]["title"];
`,
  oazapfts: `
import * as api from "./generated.js";
${given}
api.defaults.baseUrl = base;
api.defaults.headers = headers;
const added = await api.eventsCreate(single);
if (added.status !== 200) throw new Error(added.data.meta.error_message);
const repeated = await api.eventsSeriesCreate(series);
if (repeated.status !== 200) throw new Error(repeated.data.meta.error_message);
const listed = await api.eventsList(calendar_id);
if (listed.status !== 200) throw new Error(listed.data.meta.error_message);
const { title, status } = added.data.event;
print(title, status, repeated.data.event_ids.length, listed.data.events.length);
`,
  swaggerTypescriptApi: `
import { Api } from "./generated.js";
${given}
const { api } = new Api({ baseUrl: base, baseApiParams: { headers, format: "json" } });
const added = await api.eventsCreate(single);
const repeated = await api.eventsSeriesCreate(series);
const listed = await api.eventsList({ calendar_id });
const { title, status } = added.data.event;
print(title, status, repeated.data.event_ids.length, listed.data.events.length);
`,
  openapiZodClient: `
import { createApiClient } from "./generated.js";
${given}
const client = createApiClient(base, { axiosConfig: { headers } });
const added = await client.eventsCreate(single);
const repeated = await client.eventsSeriesCreate(series);
const listed = await client.eventsList({ queries: { calendar_id } });
print(added.event.title, added.event.status, repeated.event_ids.length, listed.events.length);
`,
  orval: `
import { eventsCreate, eventsList, eventsSeriesCreate } from "./generated.js";
${given}
const plain = globalThis.fetch;
globalThis.fetch = (path, init) => plain(new URL(String(path), base), init);
const added = await eventsCreate(single, { headers });
if (added.status !== 200) throw new Error(added.data.meta.error_message);
const repeated = await eventsSeriesCreate(series, { headers });
if (repeated.status !== 200) throw new Error(repeated.data.meta.error_message);
const listed = await eventsList({ calendar_id }, { headers });
if (listed.status !== 200) throw new Error(listed.data.meta.error_message);
const { title, status } = added.data.event;
print(title, status, repeated.data.event_ids.length, listed.data.events.length);
`,
};
