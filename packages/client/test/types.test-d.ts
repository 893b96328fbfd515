// What must not compile. Checked by `tsc -p .`: a @ts-expect-error without an error is an error.
import type { CalendarClient, CalendarEvent, components, operations, paths } from "../src/index.js";

export async function wrongCalls(client: CalendarClient): Promise<void> {
  // @ts-expect-error There is no such path.
  await client.GET("/api/v1/calendars/rename/");
  // @ts-expect-error The path has its slash, as the contract writes it.
  await client.GET("/api/v1/calendars/list");
  // @ts-expect-error calendar_id is mandatory.
  await client.GET("/api/v1/calendars/events/list/");
  // @ts-expect-error An id is a string of digits.
  await client.GET("/api/v1/calendars/events/list/", { params: { query: { calendar_id: 1 } } });
  const query = { calendar_id: "1", order_by: "title" } as const;
  // @ts-expect-error There is no such order.
  await client.GET("/api/v1/calendars/events/list/", { params: { query } });
  // @ts-expect-error Reads do not answer POST.
  await client.POST("/api/v1/calendars/list/");
  // @ts-expect-error Nothing answers DELETE.
  await client.DELETE("/api/v1/calendars/delete/");
  // @ts-expect-error title is mandatory.
  await client.POST("/api/v1/calendars/create/", { body: { timezone: "Europe/Paris" } });
  const body = { title: "Opening night", start_date: "07/04/2026 13:30" };
  // @ts-expect-error event_id is mandatory on save.
  await client.POST("/api/v1/calendars/events/save/", { body });
}

export async function wrongReadings(client: CalendarClient): Promise<void> {
  const saved = await client.POST("/api/v1/calendars/save/", {
    body: { calendar_id: "1", title: "Summer concerts", timezone: "Europe/Paris" },
  });
  // @ts-expect-error An answer may be an error: data is then absent.
  read(saved.data.calendar);
  // @ts-expect-error The save response has no time zone (service.md 2.3).
  read(saved.data?.calendar.timezone);
  // @ts-expect-error An error has its text in meta, not beside it.
  read(saved.error?.error_message);

  const created = await client.POST("/api/v1/calendars/events/create/", {
    body: { calendar_id: "1", title: "Opening night", start_date: "07/04/2026 13:30" },
  });
  // @ts-expect-error The id of a created event is a number (service.md 2.4).
  created.data?.event.id satisfies string | undefined;
  // @ts-expect-error A created event has color_id, not color.
  read(created.data?.event.color);
  // @ts-expect-error A created event has no Unix times.
  read(created.data?.event.date_start_unix);

  const listed = await client.GET("/api/v1/calendars/events/list/", {
    params: { query: { calendar_id: "1" } },
  });
  // @ts-expect-error The id of a listed event is a string.
  listed.data?.events[0]?.id satisfies number | undefined;
  // @ts-expect-error A listed event has color, not color_id.
  read(listed.data?.events[0]?.color_id);

  const zones = await client.GET("/api/v1/timezones");
  // @ts-expect-error The code is an integer on the time zone list (service.md 2.1).
  zones.data?.meta.code satisfies string | undefined;
}

export async function rightReadings(client: CalendarClient): Promise<void> {
  const created = await client.POST("/api/v1/calendars/events/create/", {
    body: { calendar_id: "1", title: "Opening night", start_date: "07/04/2026 13:30" },
  });
  created.data?.event satisfies CalendarEvent | undefined;
  created.data?.event.id satisfies number | undefined;
  created.error?.meta.error_message satisfies string | undefined;
  const calendars = await client.GET("/api/v1/calendars/list/");
  calendars.data?.calendars[0]?.timezone satisfies string | undefined;
  calendars.data?.meta.code satisfies string | undefined;
  const zones = await client.GET("/api/v1/timezones");
  zones.data?.meta.code satisfies number | undefined;
}

function read(_value: unknown): void {}

export type Reexported = [
  paths["/api/v1/timezones"]["get"],
  components["schemas"]["Calendar"],
  operations["listTimeZones"],
  // @ts-expect-error There is no such operation.
  operations["renameCalendar"],
];
