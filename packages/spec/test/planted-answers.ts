import type { BreakingEdit } from "./edited.js";
import type { Places } from "./planted-places.js";

const json = "application/json";

/** What is answered. */
export function ofAnswers(places: Places): readonly BreakingEdit[] {
  const { calendar, calendars, events, integer, closedSet } = places;
  const schema = `components schemas ${calendar}`;
  const field = (name: string) => ({ operation: calendars.id, property: `200 calendars[].${name}` });
  const page = { operation: events.id, property: "200 paging.next" };
  const result = `components responses ${calendars.id.replace(/^./, (letter) => letter.toUpperCase())}Result`;
  return [
    {
      ...{ title: "a field of an answer is removed", at: `${schema} properties uniquekey` },
      ...{ ...field("uniquekey"), change: "removed" },
    },
    {
      ...{ title: "a field of an answer gets another type", at: `${schema} properties title type` },
      ...{ value: "integer", ...field("title"), change: 'type with "integer"' },
    },
    {
      ...{ title: "a field of an answer may be missing", at: "components schemas Paging required" },
      ...{ value: ["previous"], ...page, change: "required → optional" },
    },
    {
      ...{
        title: "a field of an answer may be null",
        at: `${schema} properties title nullable`,
        value: true,
      },
      ...{ ...field("title"), change: "nullable none → true" },
    },
    {
      ...{ title: "a field of an answer may be null, as 3.1 says it", at: `${schema} properties title type` },
      ...{ value: ["string", "null"], ...field("title"), change: 'type with "null"' },
    },
    {
      ...{
        title: "a closed set of an answer gets one more value",
        at: `components schemas ${closedSet.at} enum`,
      },
      ...{ value: ["true", "false", "nothing", "past", "upcoming", "paused"] },
      ...{ operation: closedSet.id, property: closedSet.property, change: 'enum with "paused"' },
    },
    {
      ...{ title: "a closed set of an answer is open", at: `components schemas ${closedSet.at} enum` },
      ...{ operation: closedSet.id, property: closedSet.property, change: `enum ${closedSet.values} → none` },
    },
    {
      ...{ title: "an integer is narrower", at: `components schemas ${integer.at} format`, value: "int32" },
      ...{ operation: calendars.id, property: integer.property, change: 'format "int64" → "int32"' },
    },
    {
      ...{ title: "an integer has no width", at: `components schemas ${integer.at} format` },
      ...{ operation: calendars.id, property: integer.property, change: 'format "int64" → none' },
    },
    {
      ...{
        title: "a field of an answer gets another pattern",
        at: `${schema} properties id pattern`,
        value: ".*",
      },
      ...{ ...field("id"), change: 'pattern "^[1-9][0-9]{0,15}$" → ".*"' },
    },
    {
      ...{ title: "an answer never has other fields", at: `${schema} additionalProperties`, value: false },
      ...{
        operation: calendars.id,
        property: "200 calendars[]",
        change: "additionalProperties none → false",
      },
    },
    {
      ...{
        title: "an answer is one of two",
        at: `${schema} anyOf`,
        value: [{ type: "object" }, { type: "array" }],
      },
      ...{ operation: calendars.id, property: "200 calendars[]" },
      ...{ change: 'anyOf none → [{"type":"object"},{"type":"array"}]' },
    },
    {
      ...{ title: "a status is no longer declared", at: `paths ${events.path} get responses 404` },
      ...{ operation: events.id, property: "404", change: "removed" },
    },
    {
      ...{ title: "an answer has another status too", at: `paths ${events.path} get responses 202` },
      ...{ value: { description: "Later." }, operation: events.id, property: "202", change: "added" },
    },
    {
      ...{ title: "an answer is no JSON", at: `${result} content ${json}`, rename: "application/xml" },
      ...{ operation: calendars.id, property: `200 ${json}`, change: "removed" },
    },
    {
      ...{
        title: "an answer loses its Retry-After",
        at: "components responses TooManyRequests headers Retry-After",
      },
      ...{ operation: calendars.id, property: "429 header Retry-After", change: "removed" },
    },
    {
      ...{ title: "a header of an answer may be missing", at: "components headers X-Request-Id required" },
      ...{ operation: calendars.id, property: "200 header X-Request-Id", change: "required → optional" },
    },
    {
      ...{
        title: "a header of an answer has another type",
        at: "components headers RateLimit-Limit schema type",
      },
      ...{ value: "string", operation: calendars.id, property: "200 header RateLimit-Limit" },
      ...{ change: 'type with "string"' },
    },
  ];
}
