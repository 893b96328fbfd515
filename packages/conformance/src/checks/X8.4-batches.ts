import { equal } from "../engine/assert.js";
import { twoAccounts } from "../engine/check.js";
import type { Calls } from "../engine/operations.js";
import { idOf, isItem, type Item, list, member, text } from "../engine/json.js";
import { type Kit, someStart } from "../engine/kit.js";
import type { Params } from "../engine/target.js";
import { eventDetails, extension, ok, refuses, updateEvent } from "../steps/extensions.js";
import { texts } from "../steps/series.js";

const absent = "9007199254740991";
const times = {
  timezone: "Europe/Paris",
  start_date: "2026-10-24T19:00",
  end_date: "2026-10-24T21:00",
} as const;

/** Makes events in a calendar of their own. */
async function createEvents(kit: Kit, count: number): Promise<readonly string[]> {
  const calendar_id = idOf(await kit.calendar());
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { body } = await ok(kit, "POST events/create/", { calendar_id, title: `Concert ${n}`, location: "Park", ...times });
    ids.push(idOf(member(body, "event")));
  }
  return ids;
}

const batch = async (kit: Kit, events: readonly string[], params: Params) =>
  (await ok(kit, "POST events/batch/", { events: events.join(","), ...params })).body;

/** The ids and reasons of what failed. */
function failures(body: unknown): readonly unknown[] {
  const failed = isItem(body) ? body["failed"] : undefined;
  return Array.isArray(failed) ? failed.map((one: unknown) => (isItem(one) ? [one["event_id"], one["error_type"]] : one)) : [];
}

async function cursorOf(kit: Kit, calendar_id: string): Promise<string> {
  const { body } = await ok(kit, "GET events/changes/", { calendar_id });
  return text(isItem(body) ? body : {}, "cursor");
}

async function changesSince(kit: Kit, calendar_id: string, since: string): Promise<readonly unknown[]> {
  const { body } = await ok(kit, "GET events/changes/", { calendar_id, since });
  return list(body, "changes").map(({ event_id, change }) => [event_id, change]);
}

const done = (body: unknown): unknown => (isItem(body) ? body["done"] : undefined);

/** What its operations need. */
export const calls: Calls = {
  "POST events/batch/": ({ event_id }) => ({ events: event_id, location: "changed" }),
  "POST events/copy/": ({ event_id }) => ({ event_id, start_dates: someStart }),
};

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X8.4 move": "events/batch/ moves up to 500 events by days or minutes.",
  "X8.4 change": "events/batch/ changes fields and status of events, or deletes them.",
  "X8.4 all": "The answer names each event that failed and why, and nothing is done unless all can be, or partial=true.",
  "X8.4 dry run": "dry_run says what would be done.",
  "X8.4 calendar": "calendar_id in events/update/ and events/batch/ moves events to another calendar.",
  "X8.4 copy": "events/copy/ copies an event to several dates.",
};

