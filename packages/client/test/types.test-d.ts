// What must not compile. Checked by `tsc -p .`: a @ts-expect-error without an error is an error.
import {
  createCalendarClient,
  eventTimes,
  formatStartDate,
  toEventFields,
  type Calendar,
  type CalendarApiError,
  type CalendarClient,
  type CalendarEvent,
  type CalendarEventListItem,
  type CalendarPages,
  type components,
  type ErrorType,
  type EventFields,
  type KnownErrorType,
  type operations,
  type paths,
  type SavedCalendar,
  type Subscriber,
  type TimeZone,
} from "../src/index.js";
import type {
  CalendarDetails,
  Event,
  ExtensionsClient,
  ImportOptions,
  Webhook,
  WebhookDelivery,
  WebhookMessages,
} from "../src/extensions/index.js";

export async function wrongCalls({
  calendars,
  events,
  subscribers,
  timezones,
  raw,
}: CalendarClient): Promise<void> {
  // @ts-expect-error title is mandatory.
  await calendars.create({ timezone: "Europe/Paris" });
  // @ts-expect-error There is no such parameter.
  await calendars.create({ title: "a", timezone: "Europe/Paris", colour: "red" });
  // @ts-expect-error calendar_id is mandatory on save.
  await calendars.save({ title: "a", timezone: "Europe/Paris" });
  // @ts-expect-error The id of a calendar is a string of digits.
  await calendars.delete(1);
  // @ts-expect-error calendar_id is mandatory.
  events.list({});
  // @ts-expect-error There is no such order.
  events.list({ calendar_id: "1", order_by: "title" });
  // @ts-expect-error start_date is mandatory.
  await events.create({ calendar_id: "1", title: "Opening night" });
  // @ts-expect-error A list is read with for await.
  await events.list({ calendar_id: "1" }).then();
  // @ts-expect-error A subscriber is found in a calendar.
  await subscribers.get({ subscriber_id: "1" });
  // @ts-expect-error The time zone list has no token.
  await timezones.list({ token: "a" });
  // @ts-expect-error A page is a number, or its digits.
  events.list({ calendar_id: "1", page: true });
  // @ts-expect-error The id of a calendar is a string of digits.
  await calendars.find(1);
  // @ts-expect-error The limit is a number.
  await calendars.list().toArray({ limit: "10" });
  // @ts-expect-error If-Match is for events: a calendar has no updated_times.
  await calendars.save({ calendar_id: "1", title: "a", timezone: "Europe/Paris" }, { ifMatch: "1" });
  // @ts-expect-error A new event has nothing to match.
  await events.create({ calendar_id: "1", title: "a", start_date: "07/04/2026" }, { ifMatch: 1 });
  // @ts-expect-error ifMatch is the updated_times that was read.
  await events.delete(1, { ifMatch: true });
  // @ts-expect-error There is no such option.
  await events.delete(1, { timeout: 5 });
  // @ts-expect-error The list of time zones has one page.
  await timezones.list({ page: 2 });
  // @ts-expect-error raw: reads do not answer POST.
  await raw.POST("/api/v1/calendars/list/");
  // @ts-expect-error raw: the path has its slash, as the contract writes it.
  await raw.GET("/api/v1/calendars/list");
  // @ts-expect-error raw: nothing answers DELETE.
  await raw.DELETE("/api/v1/calendars/delete/");
  // @ts-expect-error raw: an answer may be an error, data is then absent.
  (await raw.GET("/api/v1/timezones")).data.data;
}

export function wrongOptions(): void {
  // @ts-expect-error baseUrl is mandatory.
  createCalendarClient({ token: "a" });
  // @ts-expect-error The token goes into the header or the query.
  createCalendarClient({ baseUrl: "https://example.com", tokenIn: "cookie" });
  // @ts-expect-error Writes go by POST or GET.
  createCalendarClient({ baseUrl: "https://example.com", mutationMethod: "PUT" });
  // @ts-expect-error A hook gives nothing back.
  createCalendarClient({ baseUrl: "https://example.com", onRequest: (request: Request) => request });
  // @ts-expect-error The zone is mandatory: a Date alone says nothing of the wall clock.
  eventTimes({ start: new Date(0) });
  // @ts-expect-error A Date alone says nothing of the wall clock.
  formatStartDate(new Date(0));
}

