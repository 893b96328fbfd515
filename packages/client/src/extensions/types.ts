// The payloads under their names. Their fields come from the OpenAPI document of the extensions, by the paths of schema.d.ts.
import type { paths, webhooks } from "./schema.js";

type Prefix = "/api/kalends/v1";
type Read<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { "application/json": infer Body } } } };
}
  ? Body
  : never;
type Written<P extends keyof paths> = paths[P] extends {
  post: { responses: { 200: { content: { "application/json": infer Body } } } };
}
  ? Body
  : never;
type Query<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } }
  ? NonNullable<Q>
  : never;
type Form<P extends keyof paths> = paths[P] extends {
  post: { requestBody: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;
type Answer<P extends keyof paths> = paths[P] extends {
  post: { responses: { 200: { content: { "application/json": infer Body } } } };
}
  ? Body
  : never;
type FirstPage = {
  /** Page to start with, from 1; the first when not given. */
  readonly page?: number | string;
};

type ListedEvent = Read<`${Prefix}/events/details/`>["event"];
type ListedFound = Read<`${Prefix}/events/list/`>["events"][number];
type ReadCalendar = Read<`${Prefix}/calendars/details/`>["calendar"];
type ChangesBody = Read<`${Prefix}/events/changes/`>;
type ListedChange = ChangesBody["changes"][number];
type ImportBody =
  paths[`${Prefix}/calendars/import/`]["post"]["responses"][200]["content"]["application/json"];
type ImportSummary = ImportBody["import"];
type CalendarForm = Omit<Form<`${Prefix}/calendars/update/`>, "calendar_id">;
type EventForm = Omit<Form<`${Prefix}/events/update/`>, "event_id">;
type NewEventForm = Form<`${Prefix}/events/create/`>;
type NewSeriesForm = Form<`${Prefix}/events/series/create/`>;
type SeriesForm = Form<`${Prefix}/events/series/update/`>;
type SeriesBody = Written<`${Prefix}/events/series/create/`>;
type BatchForm = Form<`${Prefix}/events/batch/`>;
type BatchBody = Written<`${Prefix}/events/batch/`>;
type DetailsBody = Read<`${Prefix}/events/series/details/`>;
type PreviewBody = Read<`${Prefix}/events/series/preview/`>;
type PreviewQuery = Query<`${Prefix}/events/series/preview/`>;
type TriedWrite = NonNullable<SeriesBody["dry_run"]>;
type CalendarsQuery = Omit<Query<`${Prefix}/calendars/list/`>, "page">;
type EventsQuery = Omit<Query<`${Prefix}/events/list/`>, "page">;
type NewCalendarForm = Form<`${Prefix}/calendars/create/`>;
type CalendarAfterDelete = Written<`${Prefix}/calendars/delete/`>["calendar"];
type EventAfterDelete = Written<`${Prefix}/events/delete/`>["event"];
type ListedTimeZone = Read<`${Prefix}/timezones/list/`>["timezones"][number];
type ListedPalette = Read<`${Prefix}/palettes/list/`>["palettes"][number];
type ListedSubscriber = Read<`${Prefix}/subscribers/list/`>["subscribers"][number];
type SubscriberAfterDelete = Written<`${Prefix}/subscribers/delete/`>["subscriber"];
type SubscribersQuery = Omit<Query<`${Prefix}/subscribers/list/`>, "page">;
type ListedCategory = Read<`${Prefix}/categories/list/`>["categories"][number];
type RenameBody = Written<`${Prefix}/categories/rename/`>;
type ListedToken = Read<`${Prefix}/tokens/list/`>["tokens"][number];
type NewTokenForm = Form<`${Prefix}/tokens/create/`>;
type ListedSync = Read<`${Prefix}/syncs/list/`>["syncs"][number];
type NewSyncForm = Form<`${Prefix}/syncs/create/`>;
type SyncForm = Omit<Form<`${Prefix}/syncs/update/`>, "sync_id">;
type SyncAfterDelete = Written<`${Prefix}/syncs/delete/`>["sync"];
type ListedWebhook = Read<`${Prefix}/webhooks/list/`>["webhooks"][number];
type ListedDelivery = Read<`${Prefix}/webhooks/deliveries/`>["deliveries"][number];
type WrittenWebhook = Answer<`${Prefix}/webhooks/delete/`>["webhook"];
type TrashedItem = Read<`${Prefix}/trash/list/`>["trash"][number];
type ListedEntry = Read<`${Prefix}/history/list/`>["history"][number];
type NewWebhookForm = Omit<Form<`${Prefix}/webhooks/create/`>, "with_person">;

/** An event, in the one shape of the extensions: ids are strings, counters are integers, times are ISO 8601. */
export interface Event extends ListedEvent {}
/** A calendar, in the one shape of the extensions. */
export interface CalendarDetails extends ReadCalendar {}
/** The last change of an event, by `change`: `saved` with the `event` as it is now, `deleted` with `date_deleted`. */
export type EventChange = ListedChange;
/** The changes after a cursor, and the cursor after them. */
export interface EventChanges extends Omit<ChangesBody, "meta"> {}

/** What an import did, in numbers, and for each event of the file. */
export interface ImportReport extends ImportSummary {
  readonly events: ImportBody["events"];
}

/** Which events of a file are imported, by their CLASS. */
export type EventClasses = NonNullable<Form<`${Prefix}/calendars/import/`>["classes"]>;

/** What a new calendar takes. */
export interface AddCalendarParams extends NewCalendarForm {}
/** The id of a calendar that was deleted. */
export interface RemovedCalendar extends CalendarAfterDelete {}
/** The id of an event that was deleted. */
export interface RemovedEvent extends EventAfterDelete {}
/** A time zone that can be used: its label and its offset from UTC as `HH:MM`. */
export interface ZoneDetails extends ListedTimeZone {}
/** A palette: the colours that the events of a calendar can have. */
export interface Palette extends ListedPalette {}
/** A person who follows a calendar. */
export interface SubscriberDetails extends ListedSubscriber {}
/** The id of a subscriber that was deleted. */
export interface DeletedSubscriber extends SubscriberAfterDelete {}
/** Which subscribers are listed, in what order, and where the list starts. */
export interface FindSubscribersParams extends SubscribersQuery, FirstPage {}

/** The fields of a calendar to change. A field that is absent stays, an empty value clears it. */
export interface CalendarChanges extends CalendarForm {}
/** The fields of an event to change. A field that is absent stays, an empty value clears it. */
export interface EventUpdate extends EventForm {}
/** What a new event takes. */
export interface AddEventParams extends NewEventForm {}
/** What a new series takes: a first event, and what repeats it. */
export interface AddSeriesParams extends NewSeriesForm {}
/** The fields to change in events of a series; `rrule`, `rdate` and `exdate` not with the scope `this`. */
export interface SeriesUpdate extends Omit<SeriesForm, "event_id" | "scope"> {}
/** A series, and what differs from its rule. */
export interface SeriesDetails extends Omit<DetailsBody, "meta"> {}
/** A rule to be looked at before it is used. */
export interface PreviewSeriesParams extends Omit<PreviewQuery, "rdate" | "exdate"> {
  /** Starts of further events. */
  readonly rdate?: string | readonly string[] | undefined;
  /** Starts that are left out. */
  readonly exdate?: string | readonly string[] | undefined;
}
/** The dates of a rule. */
export interface SeriesPreview extends Omit<PreviewBody, "meta"> {}
/** What a write of a series would do. */
export interface DryRun extends TriedWrite {}
/** Which events of a series: one, it and those after it, or all. */
export type SeriesScope = SeriesForm["scope"];
/** A series, and the ids of its events that a call made or changed, soonest first. */
export interface ChangedSeries extends Omit<SeriesBody, "meta"> {}
/** What becomes of many events: how far each moves on its own wall clock, the fields that change in each, or that they are deleted. */
export interface BatchChange extends Omit<BatchForm, "events" | "partial" | "dry_run" | keyof Moved>, Moved {}
interface Moved {
  /** Days, negative to an earlier date. */
  readonly shift_days?: number | undefined;
  /** Minutes, negative to an earlier time. */
  readonly shift_minutes?: number | undefined;
  /** `true` deletes the events, without other changes. */
  readonly delete?: boolean | undefined;
}
/** What was done with many events, and which of them cannot be changed and why. */
export interface BatchResult extends Omit<BatchBody, "meta"> {}
/** An event of a batch: its id, or what was read of it, so that it is not changed when it was saved since. */
export type BatchItem = string | number | Pick<Event, "id" | "updated_times">;
/** Which calendars are listed, and where the list starts. */
export interface FindCalendarsParams extends CalendarsQuery, FirstPage {}
/** Which events are listed, in what order, and where the list starts. */
export interface FindEventsParams extends Omit<EventsQuery, "calendar_id" | "calendar_ids">, FirstPage {
  /** The id of a calendar, or those of several. */
  readonly calendar_id: string | readonly string[];
}
/** An event of a list; with `wall: "calendar"` it has `shown_start` and `shown_end`, its times on the wall clock of its calendar. */
export interface FoundEvent extends ListedFound {}
/** Where the changes begin. */
export interface EventChangesParams {
  /** The cursor of the changes before; when not given, the changes begin with each event that the calendar has. */
  readonly since?: string | undefined;
}

/** Where messages about changes are sent, and which. */
export interface Webhook extends ListedWebhook {}
/** A webhook, and the secret that its messages are signed with. */
export interface WebhookWithSecret {
  /** The webhook. */
  readonly webhook: Webhook;
  /** The secret, `whsec_` and base64. `verifyWebhook` takes it. */
  readonly secret: string;
}
/** The id of a webhook that was deleted. */
export interface DeletedWebhook extends WrittenWebhook {}
/** A message to one webhook, and what became of it. */
export interface WebhookDelivery extends ListedDelivery {}
/** What a new webhook takes. */
export interface CreateWebhookParams extends NewWebhookForm {
  /** Whether messages about subscribers hold their names and e-mail addresses; `false` when not given. */
  readonly with_person?: boolean | "true" | "false" | undefined;
}
/** Where the list of deliveries starts. */
export interface FindDeliveriesParams extends FirstPage {}

/** A category of events of a calendar. */
export interface Category extends ListedCategory {}
/** A category, and how many events were changed. */
export interface ChangedCategory extends Omit<RenameBody, "meta"> {}

/** A token of the account, without the token itself. */
export interface Token extends ListedToken {}
/** A token, and the token itself. */
export interface TokenWithSecret {
  /** The token. */
  readonly token: Token;
  /** The token itself; empty where the call repeats one that was done. */
  readonly secret: string;
}
/** What a new token takes. */
export interface CreateTokenParams extends Omit<NewTokenForm, "expires_in_days"> {
  /** How many days it is valid. */
  readonly expires_in_days?: number | string | undefined;
}
/** Where the list of tokens starts. */
export interface ListTokensParams extends FirstPage {}

/** A calendar file that the server fetches again and again into a calendar. */
export interface Sync extends ListedSync {}
/** What a new sync takes. */
export interface CreateSyncParams extends Omit<NewSyncForm, "every_minutes"> {
  /** How often the file is fetched: 15 to 43200; 60 when not given. */
  readonly every_minutes?: number | string | undefined;
}
/** The fields of a sync to change. */
export interface SyncChanges extends Omit<SyncForm, "every_minutes"> {
  /** How often the file is fetched: 15 to 43200. */
  readonly every_minutes?: number | string | undefined;
}
/** The id of a sync that was deleted. */
export interface DeletedSync extends SyncAfterDelete {}
/** What happened to a calendar on each day, and in sum. */
export interface Statistics extends Omit<Read<`${Prefix}/calendars/statistics/`>, "meta"> {}
/** The first and the last day, in UTC. */
export interface StatisticsRange extends Omit<Query<`${Prefix}/calendars/statistics/`>, "calendar_id"> {}
/** What was deleted and can be restored. */
export interface TrashItem extends TrashedItem {}
/** Of which calendar the trash is listed, and where the list starts. */
export interface ListTrashParams extends Omit<Query<`${Prefix}/trash/list/`>, "page">, FirstPage {}
/** What one write did to one event, or to a calendar, and who made it. */
export interface HistoryEntry extends ListedEntry {}
/** Whose history is listed, and where the list starts. */
export interface ListHistoryParams extends Omit<Query<`${Prefix}/history/list/`>, "page">, FirstPage {}
/** What is removed from the trash for good: an event, what a calendar has there, or everything. */
export type PurgeTarget =
  | { readonly event_id: string | number }
  | { readonly calendar_id: string }
  | { readonly all: true };

type Received<Type extends keyof webhooks> =
  webhooks[Type]["post"]["requestBody"]["content"]["application/json"];
/** The body of each webhook, by its type, such as `WebhookMessages["event.saved"]`. A newer server may send other types. */
export type WebhookMessages = { readonly [Type in keyof webhooks]: Received<Type> };
