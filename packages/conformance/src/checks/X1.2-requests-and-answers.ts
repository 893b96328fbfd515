import { equal, expect } from "../engine/assert.js";
import { twoAccounts } from "../engine/check.js";
import { operations, type DataName, dataNames, isWrite } from "../engine/operations.js";
import { idOf, idsOf, isItem, type Item, list, member, text } from "../engine/json.js";
import { fixture, type Kit, someStart } from "../engine/kit.js";
import type { CallOptions, Params } from "../engine/target.js";
import { calendarDetails, calendarFile, eventDetails, extension, ok, refuses, send } from "../steps/extensions.js";
import { createCouncil } from "../steps/series.js";

const absent = "9007199254740991";

/** What the operations are called with. */
interface Subjects {
  readonly calendar_id: string;
  readonly event_id: string;
  /** An event that was deleted. */
  readonly gone: string;
  /** An event of a series. */
  readonly repeated: string;
  readonly series_id: string;
  /** A calendar that was deleted. */
  readonly deleted: string;
  /** An entry of the history of the event. */
  readonly entry_id: string;
}

/** What each operation needs, in an order in which all of them can be called. */
function needed({ calendar_id, event_id, gone, repeated, series_id, deleted, entry_id }: Subjects): Readonly<Record<DataName, Params>> {
  return {
    findCalendars: {},
    getCalendar: { calendar_id },
    updateCalendar: { calendar_id, description: "changed" },
    importCalendar: { calendar_id, ics: calendarFile([{ uid: "x@example.com" }]) },
    findEvents: { calendar_id },
    getStatistics: { calendar_id },
    getEvent: { event_id },
    addEvent: { calendar_id, title: "Added", start_date: someStart },
    updateEvent: { event_id, location: "changed" },
    listEventChanges: { calendar_id },
    changeEvents: { events: event_id, location: "changed" },
    copyEvent: { event_id, start_dates: someStart },
    getSeries: { series_id },
    findSeriesDates: { start_date: "2026-07-04T13:30", timezone: "Europe/Paris", rrule: "FREQ=WEEKLY;COUNT=2" },
    createSeries: { calendar_id, title: "Added", start_date: someStart, rrule: "FREQ=WEEKLY;COUNT=2" },
    updateSeries: { event_id: repeated, scope: "all", location: "changed" },
    deleteSeries: { event_id: repeated, scope: "all" },
    listHistory: { calendar_id },
    revertEvent: { event_id, entry_id },
    listTrash: { calendar_id },
    restoreEvent: { event_id: gone },
    restoreSeries: { series_id },
    restoreCalendar: { calendar_id: deleted },
    purgeTrash: { calendar_id: deleted },
  };
}

async function newSubjects(kit: Kit): Promise<Subjects> {
  const [calendar_id, deleted] = [idOf(await kit.calendar()), idOf(await kit.calendar())];
  await kit.ok("deleteCalendar", { calendar_id: deleted });
  const [event_id, gone] = [idOf(await kit.event(calendar_id)), idOf(await kit.event(calendar_id))];
  await kit.ok("deleteEvent", { event_id: gone });
  const [repeated = ""] = (await createCouncil(kit)).ids;
  const series_id = text(await eventDetails(kit, repeated), "series_id");
  const [entry] = list((await ok(kit, "listHistory", { event_id })).body, "history");
  return { calendar_id, event_id, gone, repeated, series_id, deleted, entry_id: idOf(entry ?? {}) };
}

const some = fixture(async (kit) => {
  const subjects = await newSubjects(kit);
  return { ...subjects, params: needed(subjects) };
});

/** No answer names another request. */
function withoutRequest(body: unknown): string {
  return JSON.stringify(body).replace(/"request_id":"[^"]*"/, "");
}

