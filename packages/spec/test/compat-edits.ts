import type { BreakingEdit, Edit } from "./edited.js";

const lists = "paths /api/v1/calendars/list/";
const schemas = "components schemas";
const parameters = "components parameters";

/** What only the contract has, and what is almost harmless. */
export const breakingEditsOfContract: readonly BreakingEdit[] = [
  {
    title: "an open operation needs a token",
    at: "paths /api/v1/timezones get security",
    value: [{ token: [] }],
    operation: "listTimeZones",
    property: "security",
    change: "no token is not enough now",
  },
  {
    title: "a pattern that keeps the old one as an alternative asks for more behind it",
    at: `${schemas} DeleteEventForm properties event_id pattern`,
    value: "^([1-9][0-9]{0,15}|last)(x)$",
    operation: "deleteEvent",
    property: "form event_id",
    change: 'pattern "^[1-9][0-9]{0,15}$" → "^([1-9][0-9]{0,15}|last)(x)$"',
  },
  {
    title: "one of two schemas of an answer has another type",
    at: `${schemas} ErrorBodyWithIntegerCode properties meta`,
    value: { type: "string" },
    operation: "listTimeZones",
    property: "400 anyOf[0].meta",
    change: 'type with "string"',
  },
  {
    title: "an answer may be one schema more",
    at: `${schemas} ListTimeZonesErrorBody anyOf`,
    value: [
      ...["ErrorBodyWithIntegerCode", "ErrorBody", "Meta"].map((name) => ({
        $ref: `#/${schemas.replace(" ", "/")}/${name}`,
      })),
    ],
    operation: "listTimeZones",
    property: "400",
    change: 'anyOf with {"$ref":"#/components/schemas/Meta"}',
  },
];

const servers = [
  { url: "/" },
  { url: "https://{host}", variables: { host: { default: "calendars.example.com" } } },
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
  {
    title: "a request takes longer texts",
    at: `${schemas} CreateEventForm properties title maxLength`,
    value: 1000,
    level: "minor",
  },
  {
    title: "a request takes one more value of a closed set",
    at: `${parameters} order_by schema enum`,
    value: ["date-desc", "id-asc", "id-desc", "date-asc"],
    level: "minor",
  },
  {
    title: "a parameter need not be sent",
    at: `${parameters} calendar_id required`,
    value: false,
    level: "minor",
  },
  {
    title: "an answer has a value of a closed set no more",
    at: `${schemas} Subscriber properties active enum`,
    value: ["true"],
    level: "minor",
  },
  {
    title: "a number of an answer is never negative",
    at: `${schemas} Calendar properties date_create minimum`,
    value: 0,
    level: "minor",
  },
  {
    title: "a server is added behind the others",
    at: "servers",
    value: [...servers, { url: "https://eu.example.com" }],
    level: "minor",
  },
  {
    title: "an operation is deprecated",
    at: `${lists} get deprecated`,
    value: true,
    level: "minor",
  },
];
