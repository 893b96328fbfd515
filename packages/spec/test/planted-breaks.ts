import type { BreakingEdit } from "./edited.js";
import { ofAnswers } from "./planted-answers.js";
import type { Places } from "./planted-places.js";

const owner = { name: "owner", in: "query", required: true, schema: { type: "string" } };
const parameters = "components parameters";
const json = "application/json";

/** Addresses, ways in and names. */
function ofAddresses({ calendars, events, create, calendar }: Places): readonly BreakingEdit[] {
  const list = { operation: calendars.id, property: "path" };
  const get = `get ${calendars.path}`;
  const general = { operation: "-" };
  return [
    { title: "an operation is removed", at: `paths ${calendars.path}`, ...list, change: `${get} is gone` },
    {
      ...{ title: "a method is removed", at: `paths ${create.path} post` },
      ...{ operation: create.id, property: "path", change: `post ${create.path} is gone` },
    },
    {
      ...{ title: "a path loses its final slash", at: `paths ${calendars.path}`, rename: calendars.bare },
      ...{ ...list, change: `${get} is now get ${calendars.bare}` },
    },
    {
      ...{ title: "a method is another", at: `paths ${calendars.path} get`, rename: "post" },
      ...{ ...list, change: `${get} is now post ${calendars.path}` },
    },
    {
      ...{ title: "an operationId is renamed", at: `paths ${calendars.path} get operationId`, value: "all" },
      ...{ operation: calendars.id, property: "operationId", change: "is now all" },
    },
    {
      ...{ title: "the servers have another prefix", at: "servers", value: [{ url: "/v2" }] },
      ...{ ...general, property: "server 1", change: 'url "/" → "/v2"' },
    },
    {
      ...{ title: "Bearer is no longer enough", at: "security", value: [{ token: [] }] },
      ...{ operation: events.id, property: "security", change: "bearer is not enough now" },
    },
    {
      ...{ title: "a token of two is needed", at: "security", value: [{ token: [], bearer: [] }] },
      ...{ operation: create.id, property: "security", change: "token is not enough now" },
    },
    {
      ...{ title: "the token has another name", at: "components securitySchemes token name", value: "key" },
      ...{ ...general, property: "security scheme token", change: 'name "token" → "key"' },
    },
    {
      ...{ title: "a schema has another name", at: `components schemas ${calendar}`, rename: "Renamed" },
      ...{ ...general, property: `schema ${calendar}`, change: "removed" },
    },
    {
      ...{ title: "an operation has another tag", at: `paths ${events.path} get tags`, value: ["Other"] },
      ...{ operation: events.id, property: "tag", change: 'without "Events"' },
    },
  ];
}

/** What is sent beside a body. */
function ofParameters({ events, calendars }: Places): readonly BreakingEdit[] {
  const orderBy = { operation: events.id, property: "query order_by" };
  const page = { operation: calendars.id, property: "query page" };
  const id = { operation: events.id, property: "query calendar_id" };
  const list = `paths ${calendars.path} get parameters`;
  const enumOf = `${parameters} order_by schema enum`;
  return [
    { title: "a parameter is removed", at: list, value: [], ...page, change: "removed" },
    {
      ...{ title: "a parameter is renamed", at: `${parameters} order_by name`, value: "sort" },
      ...{ ...orderBy, change: "removed" },
    },
    {
      ...{ title: "a parameter is read from a header", at: `${parameters} order_by in`, value: "header" },
      ...{ ...orderBy, change: "removed" },
    },
    {
      ...{ title: "an optional parameter becomes mandatory", at: `${parameters} page required`, value: true },
      ...{ ...page, change: "optional → required" },
    },
    {
      ...{ title: "a mandatory parameter is added", at: list },
      ...{ value: [{ $ref: "#/components/parameters/page" }, owner] },
      ...{ operation: calendars.id, property: "query owner", change: "added, required" },
    },
    {
      ...{ title: "a parameter loses one of its values", at: enumOf, value: ["id-asc", "id-desc"] },
      ...{ ...orderBy, change: 'enum without "date-desc"' },
    },
    {
      ...{ title: "a parameter gets another pattern", at: `${parameters} calendar_id schema pattern` },
      ...{ value: "^[0-9]{4}$", ...id, change: 'pattern "^[1-9][0-9]{0,15}$" → "^[0-9]{4}$"' },
    },
    {
      ...{ title: "a parameter has another type", at: `${parameters} calendar_id schema type` },
      ...{ value: "integer", ...id, change: 'type without "string"' },
    },
    {
      ...{ title: "a default changes", at: `${parameters} order_by schema default`, value: "id-asc" },
      ...{ ...orderBy, change: 'default "id-desc" → "id-asc"' },
    },
    {
      ...{ title: "a default is gone", at: `${parameters} order_by schema default` },
      ...{ ...orderBy, change: 'default "id-desc" → none' },
    },
    {
      ...{
        title: "a parameter is written another way",
        at: `${parameters} order_by style`,
        value: "deepObject",
      },
      ...{ ...orderBy, change: 'style none → "deepObject"' },
    },
  ];
}

/** What is sent as a body. */
function ofForms({ create }: Places): readonly BreakingEdit[] {
  const schema = `components schemas ${create.form}`;
  const form = (name: string) => ({ operation: create.id, property: `form ${name}` });
  const urlencoded = "application/x-www-form-urlencoded";
  return [
    {
      ...{ title: "a field of a form is no longer read", at: `${schema} properties location` },
      ...{ ...form("location"), change: "removed" },
    },
    {
      ...{
        title: "the longest text of a form is cut",
        at: `${schema} properties title maxLength`,
        value: 10,
      },
      ...{ ...form("title"), change: "maxLength 255 → 10" },
    },
    {
      ...{
        title: "a text of a form has a least length",
        at: `${schema} properties title minLength`,
        value: 3,
      },
      ...{ ...form("title"), change: "minLength none → 3" },
    },
    {
      ...{ title: "a field of a form becomes mandatory", at: `${schema} required` },
      ...{ value: ["calendar_id", "title", "start_date", "timezone", "location"] },
      ...{ ...form("location"), change: "optional → required" },
    },
    {
      ...{
        title: "a field of a form gets a closed set",
        at: `${schema} properties color_id enum`,
        value: ["1"],
      },
      ...{ ...form("color_id"), change: 'enum none → ["1"]' },
    },
    {
      ...{ title: "a field of a form gets a format", at: `${schema} properties start_date format` },
      ...{ value: "date-time", ...form("start_date"), change: 'format none → "date-time"' },
    },
    {
      ...{ title: "a form refuses unknown fields", at: `${schema} additionalProperties`, value: false },
      ...{ operation: create.id, property: "form", change: "additionalProperties none → false" },
    },
    {
      ...{
        title: "a form is no longer read",
        at: `paths ${create.path} post requestBody content ${urlencoded}`,
      },
      ...{ operation: create.id, property: `form ${urlencoded}`, change: "removed" },
    },
    {
      ...{ title: "one of two bodies has another schema" },
      ...{ at: `paths ${create.path} post requestBody content ${json} schema`, value: { type: "object" } },
      ...{ operation: create.id, property: `form ${json} title`, change: "removed" },
    },
  ];
}

/** The breaks of each kind, planted in a document. */
export function plantedBreaks(places: Places): readonly BreakingEdit[] {
  return [...ofAddresses(places), ...ofParameters(places), ...ofForms(places), ...ofAnswers(places)];
}