/** extensions X1.2: methods, tokens, envelope and errors. */
export const requestChecks = [
  extension("writes.get", "X1.2 methods", "GET on a write is a 405 and changes nothing", async (kit) => {
    const { calendar_id, event_id, params } = await some(kit);
    const state = async () => [await calendarDetails(kit, calendar_id), await eventDetails(kit, event_id), idsOf(await kit.events(calendar_id))];
    const before = await state();
    for (const name of dataNames.filter(isWrite)) {
      const { headers } = await refuses(kit, [405], name, params[name], { send: "query", method: "GET" });
      expect(!/\bGET\b/.test(headers["allow"] ?? "GET"), `${operations[name].path}: Allow names GET, or is missing.`);
    }
    equal(await state(), before, "the calendar, the event and the list after GET on writes");
  }),
  extension("reads.methods", "X1.2 methods", "Reads answer HEAD, and POST on a read is a 405", async (kit) => {
    const { params } = await some(kit);
    for (const name of dataNames.filter((one) => !isWrite(one))) {
      const head = await send(kit, name, params[name], { method: "HEAD" });
      equal([head.status, head.text], [200, ""], `HEAD ${operations[name].path}: status and body`);
      await refuses(kit, [405], name, params[name], { send: "form" });
    }
  }),
  extension("envelope", "X1.2 same", "Operations of calendars and events answer JSON in the envelope", async (kit) => {
    const params = needed(await newSubjects(kit));
    for (const name of dataNames) {
      const { body, headers } = await ok(kit, name, params[name]);
      equal(member(body, "meta"), { code: "200" }, `${operations[name].path}: meta`);
      expect((headers["content-type"] ?? "").startsWith("application/json"), `${operations[name].path}: Content-Type is not JSON.`);
    }
  }),
  extension("tokens", "X1.2 same", "Without a token, or with a wrong one, operations of calendars and events are a 401", async (kit) => {
    const { params } = await some(kit);
    const wrong: CallOptions = { as: { token: `${kit.session.target.token}x` } };
    for (const name of dataNames) {
      await refuses(kit, [401, "token_missing"], name, params[name], { as: "none" });
      await refuses(kit, [401, "token_unknown"], name, params[name], wrong);
    }
  }),
  extension("foreign", "X1.2 same", "Another account's calendars and events are the same 404 as absent ones", twoAccounts, async (kit) => {
    const { calendar_id, event_id, params } = await some(kit);
    const before = [await calendarDetails(kit, calendar_id), await eventDetails(kit, event_id)];
    const none = needed({
      calendar_id: absent,
      event_id: absent,
      gone: absent,
      repeated: absent,
      series_id: absent,
      deleted: absent,
      entry_id: absent,
    });
    // These name none, and a batch names in its answer those that it does not find.
    const others: readonly DataName[] = ["findCalendars", "findSeriesDates", "changeEvents"];
    for (const name of dataNames.filter((one) => !others.includes(one))) {
      const foreign = await refuses(kit, [404], name, params[name], { as: "other" });
      const unknown = await refuses(kit, [404], name, none[name], { as: "other" });
      equal(withoutRequest(foreign.body), withoutRequest(unknown.body), `${operations[name].path}: foreign, absent`);
    }
    equal([await calendarDetails(kit, calendar_id), await eventDetails(kit, event_id)], before, "the calendar and the event");
  }),
  extension("foreign-list", "X1.2 same", "The list of calendars has those of the account alone", twoAccounts, async (kit) => {
    const { calendar_id } = await some(kit);
    const first = await kit.calendar();
    const listed = async (options: CallOptions) => idsOf(list((await ok(kit, "findCalendars", {}, options)).body, "calendars"));
    expect((await listed({})).includes(idOf(first)), "The calendar is not in the list of its account.");
    const others = await listed({ as: "other" });
    expect(!others.includes(idOf(first)) && !others.includes(calendar_id), "The calendar is in another account's list.");
  }),
  extension("errors", "X1.2 same", "A missing parameter is a 400 that names it", async (kit) => {
    for (const [name, parameter] of [
      ["getCalendar", "calendar_id"],
      ["updateCalendar", "calendar_id"],
      ["importCalendar", "ics"],
      ["findEvents", "calendar_id"],
      ["getEvent", "event_id"],
      ["addEvent", "title"],
      ["updateEvent", "event_id"],
      ["listEventChanges", "calendar_id"],
    ] as const) {
      const { body } = await refuses(kit, [400, "parameter_missing"], name);
      const named = list(member(body, "meta"), "errors").map((one) => one["parameter"]);
      expect(named.includes(parameter), `${operations[name].path}: the errors do not name ${parameter}.`);
    }
  }),
  extension("json", "X1.2 bodies", "A JSON body has booleans, numbers and custom_data as an object", async (kit) => {
    const event_id = idOf(await kit.event(await kit.calendar()));
    const json = { all_day_event: true, reminder: 15, custom_data: { hall: "2b" } };
    const { body } = await ok(kit, "updateEvent", { event_id }, { send: "json", json });
    const { all_day_event, reminder, custom_data } = member(body, "event");
    equal([all_day_event, reminder, custom_data], [true, "15", { hall: "2b" }], "all_day_event, reminder, custom_data");
  }),
  extension("lists", "X1.2 same", "events/list/ has the events, the count and the pages of the contract's list", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    for (const start_date of ["03/10/2026 10:00", "01/20/2026 10:00", "02/15/2026 10:00"]) await kit.event(calendar_id, { start_date });
    for (const params of [{}, { order_by: "date-desc" }, { month: "02", year: "2026" }, { upcoming: "2026-02-01 00:00:00" }, { page: "2" }]) {
      const ours: Item = member({ body: (await ok(kit, "findEvents", { calendar_id, ...params })).body }, "body");
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
