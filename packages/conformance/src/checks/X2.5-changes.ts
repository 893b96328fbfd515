import { equal, sameSet } from "../engine/assert.js";
import { twoAccounts } from "../engine/check.js";
import type { Calls } from "../engine/operations.js";
import { idOf, type Item, only, text } from "../engine/json.js";
import { someStart } from "../engine/kit.js";
import { eventDetails, extension, follow, refuses, updateEvent } from "../steps/extensions.js";

const eventIds = (changes: readonly Item[]): readonly string[] => changes.map((change) => text(change, "event_id"));

/** What its operations need. */
export const calls: Calls = {
  "GET events/changes/": ({ calendar_id }) => ({ calendar_id }),
};

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X2.5 changes": "events/changes/: created, changed and deleted events in commit order, never skipping one.",
  "X2.5 cursor": "The cursor is opaque, and belongs to its calendar.",
};

/** extensions X2.5: what has changed. */
export const checks = [
  extension("changes.start", "X2.5 changes", "Without a cursor the changes are every event of the calendar, as it is", async (kit) => {
    const [calendar, other] = [idOf(await kit.calendar()), idOf(await kit.calendar())];
    await kit.event(other);
    equal((await follow(kit, calendar)).changes, [], "changes of an empty calendar");
    const ids: string[] = [];
    for (let made = 0; made < 7; made++) ids.push(idOf(await kit.event(calendar)));
    const { changes } = await follow(kit, calendar);
    sameSet(eventIds(changes), ids, "changes");
    for (const { event_id, change, event } of changes) equal([change, event], ["saved", await eventDetails(kit, String(event_id))], "change, event");
  }),
  extension("changes.since", "X2.5 changes", "Since a cursor the changes are what was created or changed, in that order", async (kit) => {
    const calendar = idOf(await kit.calendar());
    const [one, two, three] = [idOf(await kit.event(calendar)), idOf(await kit.event(calendar)), idOf(await kit.event(calendar))];
    const { cursor } = await follow(kit, calendar);
    equal((await follow(kit, calendar, cursor)).changes, [], "changes when nothing has changed");
    await updateEvent(kit, three, { location: "There" });
    await kit.ok("saveEvent", { event_id: one, title: "Saved", start_date: someStart });
    const four = idOf(await kit.event(calendar));
    await updateEvent(kit, three, { location: "Elsewhere" });
    const { changes, cursor: next } = await follow(kit, calendar, cursor);
    equal(eventIds(changes), [one, four, three], `changed events, without ${two}`);
    equal(changes.at(-1)?.["event"], await eventDetails(kit, three), "the event that was changed twice");
    equal((await follow(kit, calendar, next)).changes, [], "changes since the end");
  }),
  extension("changes.deleted", "X2.5 changes", "A deleted event is a change without an event", async (kit) => {
    const calendar = idOf(await kit.calendar());
    const [kept, gone] = [idOf(await kit.event(calendar)), idOf(await kit.event(calendar))];
    const { cursor } = await follow(kit, calendar);
    await kit.ok("deleteEvent", { event_id: gone });
    const change = only((await follow(kit, calendar, cursor)).changes, "changes");
    equal([change["event_id"], change["change"], "event" in change], [gone, "deleted", false], "event_id, change, has an event");
    sameSet(
      (await follow(kit, calendar)).changes.filter((one) => one["change"] === "saved").map((one) => text(one, "event_id")),
      [kept],
      "saved events from the start",
    );
  }),
  extension("changes.pages", "X2.5 changes", "Following the cursor to the end leaves out nothing that is written meanwhile", async (kit) => {
    const calendar = idOf(await kit.calendar());
    const ids = await Promise.all(Array.from({ length: 12 }, async () => idOf(await kit.event(calendar))));
    const { cursor, changes } = await follow(kit, calendar);
    sameSet(eventIds(changes), ids, "changes from the start");
    const writes = ids.map(async (id) => updateEvent(kit, id, { location: "There" }));
    const first = await follow(kit, calendar, cursor);
    await Promise.all(writes);
    const rest = await follow(kit, calendar, first.cursor);
    sameSet([...new Set(eventIds([...first.changes, ...rest.changes]))], ids, "changes since");
    const last = new Map([...first.changes, ...rest.changes].map((change) => [text(change, "event_id"), change["event"]]));
    for (const id of ids) equal(last.get(id), await eventDetails(kit, id), "the last change of an event");
  }),
  extension("changes.malformed-cursor", "X2.5 cursor", "A cursor that no answer had is refused", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    for (const since of ["last week", "!", "0", "x".repeat(600), "2026-07-04T13:30:00Z"])
      await refuses(kit, [400, "parameter_invalid"], "GET events/changes/", { calendar_id, since });
  }),
  extension("changes.foreign-cursor", "X2.5 cursor", "The cursor of another calendar is refused", async (kit) => {
    const [calendar_id, other] = [idOf(await kit.calendar()), idOf(await kit.calendar())];
    await kit.event(calendar_id);
    await kit.event(other);
    const { cursor: since } = await follow(kit, other);
    await refuses(kit, [400, "parameter_invalid"], "GET events/changes/", { calendar_id, since });
  }),
  extension("changes.foreign-account", "X2.5 cursor", "A cursor opens no calendar of another account", twoAccounts, async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    await kit.event(calendar_id);
    const { cursor: since } = await follow(kit, calendar_id);
    await refuses(kit, [404, "calendar_not_found"], "GET events/changes/", { calendar_id, since }, { as: "other" });
  }),
];
