import { equal, expect } from "../engine/assert.js";
import type { Calls } from "../engine/operations.js";
import { idOf, type Item, list, member } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";
import { changedOnly, eventDetails, extension, fullEvent, ok, refuses, updateEvent } from "../steps/extensions.js";

async function historyOf(kit: Kit, params: Readonly<Record<string, string>>): Promise<readonly Item[]> {
  return list((await ok(kit, "GET history/list/", params)).body, "history");
}

const actions = (entries: readonly Item[]) => entries.map(({ action, operation }) => [operation, action]);

/** What its operations need. */
export const calls: Calls = {
  "GET history/list/": ({ calendar_id }) => ({ calendar_id }),
  "POST events/revert/": ({ event_id, entry_id }) => ({ event_id, entry_id }),
};

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X9.4 list": "history/list/ says who wrote what, and what it was before, newest first.",
  "X9.4 refused": "A write that is refused leaves no entry.",
  "X9.4 revert": "events/revert/ makes an event what it was after an entry, under If-Match.",
};

/** extensions X9.4: who wrote what, and what it was before. */
export const checks = [
  extension("history.list", "X9.4 list", "Each write of an event has an entry that says what was before, newest first", async (kit) => {
    const { calendar, id: event_id } = await fullEvent(kit);
    await updateEvent(kit, event_id, { title: "One", location: "" });
    await updateEvent(kit, event_id, { title: "Two" });
    const entries = await historyOf(kit, { event_id });
    equal(
      actions(entries),
      [
        ["updateEvent", "changed"],
        ["updateEvent", "changed"],
        ["createEvent", "created"],
      ],
      "operation and action",
    );
    const [newest, older] = entries;
    equal(newest?.["changes"], [{ field: "title", before: "One", after: "Two" }], "changes");
    equal(
      list(older ?? {}, "changes")
        .map(({ field }) => String(field))
        .toSorted((one, other) => one.localeCompare(other)),
      ["location", "title"],
      "the fields of changes",
    );
    for (const entry of entries) equal(member(entry, "by")["kind"], "token", "by.kind");
    const others = (await historyOf(kit, { calendar_id: idOf(calendar) })).filter((entry) => entry["event_id"] !== "");
    equal(others.map(idOf), entries.map(idOf), "the entries of the calendar");
  }),
  extension("history.refused", "X9.4 refused", "A write that is refused leaves no entry", async (kit) => {
    const { id: event_id } = await fullEvent(kit);
    const before = await historyOf(kit, { event_id });
    await refuses(kit, [412], "POST events/update/", { event_id, title: "x" }, { headers: { "If-Match": `"7"` } });
    equal(await historyOf(kit, { event_id }), before, "the history");
  }),
  extension("history.revert", "X9.4 revert", "A reverted event is what it was after the entry, and counts as saved", async (kit) => {
    const { id: event_id, before } = await fullEvent(kit);
    await updateEvent(kit, event_id, { title: "One", start_date: "2031-01-02T03:04", end_date: "", status: "cancelled", categories: "" });
    await updateEvent(kit, event_id, { title: "Two" });
    const entry_id = idOf((await historyOf(kit, { event_id })).at(-1) ?? {});
    const { body } = await ok(kit, "POST events/revert/", { event_id, entry_id }, { headers: { "If-Match": `"2"` } });
    const event = member(body, "event");
    changedOnly(before, event, {});
    equal(event["updated_times"], 3, "updated_times");
    equal(await eventDetails(kit, event_id), event, "the event that details returns");
    const [entry] = await historyOf(kit, { event_id });
    expect(entry?.["operation"] === "revertEvent", "The revert has no entry of its own.");
  }),
  extension("history.match", "X9.4 revert", "A revert with an If-Match of before is a 412 and changes nothing", async (kit) => {
    const { id: event_id } = await fullEvent(kit);
    const [first] = await historyOf(kit, { event_id });
    await updateEvent(kit, event_id, { title: "One" });
    const before = await eventDetails(kit, event_id);
    const stale = { headers: { "If-Match": `"0"` } };
    await refuses(kit, [412, "event_changed"], "POST events/revert/", { event_id, entry_id: idOf(first ?? {}) }, stale);
    equal(await eventDetails(kit, event_id), before, "the event");
  }),
  extension("history.gone", "X9.4 revert", "An entry of another event is a 404, and a deleted event a 400", async (kit) => {
    const [{ id: event_id }, { id: other }] = [await fullEvent(kit), await fullEvent(kit)];
    const [entry] = await historyOf(kit, { event_id });
    const entry_id = idOf(entry ?? {});
    await refuses(kit, [404, "entry_not_found"], "POST events/revert/", { event_id: other, entry_id });
    await kit.ok("deleteEvent", { event_id });
    await refuses(kit, [400, "parameter_invalid"], "POST events/revert/", { event_id, entry_id });
  }),
];
