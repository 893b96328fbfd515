import { fileText, payload, success } from "../calls.js";
import { pagesOf, type CalendarPages } from "../lists.js";
import type { RequestOptions } from "../options.js";
import type { Send } from "../send.js";
import type { Form, FirstPage, Query, Read, Shape, Written } from "./bodies.js";
import type { RawExtensionsClient } from "./raw.js";
import { type TellOptions, tellParams } from "./telling.js";
import type { CalendarDetails } from "./types.js";

/** The calendars of the account. */
export interface CalendarExtensionsApi {
  /** Reads one calendar. */
  get(calendarId: string, options?: RequestOptions): Promise<CalendarDetails>;
  /** Creates a calendar. */
  add(params: AddCalendarParams, options?: RequestOptions): Promise<CalendarDetails>;
  /** Changes the fields that are sent, and no others. */
  update(calendarId: string, changes: CalendarChanges, options?: RequestOptions): Promise<CalendarDetails>;
  /** Deletes a calendar with its events and subscribers. */
  remove(calendarId: string, options?: RequestOptions): Promise<RemovedCalendar>;
  /** Reads what happened on each day: the last 30, or those of a range. */
  statistics(calendarId: string, range?: StatisticsRange, options?: RequestOptions): Promise<Statistics>;
  /** Reads the palettes that a calendar can have. */
  palettes(options?: RequestOptions): Promise<readonly Palette[]>;
  /** Reads the time zones that can be used. */
  timeZones(options?: RequestOptions): Promise<readonly ZoneDetails[]>;
  /** Lists the calendars, most recently saved first, or those with a value in their `custom_data`. */
  list(params?: FindCalendarsParams, options?: RequestOptions): CalendarPages<CalendarDetails>;
  /**
   * Creates and changes events as an iCalendar file has them, up to 10 MB; events that are as in the file stay as they are.
   * With `dryRun` it only reports what it would do.
   */
  import(calendarId: string, file: string, options?: ImportOptions): Promise<ImportReport>;
  /** Reads a calendar with all its events as one file, without a byte order mark. `csv` has a line for each event. */
  export(calendarId: string, format?: "ics" | "csv", options?: RequestOptions): Promise<string>;
}

/** The options of an import. */
export interface ImportOptions extends RequestOptions {
  /** Changes nothing. */
  readonly dryRun?: boolean | undefined;
  /** `all` also takes events that their CLASS says are private; `public` when not given. */
  readonly classes?: EventClasses | undefined;
  /** `false`: followers are not told of it by e-mail. */
  readonly tell?: TellOptions["tell"];
}

/** What an import did, in numbers, and for each event of the file. */
export interface ImportReport extends Shape<Written<"calendars/import/">["import"]> {
  readonly events: Written<"calendars/import/">["events"];
}

/** Which events of a file are imported, by their CLASS. */
export type EventClasses = NonNullable<Form<"calendars/import/">["classes"]>;

/** Parameters of a new calendar. */
export interface AddCalendarParams extends Form<"calendars/create/"> {}
/** The id of a calendar that was deleted. */
export interface RemovedCalendar extends Shape<Written<"calendars/delete/">["calendar"]> {}
/** A time zone that can be used: its label and its offset from UTC as `HH:MM`. */
export interface ZoneDetails extends Shape<Read<"timezones/list/">["timezones"][number]> {}
/** A palette: the colours that the events of a calendar can have. */
export interface Palette extends Shape<Read<"palettes/list/">["palettes"][number]> {}
/** The fields of a calendar to change. A field that is absent stays, an empty value clears it. */
export interface CalendarChanges extends Omit<Form<"calendars/update/">, "calendar_id"> {}
/** Which calendars are listed, and where the list starts. */
export interface FindCalendarsParams extends Omit<Query<"calendars/list/">, "page">, FirstPage {}
/** What happened to a calendar on each day, and in sum. */
export interface Statistics extends Omit<Read<"calendars/statistics/">, "meta"> {}
/** The first and the last day, in UTC. */
export interface StatisticsRange extends Omit<Query<"calendars/statistics/">, "calendar_id"> {}

