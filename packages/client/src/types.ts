// The payloads under their names. Their fields come from the OpenAPI document, by the paths of schema.d.ts.
import type { FailureCode } from "./error-types.js";
import type { paths } from "./schema.js";

type Path = keyof paths;
type Query<P extends Path> = NonNullable<paths[P]["get"]["parameters"]["query"]>;
type Read<P extends Path> = paths[P]["get"]["responses"][200]["content"]["application/json"];
type WritePath = `/api/v1/calendars/${"" | "events/"}${"create" | "save" | "delete"}/`;
type Written<P extends WritePath> = paths[P]["post"]["responses"][200]["content"]["application/json"];
type Form<P extends WritePath> =
  paths[P]["post"]["requestBody"]["content"]["application/x-www-form-urlencoded"];
interface FirstPage {
  /** Page to start with, from 1; the first when not given. */
  readonly page?: number | string;
}

type EventListQuery = Omit<Query<"/api/v1/calendars/events/list/">, "page">;
type SubscriberListQuery = Omit<Query<"/api/v1/calendars/subscribers/list/">, "page">;
type SubscriberQuery = Query<"/api/v1/calendars/subscriber/">;
type ListedCalendar = Read<"/api/v1/calendars/list/">["calendars"][number];
type CalendarAfterSave = Written<"/api/v1/calendars/save/">["calendar"];
type CalendarAfterDelete = Written<"/api/v1/calendars/delete/">["calendar"];
type EventAfterCreate = Written<"/api/v1/calendars/events/create/">["event"];
type ListedEvent = Read<"/api/v1/calendars/events/list/">["events"][number];
type EventAfterDelete = Written<"/api/v1/calendars/events/delete/">["event"];
type ListedSubscriber = Read<"/api/v1/calendars/subscribers/list/">["subscribers"][number];
type ListedTimeZone = Read<"/api/v1/timezones">["data"][number];
type CreateCalendarForm = Form<"/api/v1/calendars/create/">;
type SaveCalendarForm = Form<"/api/v1/calendars/save/">;
type CreateEventForm = Form<"/api/v1/calendars/events/create/">;
type SaveEventForm = Omit<Form<"/api/v1/calendars/events/save/">, "event_id">;

/** A calendar as list and create return it (contract 2.3). Counters are strings, times are Unix seconds. */
export interface Calendar extends ListedCalendar {}
/** A calendar as save returns it: a {@link Calendar} without `timezone` (contract 2.3). */
export interface SavedCalendar extends CalendarAfterSave {}
/** The rest of a deleted calendar: its id and the status `deleted` (contract 2.3). */
export interface DeletedCalendar extends CalendarAfterDelete {}
/** An event as create and save return it: the id is a number, the colour is `color_id` (contract 2.4). */
export interface CalendarEvent extends EventAfterCreate {}
/** An event as the list returns it: the id is a string, the colour is `color` (contract 2.4). */
export interface CalendarEventListItem extends ListedEvent {}
/** The rest of a deleted event: its id and the status `deleted` (contract 2.4). */
export interface DeletedCalendarEvent extends EventAfterDelete {}
/** A follower of a calendar (contract 2.5). */
export interface Subscriber extends ListedSubscriber {}
/** A time zone that can be used: its label and its offset from UTC as `HH:MM` (contract 2.6). */
export interface TimeZone extends ListedTimeZone {}
/** A parameter that the server refused, and the rule it breaks (rulings R2.2). */
export interface ParameterFailure {
  /** Name of the parameter. */
  readonly parameter: string;
  /** The rule it breaks. */
  readonly message: string;
  /** Stable name of what is wrong, to say it in another language; only in errors of the extensions. */
  readonly code?: FailureCode;
  /** The limit that the value exceeds, where one number says it; only in errors of the extensions. */
  readonly limit?: number;
}

/** Parameters of a new calendar (contract 4.2). */
export interface CreateCalendarParams extends CreateCalendarForm {}
/** Parameters of a save of a calendar. A save replaces: an absent field with a default takes it (contract 4.3, rulings R4.6). */
export interface SaveCalendarParams extends SaveCalendarForm {}
/** Parameters of a new event (contract 4.6). */
export interface CreateEventParams extends CreateEventForm {}
/** Parameters of a save of an event. A save replaces: an absent field with a default takes it (contract 4.7, rulings R4.6). */
export interface SaveEventParams extends SaveEventForm {
  /** Id of the event: the number that create returned, or the string of the list. */
  readonly event_id: string | number;
}

/** Where the list of calendars starts (contract 4.1). */
export interface ListCalendarsParams extends FirstPage {}
/** Which events are listed, in what order, and where the list starts (contract 4.5). */
export interface ListEventsParams extends EventListQuery, FirstPage {}
/** Which subscribers are listed, in what order, and where the list starts (contract 4.9). */
export interface ListSubscribersParams extends SubscriberListQuery, FirstPage {}
/** Which subscriber is read (contract 4.10). */
export interface GetSubscriberParams extends SubscriberQuery {}
