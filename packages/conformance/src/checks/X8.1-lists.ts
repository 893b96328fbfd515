import { equal } from "../engine/assert.js";
import { idOf, list, member } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";
import type { Params } from "../engine/target.js";
import { extension, ok, refuses } from "../steps/extensions.js";
import { column } from "../steps/series.js";

/** Adds an event to a calendar, and returns its id. */
async function add(kit: Kit, calendar_id: string, params: Params): Promise<string> {
  const { body } = await ok(kit, "POST events/create/", { calendar_id, start_date: "2026-07-04T10:00", ...params });
  return idOf(member(body, "event"));
}

/** The titles that a list has, and its count. */
async function finds(kit: Kit, params: Params, titles: readonly string[]): Promise<void> {
  const { body } = await ok(kit, "GET events/list/", { order_by: "date-asc", ...params });
  const what = `events with ${JSON.stringify(params)}`;
  equal(column(list(body, "events"), "title"), titles, what);
  equal(member(body, "calendar")["events_count"], titles.length, `events_count of ${what}`);
}

async function calendarIn(kit: Kit, timezone: string): Promise<string> {
  return idOf(await kit.calendar({ timezone }));
}

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X8.1 range": "events/list/ takes from and to: any event that touches the range.",
  "X8.1 search": "events/list/ takes q: title, place, text; case and accents do not matter.",
  "X8.1 filters": "events/list/ takes status, category, series_id.",
  "X8.1 calendars": "events/list/ takes several calendars, and order_by=date-asc.",
  "X8.1 wall": "With wall=calendar each event carries its times on the calendar's own wall clock.",
};

