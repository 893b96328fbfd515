import { scratchCalendar } from "./event-kit.js";
import { equal, expect } from "../engine/assert.js";
import { idOf, idsOf, member } from "../engine/json.js";
import { someStart } from "../engine/kit.js";
import { saveEvent, refusesToSave, deletedEvent } from "./event-save-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("core");

export const eventSaveRefusedChecks = [
  required(
    "events.save.title-is-mandatory",
    "4.7 mandatory",
    "Save without title is refused and changes nothing",
    (kit) => refusesToSave(kit, { start_date: someStart }),
  ),
  required(
    "events.save.empty-title",
    "4.7 mandatory",
    "Save with an empty title is refused and changes nothing",
    (kit) => refusesToSave(kit, { title: "", start_date: someStart }),
  ),
  required(
    "events.save.start-is-mandatory",
    "4.7 mandatory",
    "Save without start_date is refused and changes nothing",
    (kit) => refusesToSave(kit, { title: "When" }),
  ),
  required(
    "events.save.colour-21",
    ["4.7 rules", "8 color_id"],
    "Save with colour 21 is refused and changes nothing",
    (kit) => refusesToSave(kit, { title: "Too far", start_date: someStart, color_id: "21" }),
  ),
  required(
    "events.save.impossible-day",
    "4.7 rules",
    "Save with 30 February is refused and changes nothing",
    (kit) => refusesToSave(kit, { title: "Never", start_date: "02/30/2026 10:00" }),
  ),
  required(
    "events.save.unknown-zone",
    "4.7 rules",
    "Save with an unknown zone is refused and changes nothing",
    (kit) => refusesToSave(kit, { title: "Nowhere", start_date: someStart, timezone: "Mars/Olympus_Mons" }),
  ),
  required("events.save.id-is-mandatory", "4.7 event_id", "Save without event_id is refused", async (kit) => {
    await kit.refused("saveEvent", { title: "Which", start_date: someStart });
  }),
  required(
    "events.save.deleted",
    ["4.7 event_id", "3 event"],
    "A deleted event cannot be saved, and stays deleted",
    async (kit) => {
      const { calendar, id } = await deletedEvent(kit);
      await kit.refused("saveEvent", { event_id: id, title: "Again", start_date: someStart });
      equal(await kit.events(calendar), [], "events after a refused save");
    },
  ),
  recommended(
    "events.save.no-calendar-id",
    "4.7 rules",
    "Save does not use calendar_id: the event stays in its calendar",
    async (kit) => {
      const [calendar, other] = [await kit.calendar(), await kit.calendar()];
      const event = await saveEvent(kit, await kit.event(calendar), { calendar_id: idOf(other) });
      equal(event["calendar"], idOf(calendar), "calendar");
      equal(await kit.events(other), [], "events of the other calendar");
    },
  ),
  required(
    "events.delete.result",
    ["4.8 result", "2.4 deleted"],
    "Delete returns the id as a string and the status deleted",
    async (kit) => {
      const event = await kit.event(await scratchCalendar(kit));
      const answer = await kit.ok("deleteEvent", { event_id: idOf(event) });
      const { id, status } = member(answer.body, "event");
      equal({ id, status }, { id: idOf(event), status: "deleted" }, "event");
    },
  ),
  required(
    "events.delete.is-gone",
    "3 event",
    "A deleted event is no longer listed, and no other goes with it",
    async (kit) => {
      const calendar = await kit.calendar();
      const [event, other] = [await kit.event(calendar), await kit.event(calendar)];
      await kit.ok("deleteEvent", { event_id: idOf(event) });
      equal(idsOf(await kit.events(calendar)), [idOf(other)], "events after a delete");
      const { body } = await kit.ok("listEvents", { calendar_id: idOf(calendar) });
      equal(member(body, "calendar")["events_count"], 1, "events_count after a delete");
    },
  ),
  required("events.delete.twice", "4.8 event_id", "A deleted event cannot be deleted again", async (kit) => {
    await kit.refused("deleteEvent", { event_id: (await deletedEvent(kit)).id });
  }),
  required(
    "events.delete.id-is-mandatory",
    "4.8 event_id",
    "Delete without event_id, or an empty one, is refused and deletes nothing",
    async (kit) => {
      const calendar = await kit.calendar();
      const event = await kit.event(calendar);
      await kit.refused("deleteEvent");
      await kit.refused("deleteEvent", { event_id: "" });
      equal(idsOf(await kit.events(calendar)), [idOf(event)], "events after refused deletes");
    },
  ),
  recommended(
    "events.delete.id-is-not-reused",
    "R4.1",
    "The id of a deleted event is not given again",
    async (kit) => {
      const { calendar, id } = await deletedEvent(kit);
      expect(idOf(await kit.event(calendar)) !== id, `id: ${id} was given to another event.`);
    },
  ),
  recommended("events.ids.ascend", "R4.1", "A later event has a higher id", async (kit) => {
    const calendar = await kit.calendar();
    const ids: number[] = [];
    for (let made = 0; made < 11; made++) ids.push(Number(idOf(await kit.event(calendar))));
    expect(
      ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0)),
      `ids in the order of creation: ${ids.join(", ")}.`,
    );
  }),
];