export async function wrongReadings(
  { calendars, events }: CalendarClient,
  error: CalendarApiError,
): Promise<void> {
  const saved = await calendars.save({ calendar_id: "1", title: "a", timezone: "Europe/Paris" });
  // @ts-expect-error The save response has no time zone (contract 2.3).
  saved.timezone;
  const created = await events.create({ calendar_id: "1", title: "a", start_date: "07/04/2026 13:30" });
  // @ts-expect-error The id of a created event is a number (contract 2.4).
  created.id satisfies string;
  // @ts-expect-error A created event has color_id, not color.
  created.color;
  // @ts-expect-error A created event has no Unix times.
  created.date_start_unix;
  for await (const event of events.list({ calendar_id: "1" })) {
    // @ts-expect-error The id of a listed event is a string.
    event.id satisfies number;
    // @ts-expect-error A listed event has color, not color_id.
    event.color_id;
  }
  // @ts-expect-error There is no such kind.
  error.kind === "dns";
  // @ts-expect-error Without an answer there is no status.
  error.status satisfies number;
}

/** `errorType` is known, or new: both can be asked for, and what is known is suggested. */
export function errorTypes({ errorType }: CalendarApiError): void {
  errorType satisfies ErrorType | undefined;
  const known: KnownErrorType = "calendar_not_found";
  const newer: ErrorType = "calendar_archived";
  if (errorType === known || errorType === newer) errorType satisfies string;
  // @ts-expect-error It is not known.
  "calendar_archived" satisfies KnownErrorType;
  // @ts-expect-error It is text.
  1 satisfies ErrorType;
  // @ts-expect-error An error type that is only text is not known: the union has not become string.
  errorType satisfies KnownErrorType | undefined;
}

/** An editor suggests literals of a union. They are still there: the union has not become string. */
export const suggested: Extract<ErrorType, "calendar_not_found"> = "calendar_not_found";

export async function rightReadings({
  calendars,
  events,
  subscribers,
  timezones,
}: CalendarClient): Promise<void> {
  calendars.list() satisfies CalendarPages<Calendar>;
  (await calendars.save({ calendar_id: "1", title: "a", timezone: "Etc/UTC" })) satisfies SavedCalendar;
  const created: CalendarEvent = await events.create({
    calendar_id: "1",
    title: "a",
    start_date: "07/04/2026 13:30",
  });
  await events.save({ event_id: created.id, title: "b", start_date: "07/04/2026 13:30" });
  for await (const event of events.list({ calendar_id: "1" }, { timeoutMs: 1000 })) {
    event satisfies CalendarEventListItem;
    await events.delete(event.id);
  }
  for await (const { items, total } of subscribers.list({ calendar_id: "1" }).pages()) {
    items satisfies readonly Subscriber[];
    total satisfies number | undefined;
  }
  void (timezones.list() satisfies AsyncIterable<TimeZone>);
  void (timezones.list() satisfies Promise<TimeZone[]>);
  (await timezones.list()).length satisfies number;
  (await calendars.find("1")) satisfies Calendar | undefined;
  (await calendars.list({ page: 2 }).toArray({ limit: 10 })) satisfies Calendar[];
}

export async function eventsAgain(
  { events }: CalendarClient,
  listed: CalendarEventListItem,
  created: CalendarEvent,
): Promise<void> {
  const times = eventTimes({ start: new Date(0), zone: "Etc/UTC" });
  await events.create({ calendar_id: "1", title: "a", ...times });
  await events.save({ event_id: listed.id, ...toEventFields(listed), ...times });
  await events.save({ event_id: created.id, ...toEventFields(created), title: "b" });
  const fields: EventFields = toEventFields(listed);
  fields.color_id satisfies string;
  // @ts-expect-error The fields have no id: they are for a create too.
  fields.event_id;
  // @ts-expect-error A follower has no such fields.
  toEventFields({ id: "1", name: "Ada" });
}

export type Exported = [
  paths["/api/v1/timezones"]["get"],
  components["schemas"]["Calendar"],
  operations["listTimeZones"],
  // @ts-expect-error There is no such operation.
  operations["renameCalendar"],
];

