/**
 * What a user writes with the code of each generator: read the time zones, make a calendar and an event, list the events.
 * Each prints the title of the listed event, the type of the created event's id, and whether there are zones.
 */
const given = `
const [base = "", token = ""] = process.argv.slice(2);
const headers = { Authorization: \`Bearer \${token}\` };
const calendar = { title: "Summer concerts", timezone: "America/New_York" };
const event = { title: "Opening night", start_date: "07/04/2026 01:30 PM" };
function print(title: string | undefined, id: number, zones: number): void {
  console.log(JSON.stringify([title, typeof id, zones > 300]));
}
`;

export const samples = {
  openapiTypescript: `
import createClient from "openapi-fetch";
import type { paths } from "./generated.js";
${given}
const client = createClient<paths>({ baseUrl: base, headers });
const zones = await client.GET("/api/v1/timezones");
const made = await client.POST("/api/v1/calendars/create/", { body: calendar });
if (made.data === undefined) throw new Error(made.error.meta.error_message);
const calendar_id = made.data.calendar.id;
const created = await client.POST("/api/v1/calendars/events/create/", { body: { ...event, calendar_id } });
if (created.data === undefined) throw new Error(created.error.meta.error_message);
const listed = await client.GET("/api/v1/calendars/events/list/", { params: { query: { calendar_id, order_by: "id-asc" } } });
print(listed.data?.events[0]?.title, created.data.event.id, zones.data?.data.length ?? 0);
// @ts-expect-error -- the answer of save has no time zone (contract 2.3)
type Absent = paths["/api/v1/calendars/save/"]["post"]["responses"][200]["content"]["application/json"]["calendar"]["timezone"];
`,
  oazapfts: `
import * as api from "./generated.js";
${given}
api.defaults.baseUrl = base;
api.defaults.headers = headers;
const zones = await api.listTimeZones();
const made = await api.createCalendar(calendar);
if (made.status !== 200) throw new Error(made.data.meta.error_message);
const calendarId = made.data.calendar.id;
const created = await api.createEvent({ ...event, calendar_id: calendarId });
if (created.status !== 200) throw new Error(created.data.meta.error_message);
const listed = await api.listEvents(calendarId, { orderBy: "id-asc" });
if (listed.status !== 200) throw new Error(listed.data.meta.error_message);
print(listed.data.events[0]?.title, created.data.event.id, zones.status === 200 ? zones.data.data.length : 0);
`,
  swaggerTypescriptApi: `
import { Api } from "./generated.js";
${given}
// Answers by reference have no format in its code, so it is said here.
const { api } = new Api({ baseUrl: base, baseApiParams: { headers, format: "json" } });
const zones = await api.listTimeZones();
const made = await api.createCalendar(calendar);
const calendar_id = made.data.calendar.id;
const created = await api.createEvent({ ...event, calendar_id });
const listed = await api.listEvents({ calendar_id, order_by: "id-asc" });
print(listed.data.events[0]?.title, created.data.event.id, zones.data.data.length);
`,
  openapiZodClient: `
import { createApiClient } from "./generated.js";
${given}
const client = createApiClient(base, { axiosConfig: { headers } });
const zones = await client.listTimeZones();
const made = await client.createCalendar(calendar);
const calendar_id = made.calendar.id;
const created = await client.createEvent({ ...event, calendar_id });
const listed = await client.listEvents({ queries: { calendar_id, order_by: "id-asc" } });
print(listed.events[0]?.title, created.event.id, zones.data.length);
`,
  orval: `
import { createCalendar, createEvent, listEvents, listTimeZones } from "./generated.js";
${given}
const plain = globalThis.fetch;
globalThis.fetch = (path, init) => plain(new URL(String(path), base), init);
const zones = await listTimeZones();
const made = await createCalendar(calendar, { headers });
if (made.status !== 200) throw new Error(made.data.meta.error_message);
const calendar_id = made.data.calendar.id;
const created = await createEvent({ ...event, calendar_id }, { headers });
if (created.status !== 200) throw new Error(created.data.meta.error_message);
const listed = await listEvents({ calendar_id, order_by: "id-asc" }, { headers });
if (listed.status !== 200) throw new Error(listed.data.meta.error_message);
print(listed.data.events[0]?.title, created.data.event.id, zones.status === 200 ? zones.data.data.length : 0);
`,
} as const;
