/** An edit of the document: at `at`, the value that replaces what stands there; undefined removes it. */
export interface Edit {
  readonly title: string;
  readonly at: string;
  readonly value?: unknown;
  /** Moves what stands at `at` to the member of this name beside it. */
  readonly rename?: string;
}

export interface BreakingEdit extends Edit {
  /** Operations and property that the gate must name; "*" stands for any operation. */
  readonly operation: string;
  readonly property: string;
}

const lists = "paths /api/v1/calendars/list/";
const zones = "paths /api/v1/timezones";
const create = "paths /api/v1/calendars/create/";
const schemas = "components schemas";
const parameters = "components parameters";

/** The 18 kinds of edit that break someone who uses the document before it. */
export const breakingEdits: readonly BreakingEdit[] = [
  { title: "an operation is removed", at: zones, operation: "listTimeZones", property: "path" },
  {
    title: "a method is removed",
    at: `${create} post`,
    operation: "createCalendar",
    property: "path",
  },
  {
    title: "a path loses its final slash",
    at: lists,
    rename: "/api/v1/calendars/list",
    operation: "listCalendars",
    property: "path",
  },
  {
    title: "a path is renamed",
    at: lists,
    rename: "/api/v1/calendars/all/",
    operation: "listCalendars",
    property: "path",
  },
  {
    title: "an operationId is renamed",
    at: `${lists} get operationId`,
    value: "getCalendars",
    operation: "listCalendars",
    property: "operationId",
  },
  {
    title: "a parameter is removed",
    at: `${lists} get parameters`,
    value: [],
    operation: "listCalendars",
    property: "query page",
  },
  {
    title: "a parameter is renamed",
    at: `${parameters} order_by name`,
    value: "sort",
    operation: "listEvents",
    property: "query order_by",
  },
  {
    title: "an optional parameter becomes mandatory",
    at: `${parameters} page required`,
    value: true,
    operation: "listCalendars",
    property: "query page",
  },
  {
    title: "a mandatory parameter is added",
    at: `${lists} get parameters`,
    value: [
      { $ref: "#/components/parameters/page" },
      { name: "owner", in: "query", required: true, schema: { type: "string" } },
    ],
    operation: "listCalendars",
    property: "query owner",
  },
  {
    title: "a parameter loses one of its values",
    at: `${parameters} order_by schema enum`,
    value: ["id-asc", "id-desc"],
    operation: "listSubscribers",
    property: "query order_by",
  },
  {
    title: "a parameter gets another pattern",
    at: `${parameters} calendar_id schema pattern`,
    value: "^[0-9]{4}$",
    operation: "listEvents",
    property: "query calendar_id",
  },
  {
    title: "the longest text of a form field is cut",
    at: `${schemas} CreateCalendarForm properties title maxLength`,
    value: 100,
    operation: "createCalendar",
    property: "form title",
  },
  {
    title: "a form is no longer read",
    at: `${create} post requestBody content application/x-www-form-urlencoded`,
    operation: "createCalendar",
    property: "form application/x-www-form-urlencoded",
  },
  {
    title: "a field of an answer is removed",
    at: `${schemas} Paging properties previous`,
    operation: "listEvents",
    property: "200 paging.previous",
  },
  {
    title: "a field of an answer gets another type",
    at: `${schemas} Calendar properties title type`,
    value: "integer",
    operation: "listCalendars",
    property: "200 calendars[].title",
  },
  {
    title: "a field of an answer may be missing",
    at: `${schemas} Paging required`,
    value: ["previous"],
    operation: "listCalendars",
    property: "200 paging.next",
  },
  {
    title: "a closed set of an answer gets one more value",
    at: `${schemas} Subscriber properties active enum`,
    value: ["true", "false", "paused"],
    operation: "getSubscriber",
    property: "200 subscribers[].active",
  },
  {
    title: "an open operation needs a token",
    at: `${zones} get security`,
    value: [{ token: [] }],
    operation: "listTimeZones",
    property: "security",
  },
];

/** What is beyond the 18, and would otherwise pass unseen too. */
export const moreBreakingEdits: readonly BreakingEdit[] = [
  {
    title: "a pattern that keeps the old one as an alternative asks for more behind it",
    at: `${schemas} DeleteEventForm properties event_id pattern`,
    value: "^([1-9][0-9]{0,15}|last)(x)$",
    operation: "deleteEvent",
    property: "form event_id",
  },
  {
    title: "Bearer is no longer enough",
    at: "security",
    value: [{ token: [] }],
    operation: "saveEvent",
    property: "security",
  },
  {
    title: "the token has another name",
    at: "components securitySchemes token name",
    value: "key",
    operation: "-",
    property: "security scheme token",
  },
  {
    title: "a field of a form is no longer read",
    at: `${schemas} CreateEventForm properties reminder`,
    operation: "createEvent",
    property: "form reminder",
  },
  {
    title: "a status is no longer declared",
    at: "paths /api/v1/calendars/events/list/ get responses 404",
    operation: "listEvents",
    property: "404",
  },
  {
    title: "an answer is no JSON",
    at: "components responses ListCalendarsResult content application/json",
    rename: "application/xml",
    operation: "listCalendars",
    property: "200 application/json",
  },
  {
    title: "a field of an answer gets another pattern",
    at: `${schemas} Calendar properties id pattern`,
    value: ".*",
    operation: "createCalendar",
    property: "200 calendar.id",
  },
  {
    title: "an answer loses its Retry-After",
    at: "components responses TooManyRequests headers",
    operation: "listCalendars",
    property: "429 headers",
  },
];

/** The edits that break no client, with the level by which they raise the version. */
export const harmlessEdits: readonly (Edit & { readonly level: string })[] = [
  {
    title: "an operation is added",
    at: "paths /api/v1/calendars/count/",
    value: { get: { operationId: "countCalendars", responses: { 200: { description: "The count." } } } },
    level: "minor",
  },
  {
    title: "an optional parameter is added",
    at: `${lists} get parameters`,
    value: [
      { $ref: "#/components/parameters/page" },
      { name: "owner", in: "query", schema: { type: "string" } },
    ],
    level: "minor",
  },
  {
    title: "a field of an answer is added",
    at: `${schemas} Calendar properties owner`,
    value: { type: "string" },
    level: "minor",
  },
  {
    title: "a header of an answer is always there from now on",
    at: "components headers RateLimit-Limit required",
    value: true,
    level: "minor",
  },
  {
    title: "descriptions are reworded",
    at: `${schemas} Calendar properties description description`,
    value: "Other words.",
    level: "patch",
  },
  {
    title: "a pattern of a request keeps the old one and takes more",
    at: `${schemas} DeleteEventForm properties event_id pattern`,
    value: "^([1-9][0-9]{0,15}|[a-z)]{2,4}(x|y)?)$",
    level: "minor",
  },
];
