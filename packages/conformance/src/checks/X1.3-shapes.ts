import { equal, expect, failure, show } from "../engine/assert.js";
import { idOf, isItem, type Item, list, member, only, withId } from "../engine/json.js";
import { someStart } from "../engine/kit.js";
import { eventDetails, everything, extension, follow, ok, refuses, updateEvent } from "../steps/extensions.js";

const string = /^[^]*$/;
const digits = /^[0-9]+$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const wall = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** Fields whose values are texts, and their form. */
const texts = {
  event: {
    id: digits,
    calendar_id: digits,
    series_id: string,
    sync_id: string,
    status: /^(confirmed|tentative|cancelled)$/,
    title: string,
    description: string,
    location: string,
    organizer: string,
    organizer_email: string,
    start_date: wall,
    end_date: wall,
    timezone: /\S/,
    start_at: instant,
    end_at: instant,
    color_id: /^([1-9]|1[0-9]|20)?$/,
    reminder: /^[0-9]*$/,
    date_create: instant,
    date_modified: instant,
  },
  calendar: {
    id: digits,
    uniquekey: /\S/,
    calendarname: string,
    title: string,
    description: string,
    timezone: /\S/,
    palette_id: digits,
    feed_omits: /^(?:nothing|past|upcoming)$/,
    date_create: instant,
    date_modified: instant,
  },
} as const;

const integers = {
  event: ["updated_times"],
  calendar: ["followers_active", "followers_total", "events_total"],
} as const;

function hasShape(item: Item, kind: "event" | "calendar"): void {
  for (const [name, form] of Object.entries(texts[kind])) {
    const value = item[name];
    if (typeof value !== "string" || !form.test(value)) throw failure(`${name}: expected ${form.source}, got ${show(value)}.`);
  }
  for (const name of integers[kind]) expect(Number.isSafeInteger(item[name]), `${name}: expected an integer, got ${show(item[name])}.`);
  expect(isItem(item["custom_data"]), `custom_data: expected an object, got ${show(item["custom_data"])}.`);
}

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X1.3 event": "A result holds the event as one shape everywhere.",
  "X1.3 values": "Ids are strings; instants are ISO 8601, wall clocks YYYY-MM-DDTHH:MM beside a zone.",
};

/** extensions X1.3: values. */
export const checks = [
  extension("shape.categories", "X1.3 event", "categories are what was sent, until they are changed or cleared", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const added = await ok(kit, "POST events/create/", { calendar_id, title: "x", start_date: someStart, categories: "Concerts,É 🎉" });
    const event_id = idOf(member(added.body, "event"));
    const names = async () => (await eventDetails(kit, event_id))["categories"];
    equal(await names(), ["Concerts", "É 🎉"], "categories after create");
    await updateEvent(kit, event_id, { location: "Here" });
    equal(await names(), ["Concerts", "É 🎉"], "categories after another change");
    await ok(kit, "POST events/update/", { event_id }, { send: "json", json: { categories: ["Children"] } });
    equal(await names(), ["Children"], "categories after a change by JSON");
    for (const categories of ["a,a", "a,", "x".repeat(41)])
      await refuses(kit, [400, "parameter_invalid"], "POST events/update/", { event_id, categories });
    const twenty = Array.from({ length: 20 }, (_, number) => `Name ${number}`).join();
    await refuses(kit, [400, "parameter_invalid"], "POST events/create/", { calendar_id, title: "x", start_date: someStart, categories: twenty });
    await updateEvent(kit, event_id, { categories: "" });
    equal(await names(), [], "categories after they are cleared");
  }),
  extension("shape.event", ["X1.3 event", "X1.3 values"], "An event has its fields, each of its kind", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    for (const params of [{ start_date: someStart }, everything]) {
      const added = await ok(kit, "POST events/create/", { calendar_id, title: "Added", ...params });
      const event = member(added.body, "event");
      hasShape(event, "event");
      equal([event["calendar_id"], typeof event["all_day_event"]], [calendar_id, "boolean"], "calendar_id, type of all_day_event");
    }
  }),
  extension("shape.everywhere", "X1.3 event", "Create, update, details, list and changes show an event alike", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const added = member((await ok(kit, "POST events/create/", { calendar_id, title: "Added", ...everything })).body, "event");
    const id = idOf(added);
    equal(await eventDetails(kit, id), added, "details and create");
    const updated = await updateEvent(kit, id, { location: "There" });
    equal(Object.keys(updated).toSorted(), Object.keys(added).toSorted(), "fields of update and create");
    equal(await eventDetails(kit, id), updated, "details and update");
    equal(withId(list((await ok(kit, "GET events/list/", { calendar_id })).body, "events"), id, "events"), updated, "list and update");
    const { changes } = await follow(kit, calendar_id);
    equal(only(changes, "changes")["event"], updated, "changes and update");
  }),
  extension("shape.calendar", "X1.3 values", "A calendar has its fields, each of its kind, in list, details and update", async (kit) => {
    const calendar = await kit.calendar();
    const calendar_id = idOf(calendar);
    const { body } = await ok(kit, "GET calendars/details/", { calendar_id });
    const details = member(body, "calendar");
    hasShape(details, "calendar");
    equal(withId(list((await ok(kit, "GET calendars/list/")).body, "calendars"), calendar_id, "calendars"), details, "list and details");
    equal([details["title"], details["timezone"]], [calendar["title"], calendar["timezone"]], "title, timezone");
    hasShape(member((await ok(kit, "POST calendars/update/", { calendar_id, description: "x" })).body, "calendar"), "calendar");
  }),
  extension("shape.times", "X1.3 values", "Wall clocks are those that were sent, instants are those of the zone", async (kit) => {
    const id = idOf(await kit.event(await kit.calendar(), everything));
    const { start_date, end_date, start_at, end_at, timezone } = await eventDetails(kit, id);
    equal([start_date, end_date, timezone], ["2026-07-04T13:30", "2026-07-04T17:00", "Europe/Paris"], "start_date, end_date, timezone");
    const unix = [start_at, end_at].map((value) => Date.parse(String(value)));
    equal(unix, [Date.UTC(2026, 6, 4, 11, 30), Date.UTC(2026, 6, 4, 15)], "start_at and end_at, in milliseconds");
  }),
];