/** extensions X8.4: many events at once, and copies. */
export const checks = [
  extension("batch.moves", "X8.4 move", "Events move on the wall clock over a clock change, and keep their length", async (kit) => {
    const ids = await createEvents(kit, 2);
    const body = await batch(kit, ids, { shift_days: "2", shift_minutes: "-30" });
    equal([done(body), texts(body, "event_ids"), failures(body)], [true, ids, []], "what was done");
    for (const id of ids) {
      const { start_date, end_date, start_at } = await eventDetails(kit, id);
      equal([start_date, end_date, start_at], ["2026-10-26T18:30", "2026-10-26T20:30", "2026-10-26T17:30:00Z"], "times");
    }
  }),
  extension("batch.changes", "X8.4 change", "Fields that are sent change in each, others stay; delete deletes each", async (kit) => {
    const ids = await createEvents(kit, 2);
    await batch(kit, ids, { status: "cancelled", location: "" });
    for (const [n, id] of ids.entries()) {
      const { title, status, location, updated_times } = await eventDetails(kit, id);
      equal([title, status, location, updated_times], [`Concert ${n}`, "cancelled", "", 1], "the event");
    }
    const body = await batch(kit, ids, { delete: "true" });
    equal([done(body), texts(body, "event_ids")], [true, ids], "what was deleted");
    for (const id of ids) await refuses(kit, [404, "event_not_found"], "GET events/details/", { event_id: id });
  }),
  extension("batch.all-or-none", "X8.4 all", "When one event cannot be changed none is, unless partial is true", async (kit) => {
    const [first = "", changed = ""] = await createEvents(kit, 2);
    await updateEvent(kit, changed, { title: "Changed" });
    const named = [`${first}:0`, `${changed}:0`, absent];
    const why = [
      [changed, "event_changed"],
      [absent, "event_not_found"],
    ];
    const refused = await batch(kit, named, { location: "Hall" });
    equal([done(refused), failures(refused)], [false, why], "what was done");
    equal((await eventDetails(kit, first))["location"], "Park", "location");
    const partial = await batch(kit, named, { location: "Hall", partial: "true" });
    equal([done(partial), texts(partial, "event_ids"), failures(partial)], [true, [first], why], "with partial");
    equal((await eventDetails(kit, first))["location"], "Hall", "location with partial");
    equal((await eventDetails(kit, changed))["location"], "Park", "location of the event that was changed");
  }),
  extension("batch.dry-run", "X8.4 dry run", "dry_run changes nothing", async (kit) => {
    const ids = await createEvents(kit, 2);
    const body = await batch(kit, ids, { delete: "true", dry_run: "true" });
    equal([done(body), texts(body, "event_ids")], [false, ids], "what would be done");
    for (const id of ids) equal((await eventDetails(kit, id))["updated_times"], 0, "updated_times");
  }),
  extension("batch.refused", "X8.4 move", "An event that is named twice, and no change, are a 400", async (kit) => {
    const [id = ""] = await createEvents(kit, 1);
    await refuses(kit, [400, "parameter_invalid"], "POST events/batch/", { events: `${id},${id}`, title: "x" });
    await refuses(kit, [400, "parameter_invalid"], "POST events/batch/", { events: id });
    await refuses(kit, [400, "parameter_invalid"], "POST events/batch/", { events: id, delete: "true", title: "x" });
  }),
  extension("batch.foreign", "X8.4 all", "Another account changes and copies nothing", twoAccounts, async (kit) => {
    const [id = ""] = await createEvents(kit, 1);
    const options = { as: "other" } as const;
    const { body } = await ok(kit, "POST events/batch/", { events: id, delete: "true" }, options);
    equal([done(body), failures(body)], [false, [[id, "event_not_found"]]], "what was done");
    await refuses(kit, [404, "event_not_found"], "POST events/copy/", { event_id: id, start_dates: "2026-11-01T10:00" }, options);
    equal((await eventDetails(kit, id))["updated_times"], 0, "updated_times");
  }),
  extension("batch.calendar", "X8.4 calendar", "An event moves to another calendar: a deletion to one, a new event to the other", async (kit) => {
    const ids = await createEvents(kit, 2);
    const [moved = "", other = ""] = ids;
    const before = await eventDetails(kit, moved);
    const from = String(before["calendar_id"]);
    const calendar_id = idOf(await kit.calendar());
    const cursors = { from: await cursorOf(kit, from), to: await cursorOf(kit, calendar_id) };
    await updateEvent(kit, moved, { calendar_id });
    const { uid, timezone, start_date, updated_times, ...after } = await eventDetails(kit, moved);
    equal(
      [after["calendar_id"], uid, timezone, start_date, updated_times],
      [calendar_id, before["uid"], before["timezone"], before["start_date"], 1],
      "calendar_id, uid, timezone, start_date, updated_times",
    );
    equal(await changesSince(kit, from, cursors.from), [[moved, "deleted"]], "the changes of the calendar that it left");
    equal(await changesSince(kit, calendar_id, cursors.to), [[moved, "saved"]], "the changes of the other calendar");
    equal(done(await batch(kit, ids, { calendar_id })), true, "what a batch has done");
    equal((await eventDetails(kit, other))["calendar_id"], calendar_id, "calendar_id of the other event");
    await refuses(kit, [404, "calendar_not_found"], "POST events/batch/", { events: moved, calendar_id: absent });
    await refuses(kit, [404, "calendar_not_found"], "POST events/update/", { event_id: moved, calendar_id: absent });
  }),
  extension("batch.copies", "X8.4 copy", "Copies have the fields and the length of the event, in another calendar too", async (kit) => {
    const [event_id = ""] = await createEvents(kit, 1);
    const calendar_id = idOf(await kit.calendar());
    const start_dates = "2026-10-25T19:00,2026-12-24 10:15";
    const { body } = await ok(kit, "POST events/copy/", { event_id, start_dates, calendar_id });
    const copies: Item[] = [];
    for (const id of texts(body, "event_ids")) copies.push(await eventDetails(kit, id));
    const shown = copies.map((copy) => [copy["calendar_id"], copy["title"], copy["location"], copy["start_date"], copy["end_date"]]);
    equal(
      shown,
      [
        [calendar_id, "Concert 0", "Park", "2026-10-25T19:00", "2026-10-25T21:00"],
        [calendar_id, "Concert 0", "Park", "2026-12-24T10:15", "2026-12-24T12:15"],
      ],
      "the copies",
    );
    const uids = [await eventDetails(kit, event_id), ...copies].map(({ uid }) => uid);
    equal(new Set(uids).size, 3, "different UIDs");
  }),
];
