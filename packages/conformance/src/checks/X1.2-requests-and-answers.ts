import { equal, expect } from "../engine/assert.js";
import { twoAccounts } from "../engine/check.js";
import { type ExtensionName, isWrite, namesOf, type Subjects } from "../engine/operations.js";
import { idOf, idsOf, isItem, type Item, list, member, text } from "../engine/json.js";
import { fixture, type Kit } from "../engine/kit.js";
import type { CallOptions, Params } from "../engine/target.js";
import { calendarDetails, eventDetails, extension, ok, refuses, send } from "../steps/extensions.js";
import { createCouncil } from "../steps/series.js";

const absent = "9007199254740991";

async function newSubjects(kit: Kit): Promise<Subjects> {
  const [calendar_id, deleted] = [idOf(await kit.calendar()), idOf(await kit.calendar())];
  await kit.ok("deleteCalendar", { calendar_id: deleted });
  const [event_id, gone] = [idOf(await kit.event(calendar_id)), idOf(await kit.event(calendar_id))];
  await kit.ok("deleteEvent", { event_id: gone });
  const [repeated = ""] = (await createCouncil(kit)).ids;
  const series_id = text(await eventDetails(kit, repeated), "series_id");
  const [entry] = list((await ok(kit, "GET history/list/", { event_id })).body, "history");
  return { calendar_id, event_id, gone, repeated, series_id, deleted, entry_id: idOf(entry ?? {}) };
}

/** An operation and what it needs. */
type Request = readonly [name: ExtensionName, params: Params];

const requests = ({ session: { calls } }: Kit, subjects: Subjects): readonly Request[] =>
  namesOf(calls).map((name) => [name, calls[name]?.(subjects) ?? {}]);

const some = fixture(async (kit) => {
  const subjects = await newSubjects(kit);
  const all = requests(kit, subjects);
  const [reads, writes] = [all.filter(([name]) => !isWrite(name)), all.filter(([name]) => isWrite(name))];
  return { ...subjects, all, reads, writes };
});

const none: Subjects = {
  calendar_id: absent,
  event_id: absent,
  gone: absent,
  repeated: absent,
  series_id: absent,
  deleted: absent,
  entry_id: absent,
};

/** No answer names another request. */
function withoutRequest(body: unknown): string {
  return JSON.stringify(body).replace(/"request_id":"[^"]*"/, "");
}

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X1.2 methods": "Reads are GET (HEAD), writes are POST only: there are no GET writes.",
  "X1.2 same": "Tokens, scopes, envelope, errors and paging fields are those of the contract.",
  "X1.2 bodies": "Bodies are a form or JSON; JSON may hold strings, numbers, booleans and, where said, objects.",
};

