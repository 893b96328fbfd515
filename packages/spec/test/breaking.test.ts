import { describe, expect, test } from "vitest";
import { breakingChanges, openQuestions } from "../scripts/breaking.js";
import { document, extensions, isRecord, type Json } from "./reading.js";

/** Returns a copy in which the value at a path, written with blanks, is another one; undefined removes it. */
function edited(whole: unknown, path: string, value: unknown): Json {
  const [key = "", ...rest] = path.split(" ");
  const { [key]: inner, ...others } = isRecord(whole) ? whole : {};
  const next = rest.length > 0 ? edited(inner, rest.join(" "), value) : value;
  return next === undefined ? others : { ...others, [key]: next };
}

const list = "paths /api/v1/calendars/list/";
const create = "paths /api/v1/calendars/events/create/ post requestBody content";
const form = "components schemas CreateEventRequestBody";
const calendar = "components schemas Calendar";
const parameter = "components parameters";
const header = "components headers";
const page = { $ref: "#/components/parameters/page" };
const string = { type: "string" };
const owner = { name: "owner", in: "query", schema: string };
const { get } = document.paths["/api/v1/calendars/list/"] ?? {};

/** What is changed, its new value, and part of the line that reports it. */
type Edit = readonly [path: string, value: unknown, line: string];

const ofContract: readonly Edit[] = [
  [list, undefined, "listCalendars: there is no operation of this name"],
  [list, { post: get }, "listCalendars: get /api/v1/calendars/list/ is now post /api/v1"],
  [`${list} get operationId`, "all", "listCalendars: there is no operation of this name"],
  [`${list} get parameters`, [], "listCalendars: remove parameters.page"],
  [`${list} get parameters`, [page, { ...owner, required: true }], "listCalendars: add parameters.owner"],
  ["servers", [{ url: "/v2" }], "get /api/v1/calendars/list/ is now get /v2/api/v1"],
  ["security", [{ token: [] }], "document: remove security"],
  ["components securitySchemes token name", "key", 'token.name "token" → "key"'],
  ["paths /api/v1/timezones get security", [{ token: [] }], "listTimeZones: add security"],
  ["paths /api/v1/calendars/events/list/ get responses 404", undefined, "listEvents: remove responses.404"],
  [`${parameter} order_by name`, "sort", "listEvents: remove parameters.order_by"],
  [`${parameter} order_by schema enum`, ["id-asc"], 'order_by.schema.enum.0 "date-desc"'],
  [`${parameter} order_by schema default`, "id-asc", 'default "id-desc" → "id-asc"'],
  [`${parameter} page required`, true, "listCalendars: add parameters.page.required"],
  [`${parameter} calendar_id schema pattern`, "^1$", "parameters.calendar_id.schema.pattern"],
  [`${parameter} calendar_id schema type`, "integer", 'schema.type "string" → "integer"'],
  [`${form} properties location`, undefined, "createEvent: remove requestBody"],
  [`${form} properties title maxLength`, 10, "title.maxLength 255 → 10"],
  [`${form} required`, ["calendar_id", "title", "start_date", "timezone", "location"], "required.4"],
  [`${form} properties color_id enum`, ["1"], "color_id.enum.0"],
  [`${form} additionalProperties`, false, "createEvent: add requestBody"],
  [`${create} application/x-www-form-urlencoded`, undefined, "createEvent: remove requestBody"],
  [calendar, undefined, "document: remove components.schemas.Calendar"],
  [`${calendar} properties uniquekey`, undefined, "listCalendars: remove responses.200"],
  [`${calendar} properties title type`, "integer", "title.type"],
  [`${calendar} properties title nullable`, true, "title.nullable"],
  [`${calendar} properties date_create format`, "int32", 'format "int64" → "int32"'],
  [`${calendar} additionalProperties`, false, "listCalendars: add responses.200"],
  [`${calendar} anyOf`, [string, { type: "array" }], "listCalendars: "],
  ["components schemas Paging required", ["previous"], "listEvents: remove responses.200"],
  ["components schemas Subscriber properties active enum", ["true", "false", "x"], 'enum.2 "x"'],
  ["components responses TooManyRequests headers Retry-After", undefined, "headers.Retry-After"],
  [`${header} X-Request-Id required`, undefined, "X-Request-Id.required"],
];

const ofExtensions: readonly Edit[] = [
  ["paths /api/kalends/v1/events/changes/", undefined, "eventsChanges: there is no operation"],
  ["paths /api/kalends/v1/events/update/ post parameters", [], "eventsUpdate: remove parameters.If-Match"],
  [
    "components schemas EventsUpdateRequestBody properties status enum",
    ["confirmed"],
    "eventsUpdate: remove",
  ],
  ["components schemas Event properties status", undefined, "eventsDetails: remove responses.200"],
  ["components schemas Event properties title type", ["string", "null"], '"string" → ["string","null"]'],
  ["components schemas EventSavedMessage properties timestamp", undefined, "event.saved: remove responses"],
  ["webhooks event.saved", undefined, "event.saved: there is no operation of this name"],
];

describe.each([
  ["contract", document, ofContract],
  ["extensions", extensions, ofExtensions],
] as const)("a breaking change of the document of the %s is found", (_name, { ...whole }, edits) => {
  test.each(edits)("%s → %j", (path, value, line) => {
    expect(breakingChanges(whole, edited(whole, path, value))).toContainEqual(expect.stringContaining(line));
  });
});

test.each([
  ["paths /api/v1/calendars/count/", { get: { operationId: "countCalendars", responses: {} } }],
  [`${list} get deprecated`, true],
  [`${list} get parameters`, [page, owner]],
  [`${parameter} order_by schema enum`, ["date-desc", "id-asc", "id-desc", "date-asc"]],
  [`${parameter} calendar_id required`, undefined],
  [`${form} properties owner`, string],
  [`${form} properties title maxLength`, 1000],
  [`${calendar} properties owner`, string],
  [`${calendar} properties title description`, "Other words."],
  [`${header} RateLimit-Limit required`, true],
] as const)("what breaks no client passes: %s → %j", (path, value) => {
  const { ...whole } = document;
  expect(breakingChanges(whole, edited(whole, path, value))).toEqual([]);
});

test("a breaking change passes by an approval of its own, which has a reason", () => {
  const [change, other] = ["listCalendars: remove parameters.page", "listEvents: remove parameters.page"];
  const reason = "every list is short now; announced in 1.2.0";
  expect(openQuestions([change], [])).toEqual([`Breaking: ${change}`]);
  expect(openQuestions([change], [{ change, reason }])).toEqual([]);
  expect(openQuestions([change], [{ change, reason: "" }])).toEqual([`Gives no reason: ${change}`]);
  const questions = openQuestions([change], [{ change: other, reason }]);
  expect(questions).toEqual([`Breaking: ${change}`, `Approves nothing: ${other}`]);
});
