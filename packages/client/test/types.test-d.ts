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
  // @ts-expect-error The save response has no time zone (service.md 2.3).
  saved.timezone;
  const created = await events.create({ calendar_id: "1", title: "a", start_date: "07/04/2026 13:30" });
  // @ts-expect-error The id of a created event is a number (service.md 2.4).
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