export async function narrowedChanges({ events }: ExtensionsClient): Promise<void> {
  for await (const { changes } of events.follow("1"))
    for (const change of changes) {
      if (change.change === "saved") change.event satisfies Event;
      else change.date_deleted satisfies string;
      // @ts-expect-error Only a saved event has its fields.
      change.event.title satisfies string;
      // @ts-expect-error A saved event was not deleted.
      if (change.change === "saved") change.date_deleted satisfies string;
    }
}

export async function wrongExtensions({ events, calendars, raw }: ExtensionsClient): Promise<void> {
  // @ts-expect-error There is no such field.
  await events.update("1", { colour: "red" });
  // @ts-expect-error There is no such status.
  await events.update("1", { status: "canceled" });
  // @ts-expect-error custom_data is an object.
  await events.update("1", { custom_data: "{}" });
  // @ts-expect-error ifMatch is the number that was read.
  await events.update("1", { title: "a" }, { ifMatch: '"3"' });
  // @ts-expect-error The event is named by the first argument.
  await events.update("1", { event_id: "2" });
  // @ts-expect-error start_date is mandatory.
  await events.add({ calendar_id: "1", title: "a" });
  // @ts-expect-error calendar_id is mandatory.
  events.list({});
  // @ts-expect-error The id of a calendar is a string of digits.
  await calendars.get(1);
  // @ts-expect-error A calendar has no status.
  await calendars.update("1", { status: "confirmed" });
  // @ts-expect-error raw: writes answer POST alone.
  await raw.GET("/api/kalends/v1/events/update/");
  // @ts-expect-error raw: the operations of the contract are in the other client.
  await raw.GET("/api/v1/calendars/list/");
}

export function webhookTypes(message: WebhookMessages["event.saved"], all: WebhookMessages): void {
  message.data.event satisfies Event;
  message.type satisfies "event.saved";
  all["subscriber.created"].data.subscriber.email satisfies string | undefined;
  // @ts-expect-error There is no such type.
  all["event.renamed"];
}

export async function webhookCalls({ webhooks }: ExtensionsClient): Promise<void> {
  const { webhook, secret } = await webhooks.create({ url: "https://a.example", types: ["event.saved"] });
  secret satisfies string;
  (await webhooks.list()) satisfies readonly Webhook[];
  webhooks.deliveries(webhook.id, { page: 2 }) satisfies CalendarPages<WebhookDelivery>;
  (await webhooks.test(webhook.id, { idempotencyKey: "a" })) satisfies WebhookDelivery;
  // @ts-expect-error The URL is mandatory.
  await webhooks.create({ types: ["event.saved"] });
  // @ts-expect-error There is no such type.
  await webhooks.create({ url: "https://a.example", types: ["event.renamed"] });
  // @ts-expect-error A secret is shown once.
  (await webhooks.list())[0]?.secret;
}

export async function rightExtensions({ events, calendars }: ExtensionsClient): Promise<void> {
  const read: Event = await events.get(7);
  const { updated_times, custom_data, status, start_at } = await events.update(
    read.id,
    { location: "", custom_data: { room: "2b", seats: { free: 3 } } },
    { ifMatch: read.updated_times, timeoutMs: 1000, idempotencyKey: "a" },
  );
  updated_times satisfies number;
  start_at satisfies string;
  status satisfies "confirmed" | "tentative" | "cancelled";
  custom_data["room"] satisfies unknown;
  (await events.update("7", { categories: ["Concerts"] })).categories satisfies readonly string[];
  (await calendars.update("1", { title: "a" })) satisfies CalendarDetails;
  calendars.list({ custom_data_key: "room", page: 2 }) satisfies CalendarPages<CalendarDetails>;
  events.list({ calendar_id: "1", order_by: "id-asc" }) satisfies CalendarPages<Event>;
  const dryRun: ImportOptions = { dryRun: true };
  (await calendars.import("1", "BEGIN:VCALENDAR", dryRun)).created satisfies number;
  for await (const { changes, cursor } of events.follow("1", "cursor"))
    for (const { change, event_id } of changes) [change, event_id, cursor] satisfies string[];
}