/** @internal */
export function calendarExtensionsApi(raw: RawExtensionsClient, send: Send): CalendarExtensionsApi {
  return {
    get: (calendar_id, options) =>
      payload(
        raw.GET("/api/kalends/v1/calendars/details/", {
          params: { query: { calendar_id } },
          fetch: send(options),
        }),
        "calendar",
      ),
    add: (body, options) =>
      payload(raw.POST("/api/kalends/v1/calendars/create/", { body, fetch: send(options) }), "calendar"),
    remove: (calendar_id, options) =>
      payload(
        raw.POST("/api/kalends/v1/calendars/delete/", { body: { calendar_id }, fetch: send(options) }),
        "calendar",
      ),
    ...choicesApi(raw, send),
    update: (calendar_id, changes, options) =>
      payload(
        raw.POST("/api/kalends/v1/calendars/update/", {
          body: { ...changes, calendar_id },
          fetch: send(options),
        }),
        "calendar",
      ),
    list: (params = {}, options) =>
      pagesOf(params, "calendars", (query) =>
        raw.GET("/api/kalends/v1/calendars/list/", { params: { query }, fetch: send(options) }),
      ),
    ...filesApi(raw, send),
  };
}

function filesApi(raw: RawExtensionsClient, send: Send): Pick<CalendarExtensionsApi, "import" | "export"> {
  return {
    import: (calendarId, file, { dryRun, classes, tell, ...options } = {}) =>
      importFile(raw, send(options), { calendarId, file, dryRun, classes, tell }),
    export: (calendar_id, format = "ics", options) =>
      fileText(
        raw.GET("/api/kalends/v1/calendars/export/", {
          params: { query: { calendar_id, format } },
          fetch: send(options),
          parseAs: "text",
        }),
      ),
  };
}

/** What a calendar can be given, and what happened to it. */
function choicesApi(
  raw: RawExtensionsClient,
  send: Send,
): Pick<CalendarExtensionsApi, "palettes" | "timeZones" | "statistics"> {
  return {
    statistics: (calendar_id, range, options) =>
      success(
        raw.GET("/api/kalends/v1/calendars/statistics/", {
          params: { query: { ...range, calendar_id } },
          fetch: send(options),
        }),
        "days",
        "list",
      ),
    palettes: async (options) =>
      (await success(raw.GET("/api/kalends/v1/palettes/list/", { fetch: send(options) }), "palettes", "list"))
        .palettes,
    timeZones: async (options) =>
      (
        await success(
          raw.GET("/api/kalends/v1/timezones/list/", { fetch: send(options) }),
          "timezones",
          "list",
        )
      ).timezones,
  };
}

interface FileImport {
  readonly calendarId: string;
  readonly file: string;
  readonly dryRun: boolean | undefined;
  readonly classes: EventClasses | undefined;
  readonly tell: TellOptions["tell"];
}

/** Sends the file itself as the body, since it may be larger than a form may be. */
async function importFile(
  raw: RawExtensionsClient,
  fetch: (request: Request) => Promise<Response>,
  { calendarId: calendar_id, file, dryRun, classes, tell }: FileImport,
): Promise<ImportReport> {
  const query = new URLSearchParams({
    calendar_id,
    ...(dryRun ? { dry_run: "true" } : {}),
    ...(classes === undefined ? {} : { classes }),
    ...tellParams({ tell }),
  }).toString();
  const { import: summary, events } = await success(
    raw.POST("/api/kalends/v1/calendars/import/", {
      body: { calendar_id, ics: "" },
      fetch: ({ url, signal }) =>
        fetch(
          new Request(`${url}?${query}`, {
            method: "POST",
            body: file,
            headers: { "Content-Type": "text/calendar" },
            signal,
          }),
        ),
    }),
    "events",
    "list",
  );
  return { ...summary, events };
}
