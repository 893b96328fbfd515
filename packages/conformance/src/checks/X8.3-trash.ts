import { equal } from "../engine/assert.js";
import type { Calls } from "../engine/operations.js";
import { idOf, idsOf, type Item, list, member } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";
import { calendarDetails, changedOnly, eventDetails, extension, follow, fullEvent, ok, refuses } from "../steps/extensions.js";
import { createCouncil, eventsOf, texts } from "../steps/series.js";

/** What the trash has of a calendar: kind and id, newest first. */
async function trashOf(kit: Kit, calendar_id: string): Promise<readonly unknown[]> {
  const { body } = await ok(kit, "GET trash/list/", { calendar_id });
  return list(body, "trash").map(({ kind, id, calendar_id: of }) => [kind, id, of]);
}

async function restore(kit: Kit, event_id: string): Promise<Item> {
  return member((await ok(kit, "POST events/restore/", { event_id })).body, "event");
}

/** What its operations need. */
export const calls: Calls = {
  "GET trash/list/": ({ calendar_id }) => ({ calendar_id }),
  "POST events/restore/": ({ gone }) => ({ event_id: gone }),
  "POST events/series/restore/": ({ series_id }) => ({ series_id }),
  "POST calendars/restore/": ({ deleted }) => ({ calendar_id: deleted }),
  "POST trash/purge/": ({ deleted }) => ({ calendar_id: deleted }),
};

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X8.3 list": "trash/list/ returns what was deleted and can be restored, newest first.",
  "X8.3 restore": "events/restore/: a restored event keeps its UID, its SEQUENCE rises.",
  "X8.3 series": "events/series/restore/ restores what the last deletion of the series took.",
  "X8.3 calendar": "calendars/restore/: a restored calendar keeps its key.",
  "X8.3 refused": "What cannot be restored is a 404, or a 409 that says why.",
  "X8.3 purge": "trash/purge/ removes for good.",
};

/** extensions X8.3: what was deleted can be restored. */
export const checks = [
  extension("trash.event", "X8.3 restore", "A restored event has its UID and everything it had, and counts as saved", async (kit) => {
    const { calendar, id, before } = await fullEvent(kit);
    await kit.ok("deleteEvent", { event_id: id });
    const restored = await restore(kit, id);
    changedOnly(before, restored, {});
    equal(restored["updated_times"], Number(before["updated_times"]) + 1, "updated_times");
    equal(await eventDetails(kit, id), restored, "the event that details returns");
    equal(idsOf(await kit.events(idOf(calendar))), [id], "the events of the contract's list");
  }),
  extension("trash.changes", ["X8.3 restore", "X2.5 changes"], "A restored event is a saved change", async (kit) => {
    const { calendar, id } = await fullEvent(kit);
    await kit.ok("deleteEvent", { event_id: id });
    const { cursor } = await follow(kit, idOf(calendar));
    await restore(kit, id);
    const { changes } = await follow(kit, idOf(calendar), cursor);
    equal(
      changes.map(({ event_id, change }) => [event_id, change]),
      [[id, "saved"]],
      "event_id and change",
    );
  }),
  extension("trash.list", "X8.3 list", "The list has what was deleted, newest first, of one calendar where asked", async (kit) => {
    const [calendar_id, other] = [idOf(await kit.calendar()), idOf(await kit.calendar())];
    const ids: string[] = [];
    for (const of of [calendar_id, calendar_id, other]) {
      const id = idOf(await kit.event(of));
      ids.push(id);
      await kit.ok("deleteEvent", { event_id: id });
    }
    const [first = "", second = "", third = ""] = ids;
    const [one, two] = [first, second].map((id) => ["event", id, calendar_id]);
    equal(await trashOf(kit, calendar_id), [two, one], "the trash of the calendar");
    equal(await trashOf(kit, other), [["event", third, other]], "the trash of the other calendar");
    await restore(kit, second);
    equal(await trashOf(kit, calendar_id), [one], "the trash after one was restored");
  }),
  extension("trash.series", "X8.3 series", "A series restores what its last deletion took", async (kit) => {
    const { calendar_id, ids } = await createCouncil(kit);
    const before = await eventsOf(kit, calendar_id);
    const series_id = String(before[0]?.["series_id"]);
    await ok(kit, "POST events/series/delete/", { event_id: ids[1] ?? "", scope: "this" });
    await ok(kit, "POST events/series/delete/", { event_id: ids[2] ?? "", scope: "all" });
    const [first, , ...others] = ids;
    equal(texts((await ok(kit, "POST events/series/restore/", { series_id })).body, "event_ids"), [first, ...others], "event_ids");
    equal(texts((await ok(kit, "POST events/series/restore/", { series_id })).body, "event_ids"), [ids[1]], "event_ids of the deletion before");
    const places = (events: readonly Item[]) => events.map((event) => [event["id"], event["start_date"], event["series_id"]]);
    equal(places(await eventsOf(kit, calendar_id)), places(before), "the events of the series");
  }),
  extension("trash.calendar", "X8.3 calendar", "A restored calendar has its key and its events", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const event_id = idOf(await kit.event(calendar_id));
    const before = await calendarDetails(kit, calendar_id);
    await kit.ok("deleteCalendar", { calendar_id });
    equal(await trashOf(kit, calendar_id), [["calendar", calendar_id, calendar_id]], "the trash");
    equal(member((await ok(kit, "POST calendars/restore/", { calendar_id })).body, "calendar"), before, "the restored calendar");
    equal(idsOf(await kit.events(calendar_id)), [event_id], "the events of the contract's list");
    await refuses(kit, [404, "calendar_not_found"], "POST calendars/restore/", { calendar_id });
  }),
  extension("trash.refused", "X8.3 refused", "An event that is not in the trash is a 404, one of a deleted calendar a 409", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const event_id = idOf(await kit.event(calendar_id));
    await refuses(kit, [404, "event_not_found"], "POST events/restore/", { event_id });
    await kit.ok("deleteEvent", { event_id });
    await kit.ok("deleteCalendar", { calendar_id });
    await refuses(kit, [409, "calendar_deleted"], "POST events/restore/", { event_id });
    await ok(kit, "POST calendars/restore/", { calendar_id });
    await restore(kit, event_id);
  }),
  extension("trash.purge", "X8.3 purge", "What is purged is in the trash no more, and cannot be restored", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const ids = [idOf(await kit.event(calendar_id)), idOf(await kit.event(calendar_id)), idOf(await kit.event(calendar_id))];
    for (const event_id of ids) await kit.ok("deleteEvent", { event_id });
    const [first = "", second = ""] = ids;
    await ok(kit, "POST trash/purge/", { event_id: first });
    await refuses(kit, [404, "event_not_found"], "POST events/restore/", { event_id: first });
    equal((await trashOf(kit, calendar_id)).length, 2, "what is left in the trash");
    await ok(kit, "POST trash/purge/", { calendar_id });
    await refuses(kit, [404, "event_not_found"], "POST events/restore/", { event_id: second });
    equal(await trashOf(kit, calendar_id), [], "the trash");
  }),
];