/** extensions X1.2: methods, tokens, envelope and errors. */
export const checks = [
  extension("writes.get", "X1.2 methods", "GET on a write is a 405 and changes nothing", async (kit) => {
    const { calendar_id, event_id, writes } = await some(kit);
    const state = async () => [await calendarDetails(kit, calendar_id), await eventDetails(kit, event_id), idsOf(await kit.events(calendar_id))];
    const before = await state();
    for (const [name, params] of writes) {
      const { headers } = await refuses(kit, [405], name, params, { send: "query", method: "GET" });
      expect(!/\bGET\b/.test(headers["allow"] ?? "GET"), `${name}: Allow names GET, or is missing.`);
    }
    equal(await state(), before, "the calendar, the event and the list after GET on writes");
  }),
  extension("reads.methods", "X1.2 methods", "Reads answer HEAD, and POST on a read is a 405", async (kit) => {
    for (const [name, params] of (await some(kit)).reads) {
      const head = await send(kit, name, params, { method: "HEAD" });
      equal([head.status, head.text], [200, ""], `HEAD ${name}: status and body`);
      await refuses(kit, [405], name, params, { send: "form" });
    }
  }),
  extension("envelope", "X1.2 same", "Operations of calendars and events answer JSON in the envelope", async (kit) => {
    for (const [name, params] of requests(kit, await newSubjects(kit))) {
      const { body, headers } = await ok(kit, name, params);
      equal(member(body, "meta"), { code: "200" }, `${name}: meta`);
      expect((headers["content-type"] ?? "").startsWith("application/json"), `${name}: Content-Type is not JSON.`);
    }
  }),
  extension("tokens", "X1.2 same", "Without a token, or with a wrong one, operations of calendars and events are a 401", async (kit) => {
    const { all } = await some(kit);
    const wrong: CallOptions = { as: { token: `${kit.session.target.token}x` } };
    for (const [name, params] of all) {
      await refuses(kit, [401, "token_missing"], name, params, { as: "none" });
      await refuses(kit, [401, "token_unknown"], name, params, wrong);
    }
  }),
  extension("foreign", "X1.2 same", "Another account's calendars and events are the same 404 as absent ones", twoAccounts, async (kit) => {
    const { calendar_id, event_id, all } = await some(kit);
    const before = [await calendarDetails(kit, calendar_id), await eventDetails(kit, event_id)];
    const unknownOf = Object.fromEntries(requests(kit, none));
    for (const [name, params] of all) {
      // Some name nothing, and a batch names in its answer the events that it does not find.
      if (JSON.stringify(unknownOf[name]) === JSON.stringify(params) || name === "POST events/batch/") continue;
      const foreign = await refuses(kit, [404], name, params, { as: "other" });
      const unknown = await refuses(kit, [404], name, unknownOf[name], { as: "other" });
      equal(withoutRequest(foreign.body), withoutRequest(unknown.body), `${name}: foreign, absent`);
    }
    equal([await calendarDetails(kit, calendar_id), await eventDetails(kit, event_id)], before, "the calendar and the event");
  }),
  extension("foreign-list", "X1.2 same", "The list of calendars has those of the account alone", twoAccounts, async (kit) => {
    const { calendar_id } = await some(kit);
    const first = await kit.calendar();
    const listed = async (options: CallOptions) => idsOf(list((await ok(kit, "GET calendars/list/", {}, options)).body, "calendars"));
    expect((await listed({})).includes(idOf(first)), "The calendar is not in the list of its account.");
    const others = await listed({ as: "other" });
    expect(!others.includes(idOf(first)) && !others.includes(calendar_id), "The calendar is in another account's list.");
  }),
  extension("errors", "X1.2 same", "A missing parameter is a 400 that names it", async (kit) => {
    for (const [name, parameter] of [
      ["GET calendars/details/", "calendar_id"],
      ["POST calendars/update/", "calendar_id"],
      ["POST calendars/import/", "ics"],
      ["GET events/list/", "calendar_id"],
      ["GET events/details/", "event_id"],
      ["POST events/create/", "title"],
      ["POST events/update/", "event_id"],
      ["GET events/changes/", "calendar_id"],
    ] as const) {
      const { body } = await refuses(kit, [400, "parameter_missing"], name);
      const named = list(member(body, "meta"), "errors").map((one) => one["parameter"]);
      expect(named.includes(parameter), `${name}: the errors do not name ${parameter}.`);
    }
  }),
  extension("json", "X1.2 bodies", "A JSON body has booleans, numbers and custom_data as an object", async (kit) => {
    const event_id = idOf(await kit.event(await kit.calendar()));
    const json = { all_day_event: true, reminder: 15, custom_data: { hall: "2b" } };
    const { body } = await ok(kit, "POST events/update/", { event_id }, { send: "json", json });
    const { all_day_event, reminder, custom_data } = member(body, "event");
    equal([all_day_event, reminder, custom_data], [true, "15", { hall: "2b" }], "all_day_event, reminder, custom_data");
  }),
  extension("lists", "X1.2 same", "events/list/ has the events, the count and the pages of the contract's list", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    for (const start_date of ["03/10/2026 10:00", "01/20/2026 10:00", "02/15/2026 10:00"]) await kit.event(calendar_id, { start_date });
    for (const params of [{}, { order_by: "date-desc" }, { month: "02", year: "2026" }, { upcoming: "2026-02-01 00:00:00" }, { page: "2" }]) {
      const ours: Item = member({ body: (await ok(kit, "GET events/list/", { calendar_id, ...params })).body }, "body");
      const theirs: Item = member({ body: (await kit.ok("listEvents", { calendar_id, ...params })).body }, "body");
      equal(idsOf(list(ours, "events")), idsOf(list(theirs, "events")), `events with ${JSON.stringify(params)}`);
      equal(ours["calendar"], theirs["calendar"], "calendar");
      expect(isItem(ours["paging"]), "paging: expected an object.");
      const links = [text(member(ours, "paging"), "previous"), text(member(ours, "paging"), "next")];
      equal(
        links.map((link) => link === ""),
        [params.page === undefined, true],
        "whether previous and next are empty",
      );
    }
  }),
];
