// The payloads under their names. Their fields come from the OpenAPI document, through schema.d.ts.
import type * as schema from "./schema.js";

type Query<Operation extends keyof schema.operations> = NonNullable<
  schema.operations[Operation]["parameters"]["query"]
>;
type CalendarListQuery = Query<"listCalendars">;
type EventListQuery = Query<"listEvents">;
type SubscriberListQuery = Query<"listSubscribers">;
type SubscriberQuery = Query<"getSubscriber">;

/** A calendar as list and create return it (service.md 2.3). Counters are strings, times are Unix seconds. */
export interface Calendar extends schema.Calendar {}
/** A calendar as save returns it: a {@link Calendar} without `timezone` (service.md 2.3). */
export interface SavedCalendar extends schema.SavedCalendar {}
/** What is left of a deleted calendar: its id and the status `deleted` (service.md 2.3). */
export interface DeletedCalendar extends schema.DeletedCalendar {}
/** An event as create and save return it: the id is a number, the colour is `color_id` (service.md 2.4). */
export interface CalendarEvent extends schema.CalendarEvent {}
/** An event as the list returns it: the id is a string, the colour is `color` (service.md 2.4). */
export interface CalendarEventListItem extends schema.CalendarEventListItem {}
/** What is left of a deleted event: its id and the status `deleted` (service.md 2.4). */
export interface DeletedCalendarEvent extends schema.DeletedCalendarEvent {}
/** A follower of a calendar (service.md 2.5). */
export interface Subscriber extends schema.Subscriber {}
/** A time zone that can be used: its label and its offset from UTC as `HH:MM` (service.md 2.6). */
export interface TimeZone extends schema.TimeZone {}
/** A parameter that the server refused, and the rule it breaks (rulings R2.2). */
export interface ParameterFailure extends schema.ParameterFailure {}

/** What a new calendar takes (service.md 4.2). */
export interface CreateCalendarParams extends schema.CreateCalendarForm {}
/** What a save of a calendar takes. It replaces: what has a default takes it when absent (service.md 4.3, rulings R4.6). */
export interface SaveCalendarParams extends schema.SaveCalendarForm {}
/** What a new event takes (service.md 4.6). */
export interface CreateEventParams extends schema.CreateEventForm {}
/** What a save of an event takes. It replaces: what has a default takes it when absent (service.md 4.7, rulings R4.6). */
export interface SaveEventParams extends Omit<schema.SaveEventForm, "event_id"> {
  /** Id of the event: the number that create returned, or the string of the list. */
  readonly event_id: string | number;
}

/** Where the list of calendars starts (service.md 4.1). */
export interface ListCalendarsParams extends CalendarListQuery {}
/** Which events are listed, in what order, and where the list starts (service.md 4.5). */
export interface ListEventsParams extends EventListQuery {}
/** Which subscribers are listed, in what order, and where the list starts (service.md 4.9). */
export interface ListSubscribersParams extends SubscriberListQuery {}
/** Which subscriber is read (service.md 4.10). */
export interface GetSubscriberParams extends SubscriberQuery {}