/** extensions X8.1: lists for people. */
export const checks = [
  extension("lists.range", "X8.1 range", "from and to find the events that touch the range on the calendar's wall clock", async (kit) => {
    const calendar_id = await calendarIn(kit, "Europe/Paris");
    const day = { from: "2026-07-04", to: "2026-07-05" };
    await add(kit, calendar_id, { title: "Before", start_date: "2026-07-03T22:00", end_date: "2026-07-04T00:00" });
    await add(kit, calendar_id, { title: "Into", start_date: "2026-07-03T23:00", end_date: "2026-07-04T00:01" });
    await add(kit, calendar_id, { title: "Late", start_date: "2026-07-04T23:59" });
    await add(kit, calendar_id, { title: "After", start_date: "2026-07-05T00:00" });
    await finds(kit, { calendar_id, ...day }, ["Into", "Late"]);
    await finds(kit, { calendar_id, from: "2026-07-03T22:00:00Z", to: "2026-07-05T00:00+02:00" }, ["Into", "Late"]);
    await finds(kit, { calendar_id, from: day.to }, ["Late", "After"]);
    for (const params of [{ from: "2026-02-30" }, { from: day.to, to: day.from }, { to: "tomorrow" }])
      await refuses(kit, [400, "parameter_invalid"], "GET events/list/", { calendar_id, ...params });
  }),
  extension("lists.all-day", "X8.1 range", "An all-day event touches its days, whatever its zone is", async (kit) => {
    const calendar_id = await calendarIn(kit, "America/Los_Angeles");
    const event = { title: "Fair", all_day_event: "true", timezone: "Asia/Tokyo", start_date: "2026-07-04", end_date: "2026-07-05" };
    await add(kit, calendar_id, event);
    await finds(kit, { calendar_id, from: "2026-07-05T12:00", to: "2026-07-06" }, ["Fair"]);
    await finds(kit, { calendar_id, from: "2026-07-03", to: "2026-07-04" }, []);
    await finds(kit, { calendar_id, from: "2026-07-06", to: "2026-07-07" }, []);
  }),
  extension("lists.search", "X8.1 search", "q finds words in title, place and description without case and accents", async (kit) => {
    const calendar_id = await calendarIn(kit, "Etc/UTC");
    await add(kit, calendar_id, { title: "Concert in Zürich", location: "Große Halle", description: "Eintritt frei" });
    await add(kit, calendar_id, { title: "Летний концерт", start_date: "2026-07-05T10:00" });
    for (const q of ["zurich", "ZÜRICH concert", "grosse", "frei halle", "oncer"]) await finds(kit, { calendar_id, q }, ["Concert in Zürich"]);
    await finds(kit, { calendar_id, q: "КОНЦЕРТ" }, ["Летний концерт"]);
    for (const q of ["zurich opera", "%", "_"]) await finds(kit, { calendar_id, q }, []);
  }),
  extension("lists.filters", "X8.1 filters", "status, category and series_id keep the events that have them", async (kit) => {
    const calendar_id = await calendarIn(kit, "Etc/UTC");
    await add(kit, calendar_id, { title: "One", categories: "Music,Food" });
    await add(kit, calendar_id, { title: "Two", status: "cancelled", categories: "Music", start_date: "2026-07-05T10:00" });
    const series = { calendar_id, title: "Three", start_date: "2026-07-06T10:00", rrule: "FREQ=DAILY;COUNT=2" };
    const series_id = idOf(member((await ok(kit, "POST events/series/create/", series)).body, "series"));
    await finds(kit, { calendar_id, status: "cancelled" }, ["Two"]);
    await finds(kit, { calendar_id, category: "Music" }, ["One", "Two"]);
    await finds(kit, { calendar_id, category: "Music", status: "confirmed" }, ["One"]);
    await finds(kit, { calendar_id, series_id }, ["Three", "Three"]);
    await refuses(kit, [400, "parameter_invalid"], "GET events/list/", { calendar_id, status: "postponed" });
  }),
  extension("lists.calendars", "X8.1 calendars", "Several calendars are one list; one that does not exist is a 404", async (kit) => {
    const ids = [await calendarIn(kit, "Etc/UTC"), await calendarIn(kit, "Asia/Tokyo")];
    await add(kit, ids[0] ?? "", { title: "Late" });
    await add(kit, ids[1] ?? "", { title: "Early", start_date: "2026-07-04T11:00" });
    const [calendar_id = "", calendar_ids] = ids;
    await finds(kit, { calendar_id, calendar_ids }, ["Early", "Late"]);
    await finds(kit, { calendar_id, calendar_ids, order_by: "date-desc" }, ["Late", "Early"]);
    await finds(kit, { calendar_id, calendar_ids, from: "2026-07-04T11:30", to: "2026-07-05" }, ["Early"]);
    await refuses(kit, [404, "calendar_not_found"], "GET events/list/", { calendar_id, calendar_ids: `${calendar_ids},9007199254740991` });
    await refuses(kit, [400, "parameter_invalid"], "GET events/list/", { calendar_id, calendar_ids: `${calendar_ids},` });
  }),
  extension("lists.wall", "X8.1 wall", "wall=calendar shows each event on the wall clock of its calendar", async (kit) => {
    const calendar_id = await calendarIn(kit, "Europe/Paris");
    await add(kit, calendar_id, { title: "Summer", timezone: "Etc/UTC", start_date: "2026-10-24T10:00", end_date: "2026-10-24T11:00" });
    await add(kit, calendar_id, { title: "Winter", timezone: "Etc/UTC", start_date: "2026-10-26T10:00", end_date: "2026-10-26T11:00" });
    await add(kit, calendar_id, { title: "Days", timezone: "Asia/Tokyo", start_date: "2026-10-28", end_date: "2026-10-29", all_day_event: "true" });
    const { body } = await ok(kit, "GET events/list/", { calendar_id, order_by: "date-asc", wall: "calendar" });
    const events = list(body, "events");
    equal(column(events, "shown_start"), ["2026-10-24T12:00", "2026-10-26T11:00", "2026-10-28T00:00"], "shown_start");
    equal(column(events, "shown_end"), ["2026-10-24T13:00", "2026-10-26T12:00", "2026-10-29T00:00"], "shown_end");
    equal(column(events, "calendar_id"), [calendar_id, calendar_id, calendar_id], "calendar_id");
  }),
];
